// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/speed/speed_kernels.h"

#include <array>

#include "reference_impl/extractor/gaussian_window.h"
#include "reference_impl/framework/launch.h"

namespace culprit::reference {
namespace {

// By value to the kernels, which declare the same.
template <size_t Taps>
struct Filter {
  double taps[Taps];
};

template <size_t Taps>
Filter<Taps> Gaussian(double deviation) {
  Filter<Taps> filter;
  FillGaussianWindow(deviation, filter.taps);
  return filter;
}

}  // namespace

Status SpeedKernels::Find(const Module& module, uint32_t bits) {
  return module.Functions({
      {bits > 8 ? "speed_shrink_16bpc" : "speed_shrink_8bpc", &shrink_},
      {"speed_difference", &difference_},
      {"speed_detail", &detail_},
      {"speed_covariance", &covariance_},
  });
}

Status SpeedKernels::Shrink(const Stream& stream, const Picture& picture, uint32_t plane,
                            CUdeviceptr target) const {
  const Geometry& geometry = picture.geometry();
  const uint32_t width = geometry.plane_width(plane);
  const uint32_t height = geometry.plane_height(plane);
  const SpeedExtent extent = SpeedExtent::Of(width, height);
  // Two standard deviations of the step, as a part of nine taps.
  const auto filter = Gaussian<9>(2 * 9 / 5.0);
  return LaunchOverPlane(stream, shrink_, extent.width, extent.height, picture.plane(plane),
                         picture.pitch(plane), target, static_cast<int>(width),
                         static_cast<int>(height), static_cast<int>(extent.width),
                         static_cast<int>(extent.height), filter, geometry.sample_scale());
}

Status SpeedKernels::Difference(const Stream& stream, const SpeedExtent& extent,
                                CUdeviceptr previous, CUdeviceptr current,
                                CUdeviceptr target) const {
  return LaunchOverPlane(stream, difference_, extent.width, extent.height, previous, current,
                         target, static_cast<int>(extent.width), static_cast<int>(extent.height));
}

Status SpeedKernels::Describe(const Stream& stream, const SpeedExtent& extent, CUdeviceptr source,
                              CUdeviceptr target) const {
  const auto width = static_cast<int>(extent.width);
  Status detail = LaunchOverPlane(stream, detail_, extent.width, extent.height, source, target,
                                  width, static_cast<int>(extent.height), Gaussian<3>(3 / 5.0));
  if (!detail.ok()) return detail;
  const CUdeviceptr covariance = target + extent.samples() * sizeof(double);
  return LaunchOverRows(stream, covariance_, kSpeedPlaces, kSpeedPlaces, target, covariance, width,
                        static_cast<int>(extent.inner_width()),
                        static_cast<int>(extent.inner_height()));
}

size_t SpeedKernels::StatisticsBytes(const SpeedExtent& extent) {
  return (extent.samples() + kSpeedPlaces * kSpeedPlaces) * sizeof(double);
}

SpeedStatistics SpeedKernels::View(const SpeedExtent& extent, const double* statistics) {
  return {{statistics, extent.samples()},
          {statistics + extent.samples(), kSpeedPlaces * kSpeedPlaces}};
}

}  // namespace culprit::reference
