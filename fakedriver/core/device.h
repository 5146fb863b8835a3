// SPDX-License-Identifier: Apache-2.0
//
// A device: what it answers about itself, and its primary context.
#ifndef FAKEDRIVER_CORE_DEVICE_H_
#define FAKEDRIVER_CORE_DEVICE_H_

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "fakedriver/core/context.h"
#include "fakedriver/core/device_description.h"
#include "fakedriver/core/object.h"

namespace culprit::fakedriver {

class Device {
 public:
  Device(int ordinal, const DeviceDescription& description);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  int ordinal() const { return ordinal_; }
  const DeviceDescription& description() const { return description_; }
  std::array<uint8_t, 16> uuid() const;
  std::string pci_bus_id() const;
  // Value of a CUdevice_attribute; false when this device does not know it.
  bool Attribute(int attribute, int* value) const;

  Context& primary() const { return *primary_; }
  uint32_t retains() const;
  // Retains not yet released, oldest first.
  std::vector<ObjectRecord> OutstandingRetains() const;

  void Retain();
  // False when nothing is retained. The last release ends the primary context; `reclaimed` then
  // holds what died with it.
  bool Release(std::vector<ObjectRecord>* reclaimed);
  // Ends the primary context; retains stay.
  void ResetPrimary(std::vector<ObjectRecord>* reclaimed);
  // Flags for the primary context, now and for later activations.
  void SetPrimaryFlags(unsigned flags);
  unsigned primary_flags() const;

  // For errors that an injection reports after the effect. The retain of that call belongs to
  // nobody. When that call released, one release more than there are retains is no misuse.
  void OrphanRetain(uint64_t call);
  void AllowOneMoreRelease(uint64_t call);

 private:
  void EndPrimary(std::vector<ObjectRecord>* reclaimed);

  const int ordinal_;
  const DeviceDescription description_;
  Ref<Context> primary_;
  mutable std::mutex mutex_;  // guards what follows
  std::vector<ObjectRecord> retains_;
  uint64_t retained_ = 0;
  uint64_t last_release_ = 0;  // call number
  uint32_t ambiguous_releases_ = 0;
  unsigned primary_flags_ = 0;
};

}  // namespace culprit::fakedriver

#endif  // FAKEDRIVER_CORE_DEVICE_H_
