// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/motion/motion_options.h"

namespace culprit::reference {

Status ReadMotionOptions(const Options& options, const std::string& prefix, MotionOptions* read) {
  Status finished = OptionReader(options)
                        .Flag("debug", "", &read->debug)
                        .Number("motion_blend_factor", "mbf", &read->blend_factor)
                        .Number("motion_blend_offset", "mbo", &read->blend_offset)
                        .Flag("motion_five_frame_window", "mffw", &read->five_frame_window)
                        .Flag("motion_force_zero", "force_0", &read->force_zero)
                        .Number("motion_fps_weight", "mfw", &read->fps_weight)
                        .Number("motion_max_val", "mmxv", &read->max_value)
                        .Flag("motion_moving_average", "mma", &read->moving_average)
                        .Finish(&read->suffix);
  const std::string& suffix = read->suffix;
  read->keys = {prefix + "motion" + suffix, prefix + "motion2" + suffix,
                prefix + "motion3" + suffix};
  return finished;
}

}  // namespace culprit::reference
