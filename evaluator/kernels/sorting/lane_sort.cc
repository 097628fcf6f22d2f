// SPDX-License-Identifier: Apache-2.0
#include "evaluator/kernels/sorting/lane_sort.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/types/span.h"
#include "evaluator/kernels/indexing/element_copy.h"
#include "evaluator/kernels/interface/parallel_loop.h"
#include "numerics/elements/element_bits.h"
#include "numerics/sorting/merge_sort.h"

namespace hloscope::evaluator {
namespace {

struct Segment {
  int64_t begin, count;
};

// The halving tree of one line: the segments that are sorted by insertion, and those merged from halves, by depth.
struct SplitTree {
  std::vector<Segment> leaves;
  std::vector<std::vector<Segment>> merges;

  // Unfinished if the run was cancelled.
  SplitTree(int64_t length, CancellationPoll& poll) {
    std::vector<Segment> level = {{0, length}};
    while (!level.empty()) {
      std::vector<Segment> halves, merged;
      for (const Segment& s : level) {
        if (poll.Cancelled(20)) return;
        if (s.count < numerics::kInsertionSortLimit) {
          leaves.push_back(s);
        } else {
          merged.push_back(s);
          halves.push_back({s.begin, s.count / 2});
          halves.push_back({s.begin + s.count / 2, s.count - s.count / 2});
        }
      }
      if (!merged.empty()) merges.push_back(std::move(merged));
      level = std::move(halves);
    }
  }
};

// Segments that are sorted by insertion, or merged, together.
constexpr int64_t kSegmentsTogether = 1 << 14;

class Sorter {
 public:
  Sorter(const LaneComparator& comparator, int64_t first_line, int64_t line_count, int64_t length, int64_t* order,
         KernelRuntime& runtime)
      : comparator_(comparator),
        first_line_(first_line),
        line_count_(line_count),
        length_(length),
        order_(order),
        runtime_(runtime),
        packed_(comparator.used.size()) {}

  absl::Status Run() {
    for (int64_t line = 0; line < line_count_; ++line) {
      absl::Status status = SerialLoop(runtime_, length_, 2, [&](int64_t begin, int64_t end) {
        for (int64_t j = begin; j < end; ++j) order_[line * length_ + j] = j;
      });
      if (!status.ok()) return status;
    }
    CancellationPoll poll(runtime_);
    const SplitTree tree(length_, poll);
    if (poll.Cancelled(0)) return runtime_.CheckCancelled();
    // In parts that a user who cancels does not wait for.
    const size_t part = static_cast<size_t>(std::max<int64_t>(kSegmentsTogether / line_count_, 1));
    for (size_t first = 0; first < tree.leaves.size(); first += part) {
      if (absl::Status s = runtime_.CheckCancelled(); !s.ok()) return s;
      const absl::Span<const Segment> leaves = absl::MakeConstSpan(tree.leaves).subspan(first, part);
      if (absl::Status s = InsertAll(leaves); !s.ok()) return s;
    }
    scratch_.reset(new int64_t[static_cast<size_t>(line_count_ * length_)]);
    for (size_t depth = tree.merges.size(); depth-- > 0;) {
      const absl::Span<const Segment> merges = tree.merges[depth];
      for (size_t first = 0; first < merges.size(); first += part) {
        if (absl::Status s = MergeAll(merges.subspan(first, part)); !s.ok()) return s;
      }
    }
    return absl::OkStatus();
  }

 private:
  // `left` goes before `right`? Elements are named by their place in order_.
  struct Question {
    int64_t line, left, right;  // position of the line in the block; element positions in the line
  };

  // Answers questions_ into answers_.
  absl::Status Ask() {
    const int64_t count = static_cast<int64_t>(questions_.size());
    answers_.resize(questions_.size());
    std::vector<LaneOperand> operands(comparator_.used.size());
    for (size_t p = 0; p < operands.size(); ++p) {
      const Tensor& keys = comparator_.keys[p];
      if (!comparator_.used[p]) {
        operands[p] = {keys.data(), true};
        continue;
      }
      packed_[p].resize(questions_.size() * static_cast<size_t>(keys.element_bytes()) / 8 + 1);
      numerics::VisitElementBytes(keys.element_bytes(), [&](auto bits) {
        using T = decltype(bits);
        const T* const from = reinterpret_cast<const T*>(keys.data());
        T* const to = reinterpret_cast<T*>(packed_[p].data());
        for (size_t i = 0; i < questions_.size(); ++i) {
          const Question& q = questions_[i];
          to[i] = from[(first_line_ + q.line) * length_ + (p % 2 == 0 ? q.left : q.right)];
        }
      });
      operands[p] = {reinterpret_cast<const uint8_t*>(packed_[p].data()), false};
    }
    uint8_t* const outputs[] = {answers_.data()};
    return comparator_.program.Run(operands, outputs, count, runtime_);
  }

  absl::Status InsertAll(absl::Span<const Segment> leaves) {
    struct Insertion {
      int64_t line, begin, low, length;
    };
    int64_t longest = 0;
    for (const Segment& leaf : leaves) longest = std::max(longest, leaf.count);
    std::vector<Insertion> searching, unfinished;
    for (int64_t q = 1; q < longest; ++q) {
      std::vector<Insertion> found;
      searching.clear();
      for (int64_t line = 0; line < line_count_; ++line) {
        for (const Segment& leaf : leaves) {
          if (q < leaf.count) searching.push_back({line, leaf.begin, 0, q});
        }
      }
      while (!searching.empty()) {
        questions_.clear();
        for (const Insertion& s : searching) {
          const int64_t* const segment = order_ + s.line * length_ + s.begin;
          questions_.push_back({s.line, segment[q], segment[s.low + s.length / 2]});
        }
        if (absl::Status status = Ask(); !status.ok()) return status;
        unfinished.clear();
        for (size_t i = 0; i < searching.size(); ++i) {
          Insertion s = searching[i];
          const int64_t half = s.length / 2;
          if (answers_[i] != 0) {
            s.length = half;
          } else {
            s.low += half + 1;
            s.length -= half + 1;
          }
          (s.length > 0 ? unfinished : found).push_back(s);
        }
        std::swap(searching, unfinished);
      }
      for (const Insertion& s : found) {
        int64_t* const segment = order_ + s.line * length_ + s.begin;
        std::rotate(segment + s.low, segment + q, segment + q + 1);
      }
    }
    return absl::OkStatus();
  }

  absl::Status MergeAll(absl::Span<const Segment> segments) {
    struct Merge {
      int64_t line, left, left_end, right, right_end, out;  // places in order_ and scratch_
    };
    std::vector<Merge> merging;
    for (int64_t line = 0; line < line_count_; ++line) {
      for (const Segment& s : segments) {
        const int64_t begin = line * length_ + s.begin, middle = begin + s.count / 2;
        std::copy(order_ + begin, order_ + middle, scratch_.get() + begin);
        merging.push_back({line, begin, middle, middle, begin + s.count, begin});
      }
    }
    int64_t polled = 0;
    while (!merging.empty()) {
      questions_.clear();
      for (const Merge& m : merging) {
        questions_.push_back({m.line, order_[m.right], scratch_[static_cast<size_t>(m.left)]});
      }
      if (absl::Status status = Ask(); !status.ok()) return status;
      polled += static_cast<int64_t>(merging.size()) + 16;
      if (polled > 1 << 18) {
        polled = 0;
        if (absl::Status status = runtime_.CheckCancelled(); !status.ok()) return status;
      }
      size_t kept = 0;
      for (size_t i = 0; i < merging.size(); ++i) {
        Merge m = merging[i];
        order_[m.out++] = answers_[i] != 0 ? order_[m.right++] : scratch_[static_cast<size_t>(m.left++)];
        if (m.left < m.left_end && m.right < m.right_end) {
          merging[kept++] = m;
        } else {
          std::copy(scratch_.get() + m.left, scratch_.get() + m.left_end, order_ + m.out);
        }
      }
      merging.resize(kept);
    }
    return absl::OkStatus();
  }

  const LaneComparator& comparator_;
  const int64_t first_line_, line_count_, length_;
  int64_t* const order_;
  KernelRuntime& runtime_;
  std::unique_ptr<int64_t[]> scratch_;
  std::vector<Question> questions_;
  std::vector<uint8_t> answers_;
  std::vector<std::vector<uint64_t>> packed_;  // operands of the comparator; words keep them aligned
};

}  // namespace

absl::Status LaneSort(const LaneComparator& comparator, int64_t first_line, int64_t line_count, int64_t length,
                      int64_t* order, KernelRuntime& runtime) {
  return Sorter(comparator, first_line, line_count, length, order, runtime).Run();
}

}  // namespace hloscope::evaluator
