// SPDX-License-Identifier: Apache-2.0
//
// A port in C++: one extractor, "difference", whose kernel adds up how far the luma samples of two 8-bit frames lie apart.
// The C example next door is smaller; this one has a module, pinned memory, a kernel, and owners of its own for what can
// fail to be released.
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "device.h"

namespace {

constexpr unsigned kThreads = 128;
// samples: one picture, then the other, `count` bytes each.
constexpr const char* kPtx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry add_differences(.param .u64 samples, .param .u32 count, .param .u64 sum) {
  .reg .pred %past;
  .reg .b32 %r<8>;
  .reg .b64 %a<6>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  ld.param.u32 %r4, [count];
  setp.ge.u32 %past, %r3, %r4;
  @%past ret;
  ld.param.u64 %a0, [samples];
  cvt.u64.u32 %a1, %r3;
  add.u64 %a2, %a0, %a1;
  ld.global.u8 %r5, [%a2];
  cvt.u64.u32 %a3, %r4;
  add.u64 %a4, %a2, %a3;
  ld.global.u8 %r6, [%a4];
  sub.s32 %r7, %r5, %r6;
  abs.s32 %r7, %r7;
  ld.param.u64 %a5, [sum];
  red.global.add.u32 [%a5], %r7;
  ret;
}
)";

}  // namespace

struct culprit_state {
  std::unique_ptr<Device> device;  // null once a session took it over
};

struct culprit_session {
  uint32_t width = 0;
  uint32_t height = 0;
  bool uses_difference = false;
  std::unique_ptr<Device> device;
  Owned<CUmodule> module;
  CUfunction kernel = nullptr;
  Owned<CUdeviceptr> samples;
  Owned<CUdeviceptr> sum;
  Owned<void*> staging;  // both pictures, then the sum
  std::vector<double> scores;

  uint32_t count() const { return width * height; }
  void Prepare(Errors& errors);
  void Run(const culprit_frame& reference, const culprit_frame& distorted, uint32_t index, Errors& errors);
  void Close(Errors& errors);
};

// What is missing; after a failure the rest stays missing, and what was made waits for Close.
void culprit_session::Prepare(Errors& errors) {
  if (errors.none() && !module.open()) errors.Check(cu.cuModuleLoadData(module.out(), kPtx), "cuModuleLoadData");
  if (errors.none() && kernel == nullptr) {
    errors.Check(cu.cuModuleGetFunction(&kernel, module.get(), "add_differences"), "cuModuleGetFunction");
  }
  if (errors.none() && !samples.open()) errors.Check(cu.cuMemAlloc_v2(samples.out(), 2 * count()), "cuMemAlloc_v2");
  if (errors.none() && !sum.open()) errors.Check(cu.cuMemAlloc_v2(sum.out(), sizeof(uint32_t)), "cuMemAlloc_v2");
  if (errors.none() && !staging.open()) {
    errors.Check(cu.cuMemHostAlloc(staging.out(), 2 * count() + sizeof(uint32_t), 0), "cuMemHostAlloc");
  }
}

void culprit_session::Run(const culprit_frame& reference, const culprit_frame& distorted, uint32_t index, Errors& errors) {
  auto* const sent = static_cast<uint8_t*>(staging.get());
  uint8_t* row = sent;
  for (const culprit_frame* frame : {&reference, &distorted}) {
    for (uint32_t y = 0; y < height; ++y, row += width) {
      std::memcpy(row, static_cast<const uint8_t*>(frame->data[0]) + y * frame->stride[0], width);
    }
  }
  CUstream stream = device->stream();
  CUdeviceptr of = samples.get(), into = sum.get();
  uint32_t number = count();
  void* parameters[] = {&of, &number, &into};
  device->WorkWasQueued();
  if (errors.Check(cu.cuMemcpyHtoDAsync_v2(of, sent, 2 * number, stream), "cuMemcpyHtoDAsync_v2") &&
      errors.Check(cu.cuMemsetD8Async(into, 0, sizeof(uint32_t), stream), "cuMemsetD8Async") &&
      errors.Check(cu.cuLaunchKernel(kernel, (number + kThreads - 1) / kThreads, 1, 1, kThreads, 1, 1, 0, stream, parameters,
                                     nullptr),
                   "cuLaunchKernel")) {
    errors.Check(cu.cuMemcpyDtoHAsync_v2(row, into, sizeof(uint32_t), stream), "cuMemcpyDtoHAsync_v2");
  }
  // Also after a failure: what was queued reads the staging memory.
  if (!device->Quiesce(errors) || !errors.none()) return;
  uint32_t total = 0;
  std::memcpy(&total, row, sizeof(total));
  if (index >= scores.size()) scores.resize(index + 1);
  scores[index] = static_cast<double>(total) / number;
}

void culprit_session::Close(Errors& errors) {
  if (device == nullptr) return;
  if (module.open() || samples.open() || sum.open() || staging.open()) {
    const Inside inside(device->context(), errors);
    if (!inside || !device->Quiesce(errors)) return;
    staging.Close(cu.cuMemFreeHost, "cuMemFreeHost", errors);
    sum.Close(cu.cuMemFree_v2, "cuMemFree_v2", errors);
    samples.Close(cu.cuMemFree_v2, "cuMemFree_v2", errors);
    module.Close(cu.cuModuleUnload, "cuModuleUnload", errors);
  }
  if (!module.open() && !samples.open() && !sum.open() && !staging.open()) device->Close(errors);
}

namespace {

int StateInit(void* context, culprit_state** state, culprit_status* status) {
  Errors errors(status);
  if (!LoadDriver(errors)) return errors.error();
  auto device = std::make_unique<Device>();
  device->Open(context, errors);
  if (errors.none()) {
    *state = new culprit_state{std::move(device)};
  } else {
    device->Close(errors);  // best effort: nobody could try again
  }
  return errors.error();
}

int StateFree(culprit_state** state, culprit_status* status) {
  Errors errors(status);
  if ((*state)->device != nullptr) (*state)->device->Close(errors);
  if (!errors.none()) return errors.error();
  delete *state;
  *state = nullptr;
  return 0;
}

int Open(const culprit_config* config, culprit_session** session, culprit_status* status) {
  if (config->bits != 8) return Errors(status).Refuse(-EINVAL, CULPRIT_DOMAIN_EXTRACTOR, "samples have 8 bits");
  *session = new culprit_session;
  (*session)->width = config->width;
  (*session)->height = config->height;
  return 0;
}

int UseExtractor(culprit_session* session, const char* name, const culprit_option*, uint32_t option_count,
                 culprit_status* status) {
  if (std::string_view(name) != "difference" || option_count != 0) {
    return Errors(status).Refuse(-EINVAL, CULPRIT_DOMAIN_EXTRACTOR, "the only extractor is difference, without options");
  }
  session->uses_difference = true;
  return 0;
}

int ImportState(culprit_session* session, culprit_state* state, culprit_status* status) {
  if (session->device != nullptr || state->device == nullptr) {
    return Errors(status).Refuse(-EINVAL, CULPRIT_DOMAIN_EXTRACTOR, "a state is imported once");
  }
  session->device = std::move(state->device);
  return 0;
}

int Submit(culprit_session* session, const culprit_frame* reference, const culprit_frame* distorted, uint32_t index,
           culprit_status* status) {
  Errors errors(status);
  const Inside inside(session->device->context(), errors);
  session->Prepare(errors);
  if (errors.none()) session->Run(*reference, *distorted, index, errors);
  return errors.error();
}

int Flush(culprit_session*, culprit_status*) { return 0; }  // every submit has waited

const char* ScoreKey(culprit_session* session, uint32_t i) {
  return i == 0 && session->uses_difference && !session->scores.empty() ? "difference" : nullptr;
}

int Score(culprit_session* session, const char*, uint32_t index, double* value, culprit_status* status) {
  if (index >= session->scores.size()) return Errors(status).Refuse(-EINVAL, CULPRIT_DOMAIN_EXTRACTOR, "no such score");
  *value = session->scores[index];
  return 0;
}

int Close(culprit_session** session, culprit_status* status) {
  Errors errors(status);
  (*session)->Close(errors);
  if (!errors.none()) return errors.error();
  delete *session;
  *session = nullptr;
  return 0;
}

constexpr culprit_lifetime kLifetimes[] = {
    {"best_effort_rollback", "state_init", "a state that was never handed out cannot be released a second time"}};
constexpr const char* kKeys[] = {"difference", nullptr};
constexpr culprit_extractor_info kExtractors[] = {{"difference", "cuda", kKeys}};

culprit_port MakePort() {
  culprit_port port{};
  port.size = sizeof(port);
  port.abi = CULPRIT_PORT_ABI;
  port.name = "difference in C++";
  port.version = "1";
  port.abilities = CULPRIT_CAN_RETRY_CLOSE | CULPRIT_CAN_FOREIGN_CONTEXT;
  port.extractors = kExtractors;
  port.extractor_count = 1;
  port.lifetimes = kLifetimes;
  port.lifetime_count = 1;
  port.state_init = StateInit;
  port.open = Open;
  port.use_extractor = UseExtractor;
  port.import_state = ImportState;
  port.submit = Submit;
  port.flush = Flush;
  port.score_key = ScoreKey;
  port.score = Score;
  port.close = Close;
  port.state_free = StateFree;
  return port;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const culprit_port* culprit_port_entry() {
  static const culprit_port port = MakePort();
  return &port;
}
