// SPDX-License-Identifier: Apache-2.0
//
// What an element of an array holds. The one entry that answers a value and no error.
#include <cuda_runtime_api.h>

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
