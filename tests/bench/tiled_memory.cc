// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/tiled_memory.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"

namespace hloscope::bench {
namespace {

int64_t TilesFor(int64_t size, int64_t tile) { return std::max<int64_t>((size + tile - 1) / tile, 1); }

bool IsKnown(Opcode opcode) {
  switch (opcode) {
    case Opcode::kParameter:
    case Opcode::kConstant:
    case Opcode::kReshape:
    case Opcode::kBroadcast:
    case Opcode::kReduce:
    case Opcode::kAdd:
    case Opcode::kSubtract:
    case Opcode::kMultiply:
    case Opcode::kDivide:
    case Opcode::kRsqrt:
    case Opcode::kNegate:
      return true;
    default:
      return false;
  }
}

}  // namespace

TiledArray::TiledArray(absl::Span<const int64_t> sizes) : sizes_(sizes.begin(), sizes.end()) {
  for (int64_t size : sizes_) count_ *= size;
  if (!sizes_.empty()) columns_ = sizes_.back();
  if (sizes_.size() > 1) rows_ = sizes_[sizes_.size() - 2];
  row_tiles_ = TilesFor(rows_, kRows);
  column_tiles_ = TilesFor(columns_, kColumns);
  const int64_t majors = count_ / (rows_ * columns_);
  elements_.resize(static_cast<size_t>(majors * row_tiles_ * column_tiles_ * kRows * kColumns));
}

absl::StatusOr<std::unique_ptr<TiledMachine>> TiledMachine::Create(const Module& module) {
  std::unique_ptr<TiledMachine> machine(new TiledMachine(module));
  for (InstructionId id : module.computation(module.entry()).instructions) {
    const Shape& shape = module.shape(id);
    if (!IsKnown(module.opcode(id)) || shape.element_type() != ElementType::kF32 || shape.ElementCount() == 0) {
      return absl::UnimplementedError(absl::StrCat(module.InstructionName(id), " is not simulated"));
    }
    auto array = std::make_unique<TiledArray>(shape.dimensions());
    if (module.opcode(id) == Opcode::kParameter) {
      std::mt19937 random(module.instruction(id).parameter_number);
      for (int64_t row = 0; row < array->row_count(); ++row) {
        for (int64_t column = 0; column < array->row_size(); ++column) {
          array->data()[array->Offset(row, column)] = static_cast<float>(random() % 1024) / 512 - 1;
        }
      }
    } else if (module.opcode(id) == Opcode::kConstant) {
      if (!shape.IsScalar()) return absl::UnimplementedError("constants of more than one number are not simulated");
      std::memcpy(array->data(), module.literal(id).ElementBytes(0), sizeof(float));
    }
    machine->arrays_[id] = std::move(array);
  }
  return machine;
}

void TiledMachine::Run() {
  for (InstructionId id : module_.computation(module_.entry()).instructions) Execute(id);
}

std::vector<float> TiledMachine::Result() const {
  const TiledArray& array = *arrays_.at(module_.computation(module_.entry()).root);
  std::vector<float> result;
  for (int64_t row = 0; row < array.row_count(); ++row) {
    for (int64_t column = 0; column < array.row_size(); ++column) {
      result.push_back(array.data()[array.Offset(row, column)]);
    }
  }
  return result;
}

void TiledMachine::Execute(InstructionId id) {
  TiledArray& out = *arrays_.at(id);
  switch (module_.opcode(id)) {
    case Opcode::kParameter:
    case Opcode::kConstant:
      return;
    case Opcode::kReshape:
      return Reshape(operand(id, 0), out);
    case Opcode::kBroadcast:
      return Broadcast(id, operand(id, 0), out);
    case Opcode::kReduce:
      return Reduce(id, operand(id, 0), operand(id, 1), out);
    default:
      return Elementwise(id, out);
  }
}

// Whole tiles: the padding is computed too.
void TiledMachine::Elementwise(InstructionId id, TiledArray& out) const {
  const float* const a = operand(id, 0).data();
  const float* const b = module_.operands(id).size() > 1 ? operand(id, 1).data() : a;
  float* const r = out.data();
  const int64_t count = out.physical_count();
  switch (module_.opcode(id)) {
    case Opcode::kAdd:
      for (int64_t i = 0; i < count; ++i) r[i] = a[i] + b[i];
      return;
    case Opcode::kSubtract:
      for (int64_t i = 0; i < count; ++i) r[i] = a[i] - b[i];
      return;
    case Opcode::kMultiply:
      for (int64_t i = 0; i < count; ++i) r[i] = a[i] * b[i];
      return;
    case Opcode::kDivide:
      for (int64_t i = 0; i < count; ++i) r[i] = a[i] / b[i];
      return;
    case Opcode::kNegate:
      for (int64_t i = 0; i < count; ++i) r[i] = -a[i];
      return;
    default:
      for (int64_t i = 0; i < count; ++i) r[i] = 1 / std::sqrt(a[i]);
      return;
  }
}

// Runs of elements that are neighbours on both sides.
void TiledMachine::Reshape(const TiledArray& in, TiledArray& out) const {
  int64_t row = 0, column = 0;  // in `in`
  for (int64_t to_row = 0; to_row < out.row_count(); ++to_row) {
    for (int64_t to_column = 0; to_column < out.row_size();) {
      const int64_t run = std::min({out.row_size() - to_column, TiledArray::kColumns - to_column % TiledArray::kColumns,
                                    in.row_size() - column, TiledArray::kColumns - column % TiledArray::kColumns});
      std::memcpy(out.data() + out.Offset(to_row, to_column), in.data() + in.Offset(row, column),
                  static_cast<size_t>(run) * sizeof(float));
      to_column += run;
      column += run;
      if (column == in.row_size()) {
        column = 0;
        ++row;
      }
    }
  }
}

void TiledMachine::Broadcast(InstructionId id, const TiledArray& in, TiledArray& out) const {
  const absl::Span<const int64_t> dimensions = module_.IntsAttribute(id, AttributeKind::kDimensions);
  const std::vector<int64_t>& sizes = out.sizes();
  const int64_t last = static_cast<int64_t>(sizes.size()) - 1;
  const bool copies_rows = !dimensions.empty() && dimensions.back() == last;
  std::vector<int64_t> index(sizes.size(), 0);
  for (int64_t row = 0; row < out.row_count(); ++row) {
    int64_t rest = row;
    for (int64_t d = last; d-- > 0; rest /= sizes[static_cast<size_t>(d)]) {
      index[static_cast<size_t>(d)] = rest % sizes[static_cast<size_t>(d)];
    }
    int64_t from = 0;  // linear, without the column of a row that is copied
    for (size_t d = 0; d + (copies_rows ? 1 : 0) < dimensions.size(); ++d) {
      from = from * in.sizes()[d] + index[static_cast<size_t>(dimensions[d])];
    }
    const int64_t source_row = copies_rows ? from : from / in.row_size();
    const int64_t source_column = copies_rows ? 0 : from % in.row_size();
    for (int64_t column = 0; column < out.row_size(); column += TiledArray::kColumns) {
      const int64_t run = std::min(out.row_size() - column, TiledArray::kColumns);
      float* const to = out.data() + out.Offset(row, column);
      const float* const source = in.data() + in.Offset(source_row, source_column + (copies_rows ? column : 0));
      if (copies_rows) {
        std::memcpy(to, source, static_cast<size_t>(run) * sizeof(float));
      } else {
        std::fill_n(to, run, *source);
      }
    }
  }
}

// Sums in f64.
void TiledMachine::Reduce(InstructionId id, const TiledArray& in, const TiledArray& init, TiledArray& out) {
  const absl::Span<const int64_t> reduced = module_.IntsAttribute(id, AttributeKind::kDimensions);
  const std::vector<int64_t>& sizes = in.sizes();
  const int64_t last = static_cast<int64_t>(sizes.size()) - 1;
  const bool sums_rows = absl::c_linear_search(reduced, last);
  sums_.assign(static_cast<size_t>(out.count()), 0);
  std::vector<int64_t> index(sizes.size(), 0);
  for (int64_t row = 0; row < in.row_count(); ++row) {
    int64_t rest = row;
    for (int64_t d = last; d-- > 0; rest /= sizes[static_cast<size_t>(d)]) {
      index[static_cast<size_t>(d)] = rest % sizes[static_cast<size_t>(d)];
    }
    int64_t to = 0;
    for (int64_t d = 0; d < last; ++d) {
      if (!absl::c_linear_search(reduced, d)) {
        to = to * sizes[static_cast<size_t>(d)] + index[static_cast<size_t>(d)];
      }
    }
    double* const sums = sums_.data() + (sums_rows ? to : to * in.row_size());
    for (int64_t column = 0; column < in.row_size(); column += TiledArray::kColumns) {
      const int64_t run = std::min(in.row_size() - column, TiledArray::kColumns);
      const float* const from = in.data() + in.Offset(row, column);
      if (sums_rows) {
        for (int64_t i = 0; i < run; ++i) *sums += static_cast<double>(from[i]);
      } else {
        for (int64_t i = 0; i < run; ++i) sums[column + i] += static_cast<double>(from[i]);
      }
    }
  }
  for (int64_t n = 0; n < out.count(); ++n) {
    out.data()[out.Offset(n / out.row_size(), n % out.row_size())] =
        static_cast<float>(sums_[static_cast<size_t>(n)] + static_cast<double>(init.data()[0]));
  }
}

}  // namespace hloscope::bench
