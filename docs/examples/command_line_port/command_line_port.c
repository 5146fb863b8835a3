/* SPDX-License-Identifier: Apache-2.0
 *
 * A port of a program that has a command line and nothing else, here frame_difference. The frames of a session go into
 * files, its flush runs the program's own main on a thread that nobody else used, as a process would, and the scores are
 * read from what it printed. The program is compiled in, so that its driver calls are made, counted and made to fail in
 * the process that the suites watch; what it leaves on the device is seen, where the end of a process would hide it.
 *
 * What is left to change for another program: the command line in Flush, the two patterns in ReadOutput, and the extractor
 * at the end. A program that cannot be compiled in has `culprit sweep`.
 */
#include <culprit_port.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FRAMES = 1024 };

int program_main(int argc, char** argv);
void program_exit(int code);

struct culprit_state {
  int imported;
};
struct culprit_session {
  uint32_t width, height;
  int uses_difference;
  char folder[64]; /* of the three files, made with the first frame */
  FILE* frames[2];
  double scores[MOST_FRAMES];
  uint32_t score_count;
};

static int Refuse(culprit_status* status, int error, int domain, const char* message) {
  status->error = error;
  status->domain = domain;
  snprintf(status->message, sizeof(status->message), "%s", message);
  return error;
}

/* ---- A run of the program ---- */

static _Thread_local jmp_buf end_of_program;
static _Thread_local int exit_code;

/* What the program's exit() is here: leaves main from wherever it is. */
void program_exit(int code) {
  exit_code = code;
  longjmp(end_of_program, 1);
}

struct run {
  char** arguments;
  int count;
  int code;
};

static void* RunProgram(void* argument) {
  struct run* run = argument;
  if (setjmp(end_of_program) == 0) {
    exit_code = program_main(run->count, run->arguments);
  }
  run->code = exit_code;
  return NULL;
}

/* The exit code, or a negative errno. Both outputs of the program go into `output`. */
static int Run(char** arguments, int count, FILE* output) {
  struct run run = {arguments, count, 0};
  pthread_t thread;
  fflush(stdout);
  fflush(stderr);
  const int kept[2] = {dup(STDOUT_FILENO), dup(STDERR_FILENO)};
  dup2(fileno(output), STDOUT_FILENO);
  dup2(fileno(output), STDERR_FILENO);
  const int started = pthread_create(&thread, NULL, RunProgram, &run);
  if (started == 0) pthread_join(thread, NULL);
  fflush(stdout);
  fflush(stderr);
  for (int i = 0; i < 2; ++i) {
    dup2(kept[i], STDOUT_FILENO + i);
    close(kept[i]);
  }
  return started != 0 ? -started : run.code;
}

/* ---- The life cycle ---- */

static int StateInit(void* context, culprit_state** state, culprit_status* status) {
  (void)context; /* the program makes its own; without CULPRIT_CAN_FOREIGN_CONTEXT none is given */
  culprit_state* made = calloc(1, sizeof(*made));
  if (made == NULL) return Refuse(status, -ENOMEM, CULPRIT_DOMAIN_HOST, "no memory");
  *state = made;
  return 0;
}

static int StateFree(culprit_state** state, culprit_status* status) {
  (void)status;
  free(*state);
  *state = NULL;
  return 0;
}

static int Open(const culprit_config* config, culprit_session** session, culprit_status* status) {
  if (config->bits != 8) return Refuse(status, -EINVAL, CULPRIT_DOMAIN_EXTRACTOR, "samples have 8 bits");
  culprit_session* made = calloc(1, sizeof(*made));
  if (made == NULL) return Refuse(status, -ENOMEM, CULPRIT_DOMAIN_HOST, "no memory");
  made->width = config->width;
  made->height = config->height;
  *session = made;
  return 0;
}

static int UseExtractor(culprit_session* session, const char* name, const culprit_option* options, uint32_t option_count,
                        culprit_status* status) {
  (void)options;
  if (strcmp(name, "difference") != 0 || option_count != 0) {
    return Refuse(status, -EINVAL, CULPRIT_DOMAIN_EXTRACTOR, "the only extractor is difference, without options");
  }
  session->uses_difference = 1;
  return 0;
}

static int ImportState(culprit_session* session, culprit_state* state, culprit_status* status) {
  (void)session;
  if (state->imported) return Refuse(status, -EINVAL, CULPRIT_DOMAIN_EXTRACTOR, "a state is imported once");
  state->imported = 1;
  return 0;
}

static const char* const kFiles[3] = {"reference", "distorted", "output"};

static void PathOf(const culprit_session* session, int file, char path[96]) {
  snprintf(path, 96, "%s/%s", session->folder, kFiles[file]);
}

static int MakeFiles(culprit_session* session) {
  const char* temporary = getenv("TMPDIR");
  snprintf(session->folder, sizeof(session->folder), "%s/culprit_XXXXXX", temporary != NULL ? temporary : "/tmp");
  if (mkdtemp(session->folder) == NULL) {
    session->folder[0] = '\0';
    return -1;
  }
  for (int i = 0; i < 2; ++i) {
    char path[96];
    PathOf(session, i, path);
    session->frames[i] = fopen(path, "wb");
    if (session->frames[i] == NULL) return -1;
  }
  return 0;
}

static int Submit(culprit_session* session, const culprit_frame* reference, const culprit_frame* distorted, uint32_t index,
                  culprit_status* status) {
  (void)index; /* frames come in order */
  if (session->folder[0] == '\0' && MakeFiles(session) != 0) {
    return Refuse(status, -EIO, CULPRIT_DOMAIN_HOST, "the files cannot be made");
  }
  const culprit_frame* frames[2] = {reference, distorted};
  for (int i = 0; i < 2; ++i) {
    for (uint32_t y = 0; y < session->height; ++y) {
      const char* row = (const char*)frames[i]->data[0] + y * frames[i]->stride[0];
      if (fwrite(row, 1, session->width, session->frames[i]) != session->width) {
        return Refuse(status, -EIO, CULPRIT_DOMAIN_HOST, "a frame cannot be written");
      }
    }
  }
  return 0;
}

/* Scores, and the first failure as the program words it. */
static void ReadOutput(culprit_session* session, FILE* output, culprit_status* status) {
  char line[256];
  while (fgets(line, sizeof(line), output) != NULL) {
    unsigned frame = 0;
    double score = 0;
    int result = 0;
    char entry[64];
    if (sscanf(line, "frame %u difference %lf", &frame, &score) == 2 && frame < MOST_FRAMES) {
      session->scores[frame] = score;
      if (frame >= session->score_count) session->score_count = frame + 1;
    } else if (sscanf(line, "frame_difference: %63s failed with %d", entry, &result) == 2) {
      Refuse(status, -EIO, CULPRIT_DOMAIN_DRIVER, line);
      status->cu_result = result;
      memcpy(status->entry, entry, sizeof(entry));
    }
  }
}

static int Flush(culprit_session* session, culprit_status* status) {
  char width[16], height[16], paths[3][96];
  for (int i = 0; i < 3; ++i) PathOf(session, i, paths[i]);
  for (int i = 0; i < 2; ++i) {
    if (session->frames[i] == NULL || fflush(session->frames[i]) != 0) {
      return Refuse(status, -EIO, CULPRIT_DOMAIN_HOST, "there are no frames");
    }
  }
  FILE* output = fopen(paths[2], "w+");
  if (output == NULL) return Refuse(status, -EIO, CULPRIT_DOMAIN_HOST, "there is no file for the output");
  snprintf(width, sizeof(width), "%u", session->width);
  snprintf(height, sizeof(height), "%u", session->height);
  char* arguments[] = {"frame_difference", width, height, paths[0], paths[1], NULL};
  const int code = Run(arguments, 5, output);
  rewind(output);
  ReadOutput(session, output, status);
  fclose(output);
  if (code != 0 && status->error == 0) Refuse(status, -EIO, CULPRIT_DOMAIN_EXTRACTOR, "the program failed and did not say why");
  if (code == 0) status->error = 0; /* it said something and went on */
  return status->error;
}

static const char* ScoreKey(culprit_session* session, uint32_t i) {
  return i == 0 && session->uses_difference && session->score_count != 0 ? "difference" : NULL;
}

static int Score(culprit_session* session, const char* key, uint32_t index, double* value, culprit_status* status) {
  if (strcmp(key, "difference") != 0 || index >= session->score_count) {
    return Refuse(status, -EINVAL, CULPRIT_DOMAIN_EXTRACTOR, "no such score");
  }
  *value = session->scores[index];
  return 0;
}

static int Close(culprit_session** session, culprit_status* status) {
  (void)status;
  culprit_session* held = *session;
  for (int i = 0; i < 3 && held->folder[0] != '\0'; ++i) {
    char path[96];
    PathOf(held, i, path);
    if (i < 2 && held->frames[i] != NULL) fclose(held->frames[i]);
    unlink(path);
  }
  if (held->folder[0] != '\0') rmdir(held->folder);
  free(held);
  *session = NULL;
  return 0;
}

static const culprit_lifetime kLifetimes[] = {
    {"best_effort_rollback", "flush", "what the program could not release in two attempts ends with its process"}};
static const char* const kKeys[] = {"difference", NULL};
static const culprit_extractor_info kExtractors[] = {{"difference", "cuda", kKeys}};

__attribute__((visibility("default"))) const culprit_port* culprit_port_entry(void) {
  static const culprit_port port = {
      .size = sizeof(culprit_port),
      .abi = CULPRIT_PORT_ABI,
      .name = "frame_difference",
      .version = "1",
      .abilities = CULPRIT_CAN_RETRY_CLOSE, /* a close has no driver calls that could fail */
      .extractors = kExtractors,
      .extractor_count = 1,
      .lifetimes = kLifetimes,
      .lifetime_count = 1,
      .state_init = StateInit,
      .open = Open,
      .use_extractor = UseExtractor,
      .import_state = ImportState,
      .submit = Submit,
      .flush = Flush,
      .score_key = ScoreKey,
      .score = Score,
      .close = Close,
      .state_free = StateFree,
  };
  return &port;
}
