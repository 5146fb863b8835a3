// SPDX-License-Identifier: Apache-2.0
#include "reference_impl/callers/pipeline.h"

namespace culprit::reference {

class Pipeline::Frames final : public FramesContext {
 public:
  Frames(Pipeline& pipeline, std::shared_ptr<Context> context)
      : pipeline_(pipeline), context_(std::move(context)) {}
  ~Frames() override { pipeline_.left_.push_back(std::move(context_)); }

  void* context() const override { return context_->handle(); }

 private:
  Pipeline& pipeline_;
  std::shared_ptr<Context> context_;
};

Status Pipeline::OpenFrames(std::shared_ptr<const FramesContext>* frames) {
  std::shared_ptr<const Driver> driver;
  Status loaded = Driver::Load(&driver);
  if (!loaded.ok()) return loaded;
  std::shared_ptr<Context> context;
  Status retained = Context::Retain(driver, &context);
  if (!retained.ok()) return retained;
  *frames = std::make_shared<Frames>(*this, std::move(context));
  return Status();
}

Status Pipeline::GiveBackLeft() {
  FirstError first;
  std::erase_if(left_, [&](const auto& context) { return first.Note(context->Release()); });
  return first.Take();
}

}  // namespace culprit::reference
