// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/machine/external_functions.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string>

#include "fakedriver/exec/machine/findings.h"
#include "fakedriver/exec/machine/grid.h"
#include "fakedriver/exec/machine/memory.h"
#include "fakedriver/exec/machine/places.h"

namespace culprit::exec {
namespace {

constexpr size_t kLongestText = 8192;

const CallInfo& CallOf(const Warp& w, const Instruction* i) {
  return w.frame->code->calls[i->extra];
}

uint64_t Argument(const Warp& w, const CallInfo& call, size_t n, uint32_t lane) {
  uint64_t value = 0;
  if (n < call.arguments.size() && !call.arguments[n].in_register) {
    ReadLocal(w, w.frame->local_base + call.arguments[n].offset, lane, &value,
              std::min(8u, call.arguments[n].size));
  }
  return value;
}

void SetResult(Warp& w, const CallInfo& call, uint32_t lane, uint64_t value) {
  if (call.results.empty() || call.results[0].in_register) return;
  WriteLocal(w, w.frame->local_base + call.results[0].offset, lane, &value,
             std::min(8u, call.results[0].size));
}

bool ReadText(Warp& w, const Instruction* i, uint32_t lane, uint64_t address, std::string* text) {
  for (size_t n = 0; n < kLongestText; ++n) {
    std::byte c;
    if (!ReadByte(w, i, lane, address + n, &c)) return false;
    if (c == std::byte{0}) break;
    text->push_back(static_cast<char>(c));
  }
  return true;
}

bool ReadValue(Warp& w, const Instruction* i, uint32_t lane, uint64_t* at, uint32_t bytes,
               uint64_t* value) {
  *at = (*at + bytes - 1) / bytes * bytes;
  *value = 0;
  for (uint32_t n = 0; n < bytes; ++n) {
    std::byte b;
    if (!ReadByte(w, i, lane, *at + n, &b)) return false;
    *value |= static_cast<uint64_t>(b) << (8 * n);
  }
  *at += bytes;
  return true;
}

// Formats as C does, taking each value from the argument buffer at its natural alignment. Device
// printf promotes floats to double and small integers to int, like C.
bool Format(Warp& w, const Instruction* i, uint32_t lane, const std::string& format,
            uint64_t arguments, std::string* text) {
  for (size_t n = 0; n < format.size();) {
    if (format[n] != '%') {
      text->push_back(format[n++]);
      continue;
    }
    size_t start = n++;
    std::string spec = "%";
    auto copy_number = [&] {
      if (n < format.size() && format[n] == '*') {
        uint64_t value;
        ++n;
        if (!ReadValue(w, i, lane, &arguments, 4, &value)) return false;
        spec += std::to_string(std::clamp(static_cast<int32_t>(value), -1024, 1024));
        return true;
      }
      int number = 0;
      bool any = false;
      while (n < format.size() && format[n] >= '0' && format[n] <= '9') {
        number = std::min(1024, number * 10 + (format[n++] - '0'));
        any = true;
      }
      if (any) spec += std::to_string(number);
      return true;
    };
    while (n < format.size() && std::strchr("-+ #0", format[n]) != nullptr) spec += format[n++];
    if (!copy_number()) return false;
    if (n < format.size() && format[n] == '.') {
      spec += format[n++];
      if (!copy_number()) return false;
    }
    uint32_t longs = 0;
    while (n < format.size() && std::strchr("hlLqjzt", format[n]) != nullptr) {
      longs += format[n] != 'h' ? 1 : 0;
      ++n;
    }
    if (n >= format.size()) {
      text->append(format, start, std::string::npos);
      break;
    }
    char conversion = format[n++];
    char buffer[2100];
    uint64_t value = 0;
    int length = 0;
    switch (conversion) {
      case 'd':
      case 'i':
      case 'u':
      case 'x':
      case 'X':
      case 'o':
        if (!ReadValue(w, i, lane, &arguments, longs > 0 ? 8 : 4, &value)) return false;
        if (longs == 0 && (conversion == 'd' || conversion == 'i')) {
          value = static_cast<uint64_t>(int64_t{static_cast<int32_t>(value)});
        }
        spec += "ll";
        length = std::snprintf(buffer, sizeof buffer, (spec + conversion).c_str(),
                               static_cast<long long>(value));
        break;
      case 'c':
        if (!ReadValue(w, i, lane, &arguments, 4, &value)) return false;
        length = std::snprintf(buffer, sizeof buffer, (spec + conversion).c_str(),
                               static_cast<int>(value));
        break;
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        if (!ReadValue(w, i, lane, &arguments, 8, &value)) return false;
        length = std::snprintf(buffer, sizeof buffer, (spec + conversion).c_str(),
                               std::bit_cast<double>(value));
        break;
      case 'p':
        if (!ReadValue(w, i, lane, &arguments, 8, &value)) return false;
        length =
            std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(value));
        break;
      case 's': {
        std::string piece;
        if (!ReadValue(w, i, lane, &arguments, 8, &value) || !ReadText(w, i, lane, value, &piece))
          return false;
        std::string formatted(piece.size() + 1100, '\0');
        length = std::snprintf(formatted.data(), formatted.size(), (spec + conversion).c_str(),
                               piece.c_str());
        formatted.resize(static_cast<size_t>(std::max(0, length)));
        *text += formatted;
        continue;
      }
      case '%':
        text->push_back('%');
        continue;
      default:
        text->append(format, start, n - start);
        continue;
    }
    text->append(buffer,
                 std::min<size_t>(static_cast<size_t>(std::max(0, length)), sizeof buffer - 1));
  }
  return true;
}

const Instruction* Vprintf(Warp& w, const Instruction* i) {
  const CallInfo& call = CallOf(w, i);
  bool ok = true;
  ForEachLane(w.mask, [&](uint32_t lane) {
    if (!ok) return;
    std::string format;
    std::string text;
    ok = ReadText(w, i, lane, Argument(w, call, 0, lane), &format) &&
         Format(w, i, lane, format, Argument(w, call, 1, lane), &text);
    if (!ok) return;
    LaunchState& launch = w.block->launch;
    if (launch.environment.print) {
      std::lock_guard lock(launch.print_mutex);
      launch.environment.print(text);
    }
    SetResult(w, call, lane, text.size());
  });
  return ok ? i + 1 : nullptr;
}

const Instruction* Malloc(Warp& w, const Instruction* i) {
  const CallInfo& call = CallOf(w, i);
  ForEachLane(w.mask, [&](uint32_t lane) {
    SetResult(w, call, lane,
              w.block->launch.environment.memory.HeapAllocate(Argument(w, call, 0, lane)));
  });
  return i + 1;
}

const Instruction* Free(Warp& w, const Instruction* i) {
  const CallInfo& call = CallOf(w, i);
  ForEachLane(w.mask, [&](uint32_t lane) {
    uint64_t address = Argument(w, call, 0, lane);
    if (address == 0 || w.block->launch.environment.memory.HeapFree(address)) return;
    MemoryFinding finding;
    finding.kind = FindingKind::kInvalidFree;
    finding.where = Locate(w, i);
    finding.who = PositionOf(w, lane);
    finding.address = address;
    w.block->launch.findings.Report(w.block->number, i, std::move(finding));
  });
  w.worker->ranges.clear();
  std::fill(w.worker->hints.begin(), w.worker->hints.end(), RangeHint{});
  return i + 1;
}

// __assertfail(message, file, line, function, character size): prints for each lane, then the
// context is lost.
const Instruction* AssertFail(Warp& w, const Instruction* i) {
  const CallInfo& call = CallOf(w, i);
  bool ok = true;
  std::string first;
  ForEachLane(w.mask, [&](uint32_t lane) {
    if (!ok) return;
    std::string message;
    std::string file;
    std::string function;
    ok = ReadText(w, i, lane, Argument(w, call, 0, lane), &message) &&
         ReadText(w, i, lane, Argument(w, call, 1, lane), &file) &&
         ReadText(w, i, lane, Argument(w, call, 3, lane), &function);
    if (!ok) return;
    ThreadPosition who = PositionOf(w, lane);
    auto triple = [](const std::array<uint32_t, 3>& p) {
      return "[" + std::to_string(p[0]) + "," + std::to_string(p[1]) + "," + std::to_string(p[2]) +
             "]";
    };
    std::string text = file + ":" +
                       std::to_string(static_cast<uint32_t>(Argument(w, call, 2, lane))) + ": " +
                       function + ": block: " + triple(who.block) +
                       ", thread: " + triple(who.thread) + " Assertion `" + message + "` failed.\n";
    if (first.empty()) first = text.substr(0, text.size() - 1);
    LaunchState& launch = w.block->launch;
    if (launch.environment.print) {
      std::lock_guard lock(launch.print_mutex);
      launch.environment.print(text);
    }
  });
  if (!ok) return nullptr;
  return Fault(w, i, FaultKind::kAssert, FirstLane(w.mask), first);
}

}  // namespace

Handler ExternalFunction(std::string_view name) {
  if (name == "vprintf") return Vprintf;
  if (name == "malloc") return Malloc;
  if (name == "free") return Free;
  if (name == "__assertfail" || name == "__assert_fail") return AssertFail;
  return nullptr;
}

}  // namespace culprit::exec
