// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/extractor/adm/adm_level.h"

namespace culprit::reference {

std::array<AdmLevel, kAdmLevels> MakeAdmLevels(uint32_t width, uint32_t height,
                                               const AdmViewing& viewing) {
  std::array<AdmLevel, kAdmLevels> levels;
  for (uint32_t index = 0; index < kAdmLevels; ++index) {
    width = (width + 1) / 2;
    height = (height + 1) / 2;
    AdmLevel& level = levels[index];
    level.width = width;
    level.height = height;
    level.left = static_cast<int>(width * 0.1 - 0.5);
    level.top = static_cast<int>(height * 0.1 - 0.5);
    level.right = static_cast<int>(width) - level.left;
    level.bottom = static_cast<int>(height) - level.top;
    level.sensitivity = AdmSensitivity(index, viewing);
  }
  return levels;
}

}  // namespace culprit::reference
