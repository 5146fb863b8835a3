/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FEATURE_EXTRACTOR_H_
#define FEATURE_EXTRACTOR_H_

#include "cuda/context.h"

struct names;
struct frame {
    CUdeviceptr plane[3];
    unsigned int width, height;
};

typedef struct FeatureExtractor {
    const char *name;
    int (*init)(struct FeatureExtractor *fex, struct context *context);
    int (*extract)(struct FeatureExtractor *fex, struct frame *reference, struct frame *distorted, unsigned int index);
    int (*close)(struct FeatureExtractor *fex);
    void *priv;
} FeatureExtractor;

struct names *names_create(FeatureExtractor *fex);
void names_release(struct names **names);
int score_write(struct names *names, unsigned int index, double score);

#endif
