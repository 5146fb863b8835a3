/* SPDX-License-Identifier: Apache-2.0
 *
 * What the port uses of libvmaf's public C API (libvmaf.h, picture.h and libvmaf_cuda.h of version 3), declared here so
 * that it builds without libvmaf's headers.
 */
#ifndef LIBVMAF_PORT_LIBVMAF_H_
#define LIBVMAF_PORT_LIBVMAF_H_

#include <stddef.h>
#include <stdint.h>

typedef struct VmafContext VmafContext;
typedef struct VmafCudaState VmafCudaState;

typedef struct VmafConfiguration {
  int log_level; /* 0: none */
  unsigned n_threads;
  unsigned n_subsample;
  uint64_t cpumask;
  uint64_t gpumask;
} VmafConfiguration;

/* Up to `data` every version has the same members; later ones differ, so there is room for any. */
typedef struct VmafPicture {
  int pix_fmt;
  unsigned bpc;
  unsigned w[3], h[3];
  ptrdiff_t stride[3];
  void* data[3];
  unsigned char rest[128];
} VmafPicture;

typedef struct VmafCudaConfiguration {
  void* cu_ctx; /* NULL: it retains the primary context */
} VmafCudaConfiguration;

enum { VMAF_CUDA_PICTURES_PINNED = 3 };
typedef struct VmafCudaPictureConfiguration {
  struct {
    unsigned w, h;
    unsigned bpc;
    int pix_fmt;
  } pic_params;
  int pic_prealloc_method;
} VmafCudaPictureConfiguration;

/* Every function returns 0 or a negative errno. */
struct libvmaf {
  const char* (*vmaf_version)(void);
  int (*vmaf_init)(VmafContext** vmaf, VmafConfiguration configuration);
  int (*vmaf_use_feature)(VmafContext* vmaf, const char* name, void* options);
  int (*vmaf_read_pictures)(VmafContext* vmaf, VmafPicture* reference, VmafPicture* distorted, unsigned index);
  int (*vmaf_feature_score_at_index)(VmafContext* vmaf, const char* feature, double* score, unsigned index);
  int (*vmaf_close)(VmafContext* vmaf);
  int (*vmaf_picture_alloc)(VmafPicture* picture, int pix_fmt, unsigned bpc, unsigned width, unsigned height);
  int (*vmaf_picture_unref)(VmafPicture* picture);
  int (*vmaf_cuda_state_init)(VmafCudaState** state, VmafCudaConfiguration configuration);
  int (*vmaf_cuda_import_state)(VmafContext* vmaf, VmafCudaState* state);
  int (*vmaf_cuda_preallocate_pictures)(VmafContext* vmaf, VmafCudaPictureConfiguration configuration);
  int (*vmaf_cuda_fetch_preallocated_picture)(VmafContext* vmaf, VmafPicture* picture);
  int (*vmaf_cuda_state_free)(VmafCudaState* state); /* not in every version; without it the caller frees the memory */
};

#endif /* LIBVMAF_PORT_LIBVMAF_H_ */
