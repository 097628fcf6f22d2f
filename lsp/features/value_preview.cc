#include "lsp/features/value_preview.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/print/literal_printer.h"
#include "evaluator/engine/elided_constants.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/npy.h"
#include "lsp/features/markdown.h"

namespace hloscope::lsp {
namespace {

constexpr size_t kMaxLeaves = 64;
constexpr size_t kMaxLiteralBytes = 4096;
// Arrays of more elements are not written out at all.
constexpr int64_t kMaxLiteralElements = 4096;

// Keeps the first value of the instruction, and stops there.
class Watcher final : public ExecutionObserver {
 public:
  Watcher(const Module& module, InstructionId wanted, const std::function<bool()>& cancelled)
      : module_(module), wanted_(wanted), cancelled_(cancelled) {}

  void OnOpen(absl::Span<const Frame>, absl::Span<const Value>) override {}
  bool OnComplete(absl::Span<const Frame> frames, InstructionId id, const Value& value) override {
    if (id == wanted_) {
      value_ = value;
      where_ = ExecutionPath(module_, frames);
      return true;
    }
    return cancelled_();
  }

  const Value& value() const { return value_; }
  const std::string& where() const { return where_; }
  void Take(const Value& value, std::string where) {
    value_ = value;
    where_ = std::move(where);
  }

 private:
  const Module& module_;
  const InstructionId wanted_;
  const std::function<bool()>& cancelled_;
  Value value_;
  std::string where_;
};

absl::Status GiveArguments(const Module& module, const ValueQuery& query, Session* session) {
  const Computation& entry = module.computation(module.entry());
  for (size_t k = 0; k < entry.parameters.size(); ++k) {
    if (!entry.parameters[k].has_value()) continue;
    const Shape& shape = module.shape(entry.parameters[k]);
    const int64_t number = static_cast<int64_t>(k);
    absl::StatusOr<Value> value = absl::UnknownError("");
    if (const auto file = query.arguments.find(number); file != query.arguments.end()) {
      absl::StatusOr<Tensor> tensor = ReadNpy(file->second, shape);
      if (!tensor.ok()) return tensor.status();
      value = Value(*std::move(tensor));
    } else {
      value = FillValue(shape, query.fill, query.seed, number);
    }
    if (!value.ok()) return value.status();
    if (const absl::Status status = session->SetArgument(number, *std::move(value)); !status.ok()) return status;
  }
  return absl::OkStatus();
}

ValuePreview::Leaf LeafOf(const Tensor& tensor) {
  ValuePreview::Leaf leaf;
  const Tensor actual = tensor.WithRunTimeSizes();
  leaf.shape = actual.shape().ToString();
  leaf.summary = Summarize(actual);
  if (actual.shape().ElementCount() > kMaxLiteralElements) {
    leaf.is_shortened = true;
    return leaf;
  }
  const absl::StatusOr<Literal> literal = LiteralOf(Value(actual));
  if (!literal.ok()) return leaf;
  const std::string text = PrintLiteral(*literal);
  leaf.is_shortened = text.size() > kMaxLiteralBytes;
  leaf.literal = ShortenText(text, kMaxLiteralBytes);
  return leaf;
}

}  // namespace

absl::StatusOr<ValuePreview> PreviewValue(const DocumentView& view, protocol::Position position,
                                          const ValueQuery& query, const std::function<bool()>& cancelled) {
  const uint32_t offset = view.ToOffset(position);
  const SymbolAtPosition symbol = view.document.SymbolAt(offset);
  const InstructionId id = symbol.instruction.has_value() ? symbol.instruction : view.document.InstructionAt(offset);
  if (!id.has_value()) return absl::FailedPreconditionError("there is no instruction at this place");
  if (view.document.has_errors() || !view.module().entry().has_value())
    return absl::FailedPreconditionError("the module has errors: it can be evaluated when they are gone");
  const auto filled = FillElidedConstants(view.document.shared_module(), query.fill, query.seed);
  if (!filled.ok()) return filled.status();
  const Module& module = *filled->module;

  SessionOptions options;
  options.memory_limit_bytes = query.memory_bytes;
  options.time_limit_seconds = query.seconds;
  options.random_seed = query.seed;
  options.run_dead_instructions = true;  // what nothing uses has a value too
  options.replica_count = std::max<int64_t>(1, module.header().replica_count);
  options.num_partitions = std::max<int64_t>(1, module.header().num_partitions);
  auto session = Session::Create(filled->module, options);
  if (!session.ok()) return session.status();
  if (const absl::Status status = GiveArguments(module, query, session->get()); !status.ok()) return status;

  Watcher watcher(module, id, cancelled);
  (*session)->intervention().set_observer(&watcher);
  const Inspection& inspection = (*session)->inspection();
  (*session)->Begin();
  if (const Value* given = inspection.ValueOf(0, id)) {
    watcher.Take(*given, ExecutionPath(module, inspection.frames()));  // a parameter or a constant of the entry
  } else {
    // Parameters and constants of other computations are no steps: what follows them is.
    const InstructionId step = (*session)->breakpoints().StepAtOrAfter(id);
    if (step.has_value() && step != id) {
      (*session)->RunTo(step);
      const size_t frames = inspection.frames().size();
      const Value* there = frames > 0 ? inspection.ValueOf(frames - 1, id) : nullptr;
      if (there != nullptr) watcher.Take(*there, ExecutionPath(module, inspection.frames()));
    } else {
      (*session)->Run();
    }
  }
  (*session)->intervention().set_observer(nullptr);
  if (cancelled()) return absl::CancelledError("cancelled by the client");
  if (!watcher.value().has_value()) {
    if (!(*session)->status().ok()) return (*session)->status();
    return absl::FailedPreconditionError(
        "the instruction does not run by itself: it is part of what calls it, or "
        "nothing needs it");
  }
  ValuePreview preview;
  preview.executed = inspection.executed_count();
  preview.where = watcher.where();
  preview.has_filled_constants = !filled->filled.empty();
  watcher.value().ForEachTensor([&](const Tensor& tensor) {
    if (preview.leaves.size() < kMaxLeaves) preview.leaves.push_back(LeafOf(tensor));
  });
  return preview;
}

}  // namespace hloscope::lsp
