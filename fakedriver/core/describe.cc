// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/describe.h"

namespace culprit::fakedriver {
namespace {

std::string Call(const CallRecord& call) {
  if (call.sequence == 0) return "the harness";
  std::string text = "call " + std::to_string(call.sequence) + " (" + Info(call.entry).symbol + ")";
  if (call.thread > 1) text += " on thread " + std::to_string(call.thread);
  return text;
}

}  // namespace

std::string Describe(const ObjectRecord& record) {
  std::string text = std::string(KindName(record.kind)) + " #" + std::to_string(record.serial);
  if (record.created.sequence != 0 || record.harness)
    text += ", created by " + Call(record.created);
  if (record.context != 0) text += ", context #" + std::to_string(record.context);
  if (record.destroyed.sequence != 0) {
    text += record.died_with_context ? ", gone with its context in " : ", destroyed by ";
    text += Call(record.destroyed);
  }
  return text;
}

}  // namespace culprit::fakedriver
