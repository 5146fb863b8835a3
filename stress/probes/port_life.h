// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "stress/driver/driver.h"
#include "stress/driver/outcome.h"
#include "suites/culprit_port.h"

namespace culprit::stress {

// One life of a port behind the port ABI: device state, session, every CUDA extractor that writes
// scores of its own, pictures preallocated on the device, a few frames that are large enough for
// all of them, flush, close, state free. The port is loaded after the session's driver and finds
// that one, since both are called libcuda.so.1.
class PortLife {
 public:
  // Loads the port; unsupported where it is none, or cannot preallocate. On a driver that computes
  // every kernel on the host, a few extractors stand for all.
  Outcome Load(const std::string& path, const Driver& driver);

  // From the state to the flush. After a failure `Close` gives back what there is.
  Outcome Run();

  // Lets go of a life that is not given back: the control's leak.
  void Forget() { state_ = nullptr, session_ = nullptr; }

  // Closes the session and frees the state; what was never made is left alone. After a failure it
  // may be called again, which goes on where it stopped.
  Outcome Close();

 private:
  void ChooseExtractors(size_t most);
  Outcome Check(const char* function, int error) const;
  culprit_status* NewStatus();
  Outcome Open();
  Outcome AddExtractors();
  Outcome SubmitPair(uint32_t index);
  culprit_frame Frame(size_t phase);

  const culprit_port* port_ = nullptr;
  culprit_state* state_ = nullptr;
  culprit_session* session_ = nullptr;
  culprit_status status_{};
  std::vector<const char*> extractors_;
  uint32_t width_ = 176;
  uint32_t height_ = 144;
  std::array<std::vector<uint8_t>, 3> samples_;
};

}  // namespace culprit::stress
