/* SPDX-License-Identifier: Apache-2.0
 *
 * The port ABI: what a library implements so that `culprit certify` can drive it.
 *
 * A port is a shared library that exports `culprit_port_entry`, which returns a table of functions. The runner loads it in
 * a process of its own, with the fake driver (or the interposer over a real one) as libcuda.so.1, and calls the functions
 * in the order a suite asks for. Plain C, so that any language can provide one.
 *
 * Versioning is by size: every struct starts with `size`, set by whoever fills it. Fields are only ever appended; a reader
 * takes a field as present only when `size` covers it. A table with a NULL function declares that it lacks that ability.
 *
 * Errors: every function returns 0 or a negative errno, the same value as status->error. A status tells the driver's
 * failure from the extractor's and the host's, because an errno alone would hide a lost first error.
 */
#ifndef CULPRIT_PORT_H_
#define CULPRIT_PORT_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CULPRIT_PORT_ABI 1

typedef enum culprit_domain {
  CULPRIT_DOMAIN_NONE = 0,      /* success */
  CULPRIT_DOMAIN_DRIVER = 1,    /* a CUDA driver call failed: cu_result and entry say which */
  CULPRIT_DOMAIN_EXTRACTOR = 2, /* an extractor or the framework refused, for example a second write of an index */
  CULPRIT_DOMAIN_HOST = 3       /* memory, files, threads */
} culprit_domain;

/* What a call came to. The *first* error of the call; later ones never replace it. */
typedef struct culprit_status {
  uint32_t size;
  int32_t error;     /* 0 or a negative errno */
  int32_t domain;    /* culprit_domain */
  int32_t cu_result; /* the CUresult of the first failed driver call, or 0 */
  char entry[64];    /* the driver entry that failed, as exported, for example "cuMemAlloc_v2"; empty if none */
  char message[256];
} culprit_status;

typedef struct culprit_option {
  const char* key;
  const char* value;
} culprit_option;

typedef enum culprit_pixel_format {
  CULPRIT_PIXEL_420 = 1,
  CULPRIT_PIXEL_422 = 2,
  CULPRIT_PIXEL_444 = 3,
  CULPRIT_PIXEL_400 = 4
} culprit_pixel_format;

/* A frame in host memory: samples of 1 byte up to 8 bits, else 2 bytes little-endian. Strides are in bytes. */
typedef struct culprit_frame {
  uint32_t size;
  uint32_t width, height; /* luma, in samples */
  uint32_t bits;          /* 8, 10, 12, 16 */
  uint32_t format;        /* culprit_pixel_format */
  uint32_t planes;        /* 1 or 3 */
  const void* data[3];
  size_t stride[3];
} culprit_frame;

typedef struct culprit_config {
  uint32_t size;
  uint32_t width, height, bits, format; /* of every frame of this session */
  uint32_t threads;                     /* 0: serial */
} culprit_config;

typedef struct culprit_state culprit_state;     /* device state: a context and a stream, made by state_init */
typedef struct culprit_session culprit_session; /* the public handle of one life cycle */
typedef struct culprit_picture culprit_picture; /* one preallocated device picture */

/* Abilities, bits of culprit_port.abilities. */
#define CULPRIT_CAN_THREADS 0x1u        /* config.threads > 0 */
#define CULPRIT_CAN_PREALLOCATE 0x2u    /* preallocate, fetch */
#define CULPRIT_CAN_RETRY_CLOSE 0x4u    /* a failed close keeps its owner and can be repeated */
#define CULPRIT_CAN_FOREIGN_CONTEXT 0x8u /* state_init with a caller's CUcontext */
#define CULPRIT_CAN_OPERATE 0x10u       /* named operations of a subject that is no extractor */

/* Something the port keeps on purpose, with the reason; the certificate lists it and no finding is raised for it. */
typedef struct culprit_lifetime {
  const char* kind;   /* "primary_retain", "best_effort_rollback" */
  const char* where;  /* the port function it applies to, for example "preallocate" */
  const char* reason;
} culprit_lifetime;

typedef struct culprit_extractor_info {
  const char* name;        /* "motion" */
  const char* backend;     /* "cuda", "cpu", or another GPU back end's name */
  const char* const* keys; /* score keys it writes, NULL-terminated */
} culprit_extractor_info;

/* Functions may be called from any thread, one call at a time per session. */
typedef struct culprit_port {
  uint32_t size;
  uint32_t abi; /* CULPRIT_PORT_ABI */
  const char* name;
  const char* version;
  uint32_t abilities;
  const culprit_extractor_info* extractors;
  uint32_t extractor_count;
  const culprit_lifetime* lifetimes;
  uint32_t lifetime_count;

  /* Makes the device state. `context` is NULL (the port retains device 0's primary context) or a caller's CUcontext, which
   * the port borrows and never destroys. On failure *state is untouched. */
  int (*state_init)(void* context, culprit_state** state, culprit_status* status);

  /* Opens a session. Extractors are added before the first submit. */
  int (*open)(const culprit_config* config, culprit_session** session, culprit_status* status);
  int (*use_extractor)(culprit_session* session, const char* name, const culprit_option* options, uint32_t option_count,
                       culprit_status* status);
  /* Hands the state to the session; a second import fails closed with -EINVAL and changes nothing. */
  int (*import_state)(culprit_session* session, culprit_state* state, culprit_status* status);

  /* A ring of `count` device pictures of the session's geometry. */
  int (*preallocate)(culprit_session* session, uint32_t count, culprit_status* status);
  /* Takes a picture out of the ring and uploads `frame` into it. */
  int (*fetch)(culprit_session* session, const culprit_frame* frame, culprit_picture** picture, culprit_status* status);

  /* Submits frame pair `index`. submit_pictures takes both pictures over, also when it fails. */
  int (*submit)(culprit_session* session, const culprit_frame* reference, const culprit_frame* distorted, uint32_t index,
                culprit_status* status);
  int (*submit_pictures)(culprit_session* session, culprit_picture* reference, culprit_picture* distorted, uint32_t index,
                         culprit_status* status);
  int (*flush)(culprit_session* session, culprit_status* status);

  /* Scores. score_key(i) enumerates the keys written so far, NULL at the end; the text lives as long as the session. */
  const char* (*score_key)(culprit_session* session, uint32_t i);
  int (*score)(culprit_session* session, const char* key, uint32_t index, double* value, culprit_status* status);

  /* Closes. Exact zero commits: the session is gone and *session is NULL. Otherwise *session stays valid, keeps everything
   * not yet released, and close may be called again; a repeated close touches only what is left. */
  int (*close)(culprit_session** session, culprit_status* status);
  /* Frees the state; *state becomes NULL on exact zero. After an import it frees memory only and must follow the close. */
  int (*state_free)(culprit_state** state, culprit_status* status);

  /* For subjects that are no extractors: runs a named operation with arguments. `instance` persists between operations
   * and is released by the operation "release". operations is NULL-terminated. */
  const char* const* operations;
  int (*operate)(void** instance, const char* operation, const culprit_option* arguments, uint32_t argument_count,
                 culprit_status* status);

  /* The smallest frames that an extractor accepts, luma, in samples, at 4:2:0. A suite that uses every extractor alone gives
   * each one frames that are at least as large; one that uses them together leaves out those that need larger ones than its
   * clip. NULL: every extractor accepts 32x32. */
  void (*smallest_frame)(const char* extractor, uint32_t* width, uint32_t* height);
} culprit_port;

typedef const culprit_port* (*culprit_port_entry_fn)(void);

/* Exported by every port. */
#define CULPRIT_PORT_ENTRY "culprit_port_entry"

#ifdef __cplusplus
}
#endif

#endif /* CULPRIT_PORT_H_ */
