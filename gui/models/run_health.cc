// SPDX-License-Identifier: Apache-2.0
#include "gui/models/run_health.h"

#include "evaluator/engine/intervention.h"

namespace hloscope::gui {
namespace {

class HealthObserver final : public evaluator::ExecutionObserver {
 public:
  explicit HealthObserver(std::vector<evaluator::NonFinite>& health) : health_(health) {}
  void OnOpen(absl::Span<const evaluator::Frame>, absl::Span<const evaluator::Value>) override {}
  bool OnComplete(absl::Span<const evaluator::Frame>, InstructionId id, const evaluator::Value& value) override {
    evaluator::NonFinite& known = health_[id.index()];
    if (known.nan && known.infinity) return false;
    const evaluator::NonFinite found = evaluator::FindNonFinite(value);
    known.nan |= found.nan;
    known.infinity |= found.infinity;
    return false;
  }

 private:
  std::vector<evaluator::NonFinite>& health_;
};

}  // namespace

absl::StatusOr<std::vector<evaluator::NonFinite>> HealthOfRun(evaluator::Debugger& debugger) {
  std::vector<evaluator::NonFinite> health(debugger.module().instruction_count());
  // The devices take turns: one observer sees what each executes.
  HealthObserver observer(health);
  const absl::Status status =
      debugger.timeline().Repeat([&](int64_t) -> evaluator::ExecutionObserver* { return &observer; });
  if (!status.ok()) return status;
  return health;
}

}  // namespace hloscope::gui
