// SPDX-License-Identifier: Apache-2.0
//
// The kernels of a SpEED module, launched on one extractor's stream. Owns nothing: the module and
// the buffers are the extractor's.
#ifndef CULPRIT_REFERENCE_IMPL_EXTRACTOR_SPEED_SPEED_KERNELS_H_
#define CULPRIT_REFERENCE_IMPL_EXTRACTOR_SPEED_SPEED_KERNELS_H_

#include "reference_impl/extractor/speed/speed_score.h"
#include "reference_impl/framework/picture.h"
#include "reference_impl/resource/module.h"

namespace culprit::reference {

class SpeedKernels {
 public:
  // Functions of `module`, which is open, for samples of `bits`.
  Status Find(const Module& module, uint32_t bits);

  // A plane, filtered, every 16th sample.
  Status Shrink(const Stream& stream, const Picture& picture, uint32_t plane,
                CUdeviceptr target) const;
  // `previous` less `current`, which Shrink made.
  Status Difference(const Stream& stream, const SpeedExtent& extent, CUdeviceptr previous,
                    CUdeviceptr current, CUdeviceptr target) const;
  // Writes the statistics of `source` at `target`, which holds StatisticsBytes.
  Status Describe(const Stream& stream, const SpeedExtent& extent, CUdeviceptr source,
                  CUdeviceptr target) const;

  static size_t StatisticsBytes(const SpeedExtent& extent);
  // Of statistics that came home.
  static SpeedStatistics View(const SpeedExtent& extent, const double* statistics);

 private:
  CUfunction shrink_ = nullptr;
  CUfunction difference_ = nullptr;
  CUfunction detail_ = nullptr;
  CUfunction covariance_ = nullptr;
};

}  // namespace culprit::reference

#endif  // CULPRIT_REFERENCE_IMPL_EXTRACTOR_SPEED_SPEED_KERNELS_H_
