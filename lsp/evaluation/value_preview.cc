// SPDX-License-Identifier: Apache-2.0
#include "lsp/evaluation/value_preview.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/communication/communication_plan.h"
#include "core/diagnostics/count_text.h"
#include "core/print/literal_printer.h"
#include "evaluator/engine/elided_constants.h"
#include "evaluator/engine/run_progress.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/npy.h"
#include "lsp/features/cursor.h"
#include "lsp/features/markdown.h"

namespace hloscope::lsp {
namespace {

constexpr size_t kMaxLeaves = 64;
constexpr size_t kMaxLiteralBytes = 4096;
// Arrays of more elements are not written out at all.
constexpr int64_t kMaxLiteralElements = 4096;

// Keeps the first value of the instruction, and stops there.
class Watcher final : public evaluator::ExecutionObserver {
 public:
  Watcher(const Module& module, InstructionId wanted, const std::function<bool()>& cancelled)
      : module_(module), wanted_(wanted), cancelled_(cancelled) {}

  void OnOpen(absl::Span<const evaluator::Frame>, absl::Span<const evaluator::Value>) override {}
  bool OnComplete(absl::Span<const evaluator::Frame> frames, InstructionId id, const evaluator::Value& value) override {
    if (id == wanted_) {
      value_ = value;
      where_ = evaluator::ExecutionPath(module_, frames);
      return true;
    }
    return cancelled_();
  }

  const evaluator::Value& value() const { return value_; }
  const std::string& where() const { return where_; }
  void Take(const evaluator::Value& value, std::string where) {
    value_ = value;
    where_ = std::move(where);
  }

 private:
  const Module& module_;
  const InstructionId wanted_;
  const std::function<bool()>& cancelled_;
  evaluator::Value value_;
  std::string where_;
};

std::string ProgressText(const Module& module, const evaluator::RunProgress& progress) {
  const int64_t making = progress.making.load();
  if (making >= 0) {
    const size_t all = module.computation(module.entry()).parameters.size();
    return absl::StrCat("making parameter ", making + 1, " of ", all);
  }
  return absl::StrCat(CountOf(static_cast<size_t>(progress.steps.load()), "instruction"), " executed");
}

// While one of these lives, a cancelled request ends the session's command: also in the middle of an instruction, and
// while a value is made up; and how far the run has come is reported.
class WatchesRun {
 public:
  WatchesRun(evaluator::Session& session, const Module& module, const evaluator::RunProgress& progress,
             const PreviewWatch& watch)
      : thread_([this, &session, &module, &progress, &watch] {
          std::unique_lock<std::mutex> lock(mutex_);
          int looks = 0;
          while (!ended_.wait_for(lock, std::chrono::milliseconds(20), [this] { return end_; })) {
            if (++looks % kLooksPerReport == 0) watch.report(ProgressText(module, progress));
            if (!watch.cancelled()) continue;
            session.Cancel();
            return;
          }
        }) {}
  ~WatchesRun() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      end_ = true;
    }
    ended_.notify_one();
    thread_.join();
  }
  WatchesRun(const WatchesRun&) = delete;
  WatchesRun& operator=(const WatchesRun&) = delete;

 private:
  static constexpr int kLooksPerReport = 10;

  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread thread_;  // last: it uses the others
};

// They are made when something reads them. The query and the module outlive the session.
absl::Status GiveArguments(const Module& module, const ValueQuery& query,
                           const absl::flat_hash_map<InstructionId, evaluator::FillRule>& rules,
                           evaluator::Session* session) {
  const Computation& entry = module.computation(module.entry());
  for (size_t k = 0; k < entry.parameters.size(); ++k) {
    if (!entry.parameters[k].has_value()) continue;
    const Shape& shape = module.shape(entry.parameters[k]);
    const int64_t number = static_cast<int64_t>(k);
    const auto file = query.arguments.find(number);
    if (file != query.arguments.end()) {
      if (absl::Status status = evaluator::CheckNpy(file->second, shape); !status.ok()) return status;
    }
    const auto own = rules.find(entry.parameters[k]);
    const evaluator::FillRule rule = own != rules.end() ? own->second : query.fill;
    absl::Status status = session->SetArgumentMaker(
        number,
        [&shape, &query, number, rule, path = file == query.arguments.end() ? std::string() : file->second](
            numerics::Executor* executor) -> absl::StatusOr<evaluator::Value> {
          if (path.empty()) return evaluator::FillValue(shape, rule, query.seed, number, executor);
          absl::StatusOr<evaluator::Tensor> tensor = evaluator::ReadNpy(path, shape);
          if (!tensor.ok()) return tensor.status();
          return evaluator::Value(*std::move(tensor));
        });
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

ValuePreview::Leaf LeafOf(const evaluator::Tensor& tensor, bool with_data) {
  ValuePreview::Leaf leaf;
  const evaluator::Tensor actual = tensor.WithRunTimeSizes();
  leaf.shape = actual.shape().ToString();
  leaf.summary = evaluator::Summarize(actual);
  if (with_data && actual.byte_size() <= ValuePreview::kMaxData) {
    const absl::StatusOr<evaluator::Tensor> dense = actual.Contiguous();
    if (dense.ok())
      leaf.data.assign(reinterpret_cast<const char*>(dense->data()), static_cast<size_t>(dense->byte_size()));
  }
  if (actual.shape().ElementCount() > kMaxLiteralElements) {
    leaf.is_shortened = true;
    return leaf;
  }
  const absl::StatusOr<Literal> literal = evaluator::LiteralOf(evaluator::Value(actual));
  if (!literal.ok()) return leaf;
  const std::string text = PrintLiteral(*literal);
  leaf.is_shortened = text.size() > kMaxLiteralBytes;
  leaf.literal = ShortenText(text, kMaxLiteralBytes);
  return leaf;
}

// What was computed, and where, once the run has come so far; no value if it never does.
absl::StatusOr<bool> RunUntilComputed(evaluator::Session& session, const Module& module, InstructionId id,
                                      Watcher* watcher) {
  const evaluator::Inspection& inspection = session.inspection();
  session.Begin();
  if (const evaluator::Value* given = inspection.ValueOf(0, id)) {
    watcher->Take(*given,
                  evaluator::ExecutionPath(module, inspection.frames()));  // a parameter or a constant of the entry
    return true;
  }
  if (inspection.IsUnread(0, id)) {
    const absl::StatusOr<evaluator::Value> value = session.intervention().GivenValue(id);
    if (!value.ok()) return value.status();
    watcher->Take(*value, evaluator::ExecutionPath(module, inspection.frames()));
    return true;
  }
  // Parameters and constants of other computations are no steps: what follows them is.
  const InstructionId step = session.breakpoints().StepAtOrAfter(id);
  if (step.has_value() && step != id) {
    session.RunTo(step);
    const size_t frames = inspection.frames().size();
    const evaluator::Value* there = frames > 0 ? inspection.ValueOf(frames - 1, id) : nullptr;
    if (there != nullptr) watcher->Take(*there, evaluator::ExecutionPath(module, inspection.frames()));
  } else {
    session.Run();
  }
  return watcher->value().has_value();
}

// Values are computed on one device; what devices make together is said to need them all.
absl::Status WithAdvice(const Module& module, const absl::Status& status) {
  const DeviceGrid grid = InferredGrid(module, {std::max<int64_t>(1, module.header().replica_count),
                                                std::max<int64_t>(1, module.header().num_partitions)});
  if (grid.device_count() <= 1 || status.code() != absl::StatusCode::kInvalidArgument) return status;
  return absl::Status(status.code(), absl::StrCat("values in the editor are of one device, and the module is made for ",
                                                  grid.device_count(), ", which `hloscope run --devices=",
                                                  grid.device_count(), "` runs (", status.message(), ")"));
}

}  // namespace

absl::StatusOr<InstructionId> PreviewedInstruction(const Document& document, uint32_t offset) {
  const InstructionId id = InstructionAtCursor(document, offset);
  if (!id.has_value()) return absl::FailedPreconditionError("there is no instruction at this place");
  if (document.has_errors() || !document.module().entry().has_value())
    return absl::FailedPreconditionError("the module has errors: it can be evaluated when they are gone");
  return id;
}

absl::StatusOr<ValuePreview> PreviewValue(const Document& document, uint32_t offset, const ValueQuery& query,
                                          const PreviewWatch& watch) {
  const absl::StatusOr<InstructionId> found = PreviewedInstruction(document, offset);
  if (!found.ok()) return found.status();
  const InstructionId id = *found;
  const evaluator::ElidedConstantFill fill = evaluator::FillOfConstants(document.module(), query.fill, query.seed);
  const auto filled = evaluator::FillElidedConstantsLazily(document.shared_module(), fill);
  if (!filled.ok()) return filled.status();
  const Module& module = *filled->module;

  evaluator::RunProgress progress(module);
  evaluator::SessionOptions options;
  options.memory_limit_bytes = query.memory_bytes;
  options.time_limit_seconds = query.seconds;
  options.random_seed = query.seed;
  options.elided_constants = filled->make;
  options.progress = &progress;
  options.run_dead_instructions = true;  // what nothing uses has a value too
  options.replica_count = std::max<int64_t>(1, module.header().replica_count);
  options.num_partitions = std::max<int64_t>(1, module.header().num_partitions);
  auto session = evaluator::Session::Create(filled->module, options);
  if (!session.ok()) return session.status();
  if (const absl::Status status = GiveArguments(module, query, fill.rules, session->get()); !status.ok()) return status;

  const WatchesRun watches(**session, module, progress, watch);
  Watcher watcher(module, id, watch.cancelled);
  (*session)->intervention().set_observer(&watcher);
  const absl::StatusOr<bool> computed = RunUntilComputed(**session, module, id, &watcher);
  (*session)->intervention().set_observer(nullptr);
  if (!computed.ok()) return WithAdvice(module, computed.status());
  if (watch.cancelled()) return absl::CancelledError("cancelled by the client");
  if (!*computed) {
    if (!(*session)->status().ok()) return WithAdvice(module, (*session)->status());
    return absl::FailedPreconditionError(
        "the instruction does not run by itself: it is part of what calls it, or "
        "nothing needs it");
  }
  ValuePreview preview;
  preview.executed = (*session)->inspection().executed_count();
  preview.where = watcher.where();
  preview.has_filled_constants = !filled->filled.empty();
  watcher.value().ForEachTensor([&](const evaluator::Tensor& tensor) {
    if (preview.leaves.size() < kMaxLeaves) preview.leaves.push_back(LeafOf(tensor, query.with_data));
  });
  return preview;
}

}  // namespace hloscope::lsp
