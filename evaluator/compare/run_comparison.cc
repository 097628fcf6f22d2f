// SPDX-License-Identifier: Apache-2.0
#include "evaluator/compare/run_comparison.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "core/print/number_printer.h"
#include "evaluator/compare/loop_state.h"

namespace hloscope::evaluator {
namespace {

// How many values a run may be ahead of the other: turns cost little, waiting values cost memory.
constexpr int64_t kMaxLead = 64;

std::string ElementAt(const Tensor& tensor, absl::Span<const int64_t> index) {
  std::string text;
  AppendElement(tensor.element_type(), tensor.WithRunTimeSizes().At(index), &text);
  return text;
}

absl::Status CompareLeaf(const Tensor& a, const Tensor& b, const Tolerance& tolerance, LeafComparison* leaf) {
  leaf->tolerance = tolerance;
  if (a.element_type() != b.element_type() || a.WithRunTimeSizes().dimensions() != b.WithRunTimeSizes().dimensions()) {
    leaf->mismatch = absl::StrCat(a.WithRunTimeSizes().shape().ToString(false), " against ",
                                  b.WithRunTimeSizes().shape().ToString(false));
    return absl::OkStatus();
  }
  absl::StatusOr<TensorDifference> difference = DifferenceOf(a, b, tolerance);
  if (!difference.ok()) return difference.status();
  leaf->difference = *std::move(difference);
  if (leaf->difference.beyond > 0) {
    leaf->first_element = ElementAt(a, leaf->difference.first_beyond);
    leaf->second_element = ElementAt(b, leaf->difference.first_beyond);
    leaf->first_values = Summarize(a.WithRunTimeSizes(), nullptr, kBriefSummary);
    leaf->second_values = Summarize(b.WithRunTimeSizes(), nullptr, kBriefSummary);
  }
  return absl::OkStatus();
}

struct LeafValue {
  std::vector<int64_t> leaf;
  const Tensor* tensor;
};

// The arrays of a value, which must outlive them.
void AppendLeaves(const Value& value, const std::vector<int64_t>& leaf, std::vector<LeafValue>* out) {
  if (value.IsTensor()) out->push_back({leaf, &value.tensor()});
  for (size_t k = 0; k < value.elements().size(); ++k) {
    std::vector<int64_t> below = leaf;
    below.push_back(static_cast<int64_t>(k));
    AppendLeaves(value.elements()[k], below, out);
  }
}

}  // namespace

bool RunComparison::ResultsAgree() const {
  return absl::c_all_of(results, [](const Result& result) { return result.comparison.Agrees(); });
}

// Values that one run has and the other has not yet, and what comes of comparing them.
class RunComparer::Pending {
 public:
  struct Key {
    uint64_t context;           // device, loops and their iterations, by the first module's ids
    InstructionId instruction;  // of the first module
    bool operator==(const Key& other) const { return context == other.context && instruction == other.instruction; }
    template <typename H>
    friend H AbslHashValue(H h, const Key& key) {
      return H::combine(std::move(h), key.context, key.instruction);
    }
  };
  struct Waiting {
    bool is_first = false;  // from the first run
    InstructionId instruction;
    Value value;
    std::vector<Frame> frames;
    int64_t sequence = 0;  // place in the first module's execution, if from the first run
    int64_t bytes = 0;
  };

  Pending(RunComparison* comparison, const ValueFlow& flow_a, const Module& b, const ComparisonOptions& options,
          const ValueTolerances& tolerances)
      : comparison_(comparison),
        flow_a_(flow_a),
        a_(flow_a.module()),
        b_(b),
        options_(options),
        tolerances_(tolerances) {
    comparison_->agreement.resize(a_.instruction_count(), InstructionAgreement::kNotCompared);
  }

  void Add(const Key& key, int64_t device, Waiting waiting) {
    if (given_up_.erase(key) > 0) return;
    const auto it = waiting_.find(key);
    if (it == waiting_.end()) {
      waiting.bytes = waiting.value.BufferBytes();
      kept_bytes_ += waiting.bytes;
      waiting_.emplace(key, std::move(waiting));
      order_.push_back(key);
      GiveUpOldest();
      return;
    }
    if (it->second.is_first == waiting.is_first) return;  // the same instruction twice in one place: nothing to match
    const Waiting other = std::move(it->second);
    waiting_.erase(it);
    kept_bytes_ -= other.bytes;
    Compare(device, waiting.is_first ? waiting : other, waiting.is_first ? other : waiting);
  }

  const absl::Status& status() const { return status_; }

  // Puts the divergences in order.
  void Finish() {
    std::vector<std::pair<int64_t, Divergence>*> in_order;  // they are large: only their places are sorted
    absl::flat_hash_map<InstructionId, int64_t> first;      // sequence of the first divergence
    in_order.reserve(divergences_.size());
    for (auto& one : divergences_) in_order.push_back(&one);
    absl::c_sort(in_order, [](const auto* x, const auto* y) { return x->first < y->first; });
    for (const auto* one : in_order) first.emplace(one->second.a, one->first);
    comparison_->divergences.reserve(in_order.size());
    for (auto* one : in_order) {
      auto& [sequence, divergence] = *one;
      // In loops, what differs first makes its own operands differ later.
      const auto was_earlier = [&first, own = sequence](InstructionId id) {
        const auto it = first.find(id);
        return it != first.end() && it->second < own;
      };
      divergence.is_frontier = absl::c_none_of(flow_a_.operands(divergence.a), was_earlier) &&
                               absl::c_none_of(flow_a_.callee_results(divergence.a), was_earlier) &&
                               absl::c_none_of(flow_a_.initial_values(divergence.a), was_earlier) &&
                               absl::c_none_of(StateAfter(flow_a_, divergence.a), was_earlier);
      comparison_->divergences.push_back(std::move(divergence));
    }
  }

 private:
  void GiveUpOldest() {
    while (kept_bytes_ > options_.kept_bytes && !order_.empty()) {
      const auto it = waiting_.find(order_.front());
      if (it != waiting_.end()) {
        kept_bytes_ -= it->second.bytes;
        given_up_.insert(it->first);
        waiting_.erase(it);
        ++comparison_->given_up_values;
      }
      order_.pop_front();
    }
    // Keys whose values were compared are left in the queue; it must not grow without end.
    while (!order_.empty() && waiting_.find(order_.front()) == waiting_.end()) order_.pop_front();
  }

  bool IsDerived(InstructionId a) const {
    return absl::c_any_of(flow_a_.operands(a), [&](InstructionId operand) {
      return operand != a && comparison_->agreement[operand.index()] == InstructionAgreement::kDiverges;
    });
  }

  // Whether the first one is less alike than the second.
  static bool IsWorse(const LeafComparison& x, const LeafComparison& y) {
    if (x.mismatch.empty() != y.mismatch.empty()) return y.mismatch.empty();
    if (x.difference.not_finite != y.difference.not_finite) return x.difference.not_finite > y.difference.not_finite;
    if (x.Agrees() != y.Agrees()) return y.Agrees();
    return x.difference.max_relative > y.difference.max_relative;
  }

  void Note(const Waiting& first, const Waiting& second, const std::vector<LeafComparison>& leaves) {
    const auto [known, is_new] = value_of_.try_emplace(first.instruction, comparison_->values.size());
    if (is_new) comparison_->values.push_back({first.instruction, second.instruction, 0, {}});
    ComparedValue& value = comparison_->values[known->second];
    for (size_t k = 0; k < leaves.size(); ++k) {
      if ((k == 0 && value.executions == 0) || IsWorse(leaves[k], value.comparison)) value.comparison = leaves[k];
    }
    ++value.executions;
  }

  void Compare(int64_t device, const Waiting& first, const Waiting& second) {
    if (options_.skip_derived && IsDerived(first.instruction)) {
      comparison_->agreement[first.instruction.index()] = InstructionAgreement::kDiverges;
      return;
    }
    ++comparison_->compared_values;
    std::vector<LeafValue> a, b;
    AppendLeaves(first.value, {}, &a);
    AppendLeaves(second.value, {}, &b);
    if (a.size() != b.size()) return;  // states of loops that carry more or less
    std::vector<LeafComparison> leaves;
    bool diverges = false;
    for (size_t k = 0; k < a.size() && (!diverges || options_.statistics) && status_.ok(); ++k) {
      LeafComparison& leaf = leaves.emplace_back();
      leaf.leaf = a[k].leaf;
      const Tolerance tolerance = tolerances_.Of(first.instruction, a[k].tensor->element_type());
      status_ = CompareLeaf(*a[k].tensor, *b[k].tensor, tolerance, &leaf);
      diverges |= !leaf.Agrees();
    }
    if (options_.statistics) Note(first, second, leaves);
    InstructionAgreement& agreement = comparison_->agreement[first.instruction.index()];
    if (!diverges) {
      agreement = std::max(agreement, InstructionAgreement::kAgrees);
      return;
    }
    agreement = InstructionAgreement::kDiverges;
    const auto [known, is_new] = divergence_of_.try_emplace(first.instruction, divergences_.size());
    if (!is_new) {
      auto& [sequence, divergence] = divergences_[known->second];
      ++divergence.executions;
      if (sequence < first.sequence) return;
    }
    Divergence divergence;
    divergence.a = first.instruction;
    divergence.b = second.instruction;
    divergence.device = device;
    divergence.path_a = PathOf(a_, first);
    divergence.path_b = PathOf(b_, second);
    divergence.comparison = *absl::c_find_if(leaves, [](const LeafComparison& leaf) { return !leaf.Agrees(); });
    if (is_new) {
      divergences_.emplace_back(first.sequence, std::move(divergence));
    } else {
      divergence.executions = divergences_[known->second].second.executions;
      divergences_[known->second] = {first.sequence, std::move(divergence)};
    }
  }

  static std::string PathOf(const Module& module, const Waiting& waiting) {
    std::vector<Frame> frames = waiting.frames;
    if (!frames.empty()) frames.back().current = waiting.instruction;
    return ExecutionPath(module, frames);
  }

  RunComparison* const comparison_;
  const ValueFlow& flow_a_;
  const Module &a_, &b_;
  const ComparisonOptions& options_;
  const ValueTolerances& tolerances_;
  absl::flat_hash_map<InstructionId, size_t> value_of_;  // into RunComparison::values
  absl::flat_hash_map<Key, Waiting> waiting_;
  absl::flat_hash_set<Key> given_up_;
  std::deque<Key> order_;  // in which values came
  int64_t kept_bytes_ = 0;
  std::vector<std::pair<int64_t, Divergence>> divergences_;
  absl::flat_hash_map<InstructionId, size_t> divergence_of_;
  absl::Status status_;
};

// One of the runs: hands the values that have counterparts to Pending and stops when it is ahead of the other.
class RunComparer::Side {
 public:
  Side(DeviceRun& run, const ValueFlow& flow, const std::vector<InstructionId>& partner, bool is_first,
       Pending& pending)
      : run_(run), flow_(flow), partner_(partner), is_first_(is_first), pending_(pending) {
    for (int64_t f = 0; f < run.device_count(); ++f) {
      observers_.push_back(std::make_unique<Observer>(*this, f));
      run.device(f).intervention().set_observer(observers_.back().get());
    }
  }
  ~Side() {
    for (int64_t f = 0; f < run_.device_count(); ++f) run_.device(f).intervention().set_observer(nullptr);
  }

  // Runs on until it has produced `count` values or the end.
  StopReason RunTo(int64_t count) {
    stop_at_ = count;
    reason_ = run_.Run();
    return reason_;
  }
  bool finished() const { return reason_ == StopReason::kFinished; }
  int64_t produced() const { return produced_; }
  DeviceRun& run() { return run_; }

 private:
  class Observer final : public ExecutionObserver {
   public:
    Observer(Side& side, int64_t device) : side_(side), device_(device) {}
    void OnOpen(absl::Span<const Frame>, absl::Span<const Value>) override {}
    bool OnComplete(absl::Span<const Frame> frames, InstructionId id, const Value& value) override {
      return side_.Take(device_, frames, id, value);
    }

   private:
    Side& side_;
    const int64_t device_;
  };

  bool Take(int64_t device, absl::Span<const Frame> frames, InstructionId id, const Value& value) {
    InstructionId carrier = id;
    if (!flow_.IsCarrier(id)) {
      // A collective that an asynchronous chain wraps is executed without a frame of its own.
      if (flow_.module().opcode(id) != Opcode::kAsyncDone || flow_.carriers(id).size() != 1) return false;
      carrier = flow_.carriers(id)[0];
    }
    const InstructionId partner = partner_[carrier.index()];
    if (!partner.has_value()) return false;
    uint64_t context = absl::HashOf(device);
    for (size_t i = 1; i < frames.size(); ++i) {
      const Frame& frame = frames[i];
      // What was looked through is no context: the other module may do without.
      if (frame.kind == FrameKind::kAsync || !flow_.IsCarrier(frame.caller)) continue;
      const InstructionId caller = is_first_ ? frame.caller : partner_[frame.caller.index()];
      if (!caller.has_value()) return false;
      context = absl::HashOf(context, caller, frame.iteration, static_cast<int>(frame.kind));
    }
    ++produced_;
    Pending::Waiting waiting;
    waiting.is_first = is_first_;
    waiting.instruction = carrier;
    waiting.value = value;
    waiting.frames.assign(frames.begin(), frames.end());
    waiting.sequence = produced_;
    pending_.Add({context, is_first_ ? carrier : partner}, device, std::move(waiting));
    return produced_ >= stop_at_;
  }

  DeviceRun& run_;
  const ValueFlow& flow_;
  const std::vector<InstructionId>& partner_;
  const bool is_first_;
  Pending& pending_;
  std::vector<std::unique_ptr<Observer>> observers_;
  int64_t produced_ = 0, stop_at_ = 0;
  StopReason reason_ = StopReason::kNotStarted;
};

absl::StatusOr<RunComparison> RunComparer::Run() {
  comparison_ = RunComparison();
  absl::Status status;
  if (options_.results_only) {
    for (DeviceRun* run : {&a_, &b_}) {
      if (run->Run() == StopReason::kFinished) continue;
      failed_run_ = run;
      return run->status().ok() ? absl::CancelledError("the run was cancelled") : run->status();
    }
  } else {
    Pending pending(&comparison_, flow_a_, flow_b_.module(), options_, tolerances_);
    Side side_a(a_, flow_a_, match_.partner_of_a, true, pending);
    Side side_b(b_, flow_b_, match_.partner_of_b, false, pending);
    status = RunSides(side_a, side_b);
    if (status.ok()) status = pending.status();
    if (!absl::IsCancelled(status)) pending.Finish();
  }
  if (status.ok()) status = CompareResults();
  if (!status.ok()) return status;
  return std::move(comparison_);
}

absl::Status RunComparer::RunSides(Side& side_a, Side& side_b) {
  while (!side_a.finished() || !side_b.finished()) {
    const bool a_is_next = !side_a.finished() && (side_b.finished() || side_a.produced() <= side_b.produced());
    Side& next = a_is_next ? side_a : side_b;
    const Side& other = a_is_next ? side_b : side_a;
    const StopReason reason =
        next.RunTo(other.finished() ? INT64_MAX : std::max(next.produced(), other.produced()) + kMaxLead);
    if (reason == StopReason::kFinished || reason == StopReason::kObserved) continue;
    failed_run_ = &next.run();
    return next.run().status().ok() ? absl::CancelledError("the run was cancelled") : next.run().status();
  }
  return absl::OkStatus();
}

absl::Status RunComparer::CompareResults() {
  const Module& module = flow_a_.module();
  const InstructionId root = module.entry().has_value() ? module.computation(module.entry()).root : InstructionId();
  const std::vector<Tolerance> tolerances = root.has_value() ? tolerances_.OfArrays(root) : std::vector<Tolerance>();
  for (int64_t device = 0; device < a_.device_count(); ++device) {
    absl::StatusOr<std::vector<LeafComparison>> leaves =
        CompareValues(a_.device(device).result(), b_.device(device).result(), tolerances);
    if (!leaves.ok()) return leaves.status();
    // A result may have very many arrays: no room is left over, and the old place is none.
    if (comparison_.results.empty()) comparison_.results.reserve(leaves->size());
    for (LeafComparison& leaf : *leaves) comparison_.results.push_back({device, std::move(leaf)});
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<LeafComparison>> CompareValues(const Value& a, const Value& b,
                                                          absl::Span<const Tolerance> tolerances) {
  std::vector<LeafValue> first, second;
  AppendLeaves(a, {}, &first);
  AppendLeaves(b, {}, &second);
  if (first.size() != second.size()) {
    return absl::InvalidArgumentError(absl::StrCat("the results cannot be compared: one module returns ",
                                                   ShapeOf(a).ToString(false), ", the other ",
                                                   ShapeOf(b).ToString(false)));
  }
  std::vector<LeafComparison> leaves(first.size());
  for (size_t k = 0; k < first.size(); ++k) {
    leaves[k].leaf = first[k].leaf;
    const Tolerance tolerance = k < tolerances.size() ? tolerances[k] : UsualTolerance(first[k].tensor->element_type());
    const absl::Status status = CompareLeaf(*first[k].tensor, *second[k].tensor, tolerance, &leaves[k]);
    if (!status.ok()) return status;
  }
  return leaves;
}

}  // namespace hloscope::evaluator
