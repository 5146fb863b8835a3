// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/core/device.h"

#include <cstdio>

#include "fakedriver/core/calling_thread.h"

namespace culprit::fakedriver {

Device::Device(int ordinal, const DeviceDescription& description)
    : ordinal_(ordinal), description_(description), primary_(Make<Context>(*this, true, 0u)) {}

std::array<uint8_t, 16> Device::uuid() const {
  // Plainly not a real one, and different for each device.
  std::array<uint8_t, 16> uuid = {'c', 'u', 'l', 'p', 'r', 'i', 't', 0,
                                  'f', 'a', 'k', 'e', 0,   0,   0,   0};
  uuid.back() = static_cast<uint8_t>(ordinal_);
  return uuid;
}

std::string Device::pci_bus_id() const {
  int domain = 0;
  int bus = 0;
  int device = 0;
  Attribute(CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, &domain);
  Attribute(CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, &bus);
  Attribute(CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, &device);
  char text[32];
  std::snprintf(text, sizeof text, "%04X:%02X:%02X.0", static_cast<unsigned>(domain),
                static_cast<unsigned>(bus), static_cast<unsigned>(device));
  return text;
}

bool Device::Attribute(int attribute, int* value) const {
  const auto found = description_.attributes.find(attribute);
  if (found == description_.attributes.end()) return false;
  *value = found->second;
  if (attribute == CU_DEVICE_ATTRIBUTE_PCI_BUS_ID) *value += ordinal_;
  return true;
}

uint32_t Device::retains() const {
  std::lock_guard lock(mutex_);
  return static_cast<uint32_t>(retains_.size());
}

std::vector<ObjectRecord> Device::OutstandingRetains() const {
  std::lock_guard lock(mutex_);
  return retains_;
}

void Device::Retain() {
  ObjectRecord retain;
  retain.kind = ObjectKind::kPrimaryRetain;
  retain.created = RecordOfCall();
  retain.context = primary_->serial();
  const CallInProgress* call = CurrentCall();
  retain.harness = call != nullptr && call->harness;
  std::lock_guard lock(mutex_);
  retain.serial = ++retained_;
  retain.handle = primary_->handle();
  if (!primary_->alive()) primary_->Activate(primary_flags_);
  retains_.push_back(retain);
}

bool Device::Release(std::vector<ObjectRecord>* reclaimed) {
  const CallInProgress* call = CurrentCall();
  const bool harness = call != nullptr && call->harness;
  std::lock_guard lock(mutex_);
  if (retains_.empty()) {
    if (ambiguous_releases_ == 0) return false;
    --ambiguous_releases_;
    last_release_ = call == nullptr ? 0 : call->sequence;
    return true;
  }
  // The harness gives back its own retain, and the subject its own, newest first, as long as there
  // is one.
  auto mine = retains_.rbegin();
  while (mine != retains_.rend() && mine->harness != harness) ++mine;
  if (mine == retains_.rend()) {
    if (!harness && ambiguous_releases_ > 0) {
      --ambiguous_releases_;
      last_release_ = call == nullptr ? 0 : call->sequence;
      return true;
    }
    mine = retains_.rbegin();
  }
  retains_.erase(std::next(mine).base());
  last_release_ = call == nullptr ? 0 : call->sequence;
  if (retains_.empty()) EndPrimary(reclaimed);
  return true;
}

void Device::ResetPrimary(std::vector<ObjectRecord>* reclaimed) {
  std::lock_guard lock(mutex_);
  EndPrimary(reclaimed);
}

// As recorded, its flags go with it.
void Device::EndPrimary(std::vector<ObjectRecord>* reclaimed) {
  if (primary_->Destroy(reclaimed)) primary_flags_ = 0;
}

void Device::SetPrimaryFlags(unsigned flags) {
  std::lock_guard lock(mutex_);
  primary_flags_ = flags;
  if (primary_->alive()) primary_->set_flags(flags | CU_CTX_MAP_HOST);
}

unsigned Device::primary_flags() const {
  std::lock_guard lock(mutex_);
  return primary_flags_;
}

void Device::OrphanRetain(uint64_t call) {
  std::lock_guard lock(mutex_);
  for (ObjectRecord& retain : retains_) {
    if (retain.created.sequence == call) retain.orphaned = true;
  }
}

void Device::AllowOneMoreRelease(uint64_t call) {
  std::lock_guard lock(mutex_);
  if (last_release_ == call) ++ambiguous_releases_;
}

}  // namespace culprit::fakedriver
