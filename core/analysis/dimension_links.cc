// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/dimension_links.h"

#include "absl/algorithm/container.h"
#include "core/ops/dot.h"
#include "core/ops/factor_groups.h"
#include "core/ops/gather_scatter.h"

namespace hloscope {
namespace {

using Kind = DimensionLink::Kind;

class Linker {
 public:
  Linker(const Module& module, InstructionId id) : module_(module), id_(id) {}

  std::vector<DimensionLink> Links() {
    const Shape& shape = module_.shape(id_);
    result_ = shape.IsTuple() && shape.tuple_size() > 0 ? &shape.element(0) : &shape;
    const absl::Span<const InstructionId> operands = module_.operands(id_);
    if (!result_->IsArray() || result_->HasUnboundedDimension()) return {};
    for (InstructionId operand : operands) {
      if (!operand.has_value() || !module_.shape(operand).IsArray() || module_.shape(operand).HasUnboundedDimension()) {
        return {};
      }
    }
    if (!operands.empty()) Collect();
    // What was not read may name dimensions that are not there.
    for (const DimensionLink& link : links_) {
      const bool good = link.operand < operands.size() && link.operand_dimension < rank(link.operand) &&
                        link.operand_dimension >= DimensionLink::kNone && link.result_dimension < result_->rank() &&
                        link.result_dimension >= DimensionLink::kNone;
      if (!good) return {};
    }
    return std::move(links_);
  }

 private:
  int64_t rank(size_t operand) const { return module_.shape(module_.operands(id_)[operand]).rank(); }
  absl::Span<const int64_t> sizes(size_t operand) const {
    return module_.shape(module_.operands(id_)[operand]).dimensions();
  }
  absl::Span<const int64_t> ints(AttributeKind kind) const { return module_.IntsAttribute(id_, kind); }
  void Add(Kind kind, size_t operand, int64_t from, int64_t to) { links_.push_back({kind, operand, from, to}); }

  void Identity(size_t operand) {
    if (rank(operand) != result_->rank()) return;
    for (int64_t d = 0; d < result_->rank(); ++d) Add(Kind::kSame, operand, d, d);
  }

  void Broadcast() {
    const absl::Span<const int64_t> places = ints(AttributeKind::kDimensions);
    for (size_t d = 0; d < places.size(); ++d) Add(Kind::kSame, 0, static_cast<int64_t>(d), places[d]);
    for (int64_t d = 0; d < result_->rank(); ++d) {
      if (!absl::c_linear_search(places, d)) Add(Kind::kRepeated, 0, DimensionLink::kNone, d);
    }
  }

  void Reshape() {
    for (const FactorGroup& group : FactorGroups(sizes(0), result_->dimensions())) {
      const bool alone = group.input_end - group.input_begin == 1 && group.output_end - group.output_begin == 1;
      for (int64_t from = group.input_begin; from < group.input_end; ++from) {
        for (int64_t to = group.output_begin; to < group.output_end; ++to) {
          Add(alone ? Kind::kSame : Kind::kMixed, 0, from, to);
        }
      }
    }
  }

  void Reduce() {
    const absl::Span<const int64_t> reduced = ints(AttributeKind::kDimensions);
    for (size_t k = 0; k < module_.operands(id_).size() / 2; ++k) {
      for (int64_t d = 0, r = 0; d < rank(k); ++d) {
        const bool gone = absl::c_linear_search(reduced, d);
        Add(gone ? Kind::kSummed : Kind::kSame, k, d, gone ? DimensionLink::kNone : r++);
      }
    }
  }

  void Dot() {
    const DotDimensions numbers = DotDimensionsOf(module_, id_);
    int64_t next_free = static_cast<int64_t>(numbers.lhs_batch.size());
    for (size_t k = 0; k < 2; ++k) {
      const absl::Span<const int64_t> batch = k == 0 ? numbers.lhs_batch : numbers.rhs_batch;
      const absl::Span<const int64_t> contracting = k == 0 ? numbers.lhs_contracting : numbers.rhs_contracting;
      for (int64_t d = 0; d < rank(k); ++d) {
        const auto place = absl::c_find(batch, d);
        if (place != batch.end()) {
          Add(Kind::kSame, k, d, place - batch.begin());
        } else if (absl::c_linear_search(contracting, d)) {
          Add(Kind::kSummed, k, d, DimensionLink::kNone);
        } else {
          Add(Kind::kSame, k, d, next_free++);
        }
      }
    }
  }

  void Convolution() {
    const ConvolutionDimensionNumbers* n = module_.DimLabelsAttribute(id_);
    if (n == nullptr || n->input_spatial.size() != n->output_spatial.size()) return;
    Add(Kind::kSame, 0, n->input_batch, n->output_batch);
    Add(Kind::kSummed, 0, n->input_feature, DimensionLink::kNone);
    for (size_t s = 0; s < n->input_spatial.size(); ++s) {
      Add(Kind::kSame, 0, n->input_spatial[s], n->output_spatial[s]);
    }
    Add(Kind::kSummed, 1, n->kernel_input_feature, DimensionLink::kNone);
    Add(Kind::kSame, 1, n->kernel_output_feature, n->output_feature);
    for (int64_t d : n->kernel_spatial) Add(Kind::kSummed, 1, d, DimensionLink::kNone);
  }

  void Gather() {
    const IndexedDimensions n = IndexedDimensionsOf(module_, id_);
    const DimensionVector windows = WindowOperandDimensions(n, rank(0));
    for (size_t w = 0; w < std::min(windows.size(), n.window.size()); ++w) Add(Kind::kSame, 0, windows[w], n.window[w]);
    const DimensionVector batches = IndexBatchDimensions(n, rank(1));
    for (int64_t d = 0, b = 0; d < result_->rank(); ++d) {
      if (absl::c_linear_search(n.window, d)) continue;
      if (static_cast<size_t>(b) < batches.size()) Add(Kind::kSame, 1, batches[static_cast<size_t>(b++)], d);
    }
  }

  void Transpose() {
    const absl::Span<const int64_t> permutation = ints(AttributeKind::kDimensions);
    for (size_t d = 0; d < permutation.size(); ++d) {
      Add(Kind::kSame, 0, permutation[d], static_cast<int64_t>(d));
    }
    absl::c_sort(links_, [](const auto& a, const auto& b) { return a.operand_dimension < b.operand_dimension; });
  }

  void None() {}
  void First() { Identity(0); }
  void FirstTwo() {
    Identity(0);
    Identity(1);
  }
  void Each() {
    for (size_t k = 0; k < module_.operands(id_).size(); ++k) Identity(k);
  }

  // One function for each rule of opcodes.def.
  void Collect() {
    switch (module_.opcode(id_)) {
#define HLO_ANALYSIS(Name, operations, traffic, links, buffers) \
  case Opcode::k##Name:                                         \
    return links();
#include "core/analysis/opcodes.def"
      case Opcode::kInvalid:
        return;
    }
  }

  const Module& module_;
  const InstructionId id_;
  const Shape* result_ = nullptr;
  std::vector<DimensionLink> links_;
};

}  // namespace

std::vector<DimensionLink> DimensionLinksOf(const Module& module, InstructionId id) {
  return Linker(module, id).Links();
}

}  // namespace hloscope
