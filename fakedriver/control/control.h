/* SPDX-License-Identifier: Apache-2.0
 *
 * The control ABI: how a harness in the same process configures the fake driver, plans faults and reads what happened.
 *
 * The fake's libcuda.so.1 exports one symbol besides the driver's, `culprit_control`, which returns this table. The
 * interposer over a real driver exports it too, with what it can know. Plain C, versioned by size: fields are only
 * appended. Texts returned are JSON, owned by the library and valid until the next call of the same function on the same
 * thread. Functions return 0, or -1 with the reason in last_error().
 */
#ifndef CULPRIT_CONTROL_H_
#define CULPRIT_CONTROL_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CULPRIT_CONTROL_ABI 1
#define CULPRIT_CONTROL_SYMBOL "culprit_control"

/* Objects alive, created by the subject (the harness's own are left out; orphans of an injection are counted apart). */
typedef struct culprit_live {
  uint32_t size;
  uint32_t contexts;
  uint32_t primary_retains; /* over all devices */
  uint32_t streams;
  uint32_t events;
  uint32_t modules;
  uint32_t libraries;
  uint32_t allocations; /* device memory: plain, pitched, pool, managed */
  uint32_t host_blocks; /* pinned and registered */
  uint32_t pools;
  uint32_t graphs;
  uint32_t graph_execs;
  uint32_t user_objects;
  uint32_t mappings; /* IPC and virtual memory */
  uint32_t others;
  uint32_t orphaned; /* made by a call whose success an injected error hid */
  uint64_t device_bytes;
  uint64_t host_bytes;
} culprit_live;

typedef enum culprit_fault_when { CULPRIT_FAULT_BEFORE = 0, CULPRIT_FAULT_AFTER = 1 } culprit_fault_when;
typedef enum culprit_fault_span { CULPRIT_FAULT_ONCE = 0, CULPRIT_FAULT_STICKY = 1 } culprit_fault_span;

/* One planned fault, in its hot form; plans as JSON or YAML (docs/plan_a_fault.md) reach everything else.
 * A site is the nth call (from 1) that matches `entry` or `family` or, with both NULL, any call; `thread` 0 means any thread,
 * k the k-th thread that called the driver. Calls made between harness_begin and harness_end never match. */
typedef struct culprit_fault {
  uint32_t size;
  const char* entry;  /* exported symbol, "cuMemAlloc_v2", or the lookup name, "cuMemAlloc", for any of its variants */
  const char* family; /* "memory", "stream", ...; as in the table of entries */
  uint32_t thread;
  uint64_t nth;
  uint32_t when;   /* culprit_fault_when */
  uint32_t span;   /* culprit_fault_span: sticky means from the nth matching call on, until lifted */
  int32_t result;  /* a CUresult, documented for the entry or not */
  uint32_t optional; /* 1: not firing is no error */
} culprit_fault;

/* One call of the log in its compact form. */
typedef struct culprit_logged_call {
  uint64_t seq;
  uint32_t thread;
  uint32_t entry; /* index into the table of entries */
  uint32_t nth;   /* of this entry on this thread */
  int32_t result; /* a CUresult */
  int32_t fault;  /* id of the fault that fired on it; 0: none */
} culprit_logged_call;

/* Kernel launches that ran in this process; a reset does not clear them. */
typedef struct culprit_launches {
  uint32_t size;
  uint64_t all;
  uint64_t reused; /* same inputs as an earlier launch: its results were used */
  uint64_t lane_instructions; /* PTX instructions times the lanes that ran them, of the others */
} culprit_launches;

typedef struct culprit_control_table {
  uint32_t size;
  uint32_t abi;

  const char* (*last_error)(void);
  /* {"version","path" (of this library as mapped),"real":false,...} */
  const char* (*identity)(void);

  /* Settings as a JSON object, any subset: profile ("r580","strict","strict-submit"), policy ("eager","timed","lazy",
   * "random"), seed, handle_reuse ("never","newest-first"), devices (path of a description file), trace (path or ""),
   * certify (bool: context at teardown is an error instead of a note), checks ({...}). Only while no object is alive. */
  int (*configure)(const char* settings_json);
  const char* (*settings)(void);

  /* Back to the state before cuInit: objects gone, findings, counters and faults cleared; settings stay. */
  int (*reset)(void);

  /* The calling thread acts for the harness between these two (they nest): its calls are not counted, not faulted, and what
   * it creates is the harness's. */
  void (*harness_begin)(void);
  void (*harness_end)(void);

  /* Faults. add_fault returns an id from 1, or -1. */
  int (*add_fault)(const culprit_fault* fault);
  int (*add_plan)(const char* plan_text, const char* name_for_errors);
  uint64_t (*fault_fired)(int id); /* how often */
  int (*lift_fault)(int id);
  void (*clear_faults)(void);
  /* Planned, not optional, never fired: a JSON array. */
  const char* (*unfired_faults)(void);

  /* Counts. */
  uint64_t (*calls)(void);                   /* driver calls of the subject since reset */
  uint64_t (*calls_of)(const char* entry);
  /* Of `live` and `launches` the caller sets out->size: no more is written, and size becomes what was. */
  void (*live)(culprit_live* out);
  const char* (*live_objects)(void);         /* JSON array: kind, handle, created_by call, context, thread, harness */
  uint32_t (*stack_depth)(void);             /* of the calling thread */
  uint32_t (*threads)(void);                 /* that have called the driver */

  /* The call log since reset: JSON array of {"seq","thread","entry","nth","result","fault"}; kept when `log_calls` is set. */
  void (*log_calls)(int on);
  const char* (*call_log)(void);

  /* Findings. end_of_life audits what is left (leaks, retains, stacks) as at the end of the subject's life. */
  uint32_t (*finding_count)(int errors_only);
  const char* (*findings)(void); /* JSON array, see docs/findings/ */
  void (*end_of_life)(void);

  /* Static knowledge: JSON array of every entry: symbol, lookup, family, effect, modelled, results documented. */
  const char* (*api_table)(void);

  /* The call log without text: copies up to `capacity` calls, in order of completion, and returns how many there are. */
  size_t (*logged_calls)(culprit_logged_call* out, size_t capacity);
  /* While set, the log also keeps who made each call that destroys something or that a fault hit. logged_stack copies the
   * return addresses, the subject's innermost frame first, and returns how many there are; 0: none is kept for that call. */
  void (*log_stacks)(int on);
  size_t (*logged_stack)(uint64_t seq, const void** frames, size_t capacity);
  /* While set, a kernel launch whose inputs were seen before in this process is not computed again (off at first). */
  void (*reuse_launches)(int on);
  void (*launches)(culprit_launches* out);
  /* `hook` is asked on the calling thread before each call of the subject, before the call is numbered, and may hold the
   * thread as long as it likes: a scheduler. NULL: nobody is asked. */
  void (*before_call)(void (*hook)(const char* entry));
} culprit_control_table;

typedef const culprit_control_table* (*culprit_control_fn)(void);

#ifdef __cplusplus
}
#endif

#endif /* CULPRIT_CONTROL_H_ */
