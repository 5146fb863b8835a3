// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/machine/findings.h"

#include <array>
#include <bit>
#include <string>
#include <utility>

#include "fakedriver/exec/machine/block.h"
#include "fakedriver/exec/machine/grid.h"
#include "fakedriver/exec/machine/scheduling.h"
#include "fakedriver/exec/reader/module_text.h"

namespace culprit::exec {

namespace {

std::array<uint32_t, 3> IndexOf(uint64_t number, const Dim3& extent) {
  return {static_cast<uint32_t>(number % extent.x),
          static_cast<uint32_t>(number / extent.x % extent.y),
          static_cast<uint32_t>(number / extent.x / extent.y)};
}

}  // namespace

void Findings::Report(uint64_t block, DeviceFault fault) {
  std::lock_guard lock(mutex_);
  if (fault_ && fault_block_ <= block) return;
  fault_ = std::move(fault);
  fault_block_ = block;
}

void Findings::Report(uint64_t block, const Instruction* at, MemoryFinding finding) {
  std::lock_guard lock(mutex_);
  auto key = std::make_tuple(finding.kind, at);
  auto it = entries_.find(key);
  if (it == entries_.end()) {
    if (entries_.size() < kept_) entries_.emplace(key, Entry{block, std::move(finding)});
    return;
  }
  uint64_t count = it->second.finding.count + 1;
  if (block < it->second.block) it->second = {block, std::move(finding)};
  it->second.finding.count = count;
}

bool Findings::faulted() const {
  std::lock_guard lock(mutex_);
  return fault_.has_value();
}

void Findings::MoveTo(LaunchResult& result) {
  std::lock_guard lock(mutex_);
  result.fault = std::move(fault_);
  for (auto& [key, entry] : entries_) result.findings.push_back(std::move(entry.finding));
}

CodeLocation Locate(const Warp& w, const Instruction* i) {
  const LaunchState& launch = w.block->launch;
  return LocateIn(launch, w.frame == nullptr ? *launch.code.entry : *w.frame->code, i);
}

CodeLocation LocateIn(const LaunchState& launch, const FunctionCode& code, const Instruction* i) {
  const ModuleText& module = *launch.code.module;
  CodeLocation where;
  where.kernel = launch.code.entry->text->name;
  where.function = code.text->name;
  if (i == nullptr || i->text >= code.text->instruction_count) {
    where.ptx_line = code.text->line;
    return where;
  }
  const InstructionText& text = module.instructions[code.text->first_instruction + i->text];
  where.ptx_line = text.line;
  where.instruction = text.name;
  const SourceLine& source = module.source_lines[text.source_line];
  if (source.line != 0 && source.file < module.files.size()) {
    where.source_file = module.files[source.file];
    where.source_line = source.line;
  }
  return where;
}

ThreadPosition PositionOf(const Warp& w, uint32_t lane) {
  return PositionOf(w.block->launch, w.block->number, w.index * kLanes + lane);
}

ThreadPosition PositionOf(const LaunchState& launch, uint64_t block, uint32_t thread) {
  const Dim3& threads = launch.config.block;
  return {.block = IndexOf(block, launch.config.grid), .thread = IndexOf(thread, threads)};
}

const Instruction* Fault(Warp& w, const Instruction* i, FaultKind kind, uint32_t lane,
                         std::string message, uint64_t address, uint32_t bytes, bool store) {
  DeviceFault fault;
  fault.kind = kind;
  fault.where = Locate(w, i);
  fault.who = PositionOf(w, lane);
  fault.address = address;
  fault.access_bytes = bytes;
  fault.is_store = store;
  fault.message = std::move(message);
  LaunchState& launch = w.block->launch;
  launch.findings.Report(w.block->number, std::move(fault));
  uint64_t faulted = launch.faulted_block.load(std::memory_order_relaxed);
  while (w.block->number < faulted && !launch.faulted_block.compare_exchange_weak(
                                          faulted, w.block->number, std::memory_order_relaxed)) {
  }
  return Leave(w, WarpEvent::kStopped, i);
}

}  // namespace culprit::exec
