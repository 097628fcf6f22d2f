// SPDX-License-Identifier: Apache-2.0
// gather and scatter against their formulas (docs/ops/tensor.md 2.1, 2.2) on random dimension numbers.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/substitute.h"
#include "evaluator/kernels/lanes/element_conversion.h"
#include "gtest/gtest.h"
#include "tests/support/kernel_test_support.h"
#include "tests/support/module_evaluation.h"
#include "tests/support/session_test_support.h"

namespace hloscope::evaluator {
namespace {

class RandomIndexing {
 public:
  explicit RandomIndexing(uint32_t seed) : random_(seed) {
    const int64_t rank = Random(1, 4);
    for (int64_t d = 0; d < rank; ++d) {
      operand_sizes.push_back(Random(1, 5));
      if (Random(0, 2) == 0) collapsed.push_back(d);
      slice_sizes.push_back(absl::c_linear_search(collapsed, d) ? 1 : Random(1, operand_sizes.back()));
    }
    start_index_map.resize(static_cast<size_t>(rank));
    std::iota(start_index_map.begin(), start_index_map.end(), 0);
    std::shuffle(start_index_map.begin(), start_index_map.end(), random_);
    start_index_map.resize(static_cast<size_t>(Random(1, rank)));
    const int64_t batch_rank = Random(0, 2);
    for (int64_t d = 0; d < batch_rank; ++d) batch_sizes.push_back(Random(1, 4));
    index_vector_dim = Random(0, batch_rank);
    index_sizes = batch_sizes;
    index_sizes.insert(index_sizes.begin() + index_vector_dim, static_cast<int64_t>(start_index_map.size()));
    const int64_t result_rank = batch_rank + rank - static_cast<int64_t>(collapsed.size());
    std::vector<int64_t> dims(static_cast<size_t>(result_rank));
    std::iota(dims.begin(), dims.end(), 0);
    std::shuffle(dims.begin(), dims.end(), random_);
    offset_dims.assign(dims.begin() + batch_rank, dims.end());
    std::sort(offset_dims.begin(), offset_dims.end());
    size_t window = 0, batch = 0;
    for (int64_t d = 0; d < rank; ++d) {
      if (!absl::c_linear_search(collapsed, d)) window_dims.push_back(d);
    }
    for (int64_t d = 0; d < result_rank; ++d) {
      const bool is_offset = absl::c_linear_search(offset_dims, d);
      result_sizes.push_back(is_offset ? slice_sizes[static_cast<size_t>(window_dims[window++])]
                                       : batch_sizes[batch++]);
    }
  }

  int64_t Random(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random_); }
  Tensor RandomTensor(absl::Span<const int64_t> sizes, int64_t low, int64_t high) {
    Tensor tensor = *Tensor::Allocate(ElementType::kS32, sizes);
    int32_t* const values = tensor.mutable_data_as<int32_t>();
    for (int64_t i = 0; i < tensor.element_count(); ++i) values[i] = static_cast<int32_t>(Random(low, high));
    return tensor;
  }

  // Splits a result index; start indices of that batch position, not clamped, and the offsets in the window.
  void Split(const std::vector<int64_t>& index, const Tensor& indices, std::vector<int64_t>& start,
             std::vector<int64_t>& offset) const {
    std::vector<int64_t> batch;
    start.assign(operand_sizes.size(), 0);
    offset.assign(operand_sizes.size(), 0);
    size_t window = 0;
    for (size_t d = 0; d < index.size(); ++d) {
      if (absl::c_linear_search(offset_dims, static_cast<int64_t>(d))) {
        offset[static_cast<size_t>(window_dims[window++])] = index[d];
      } else {
        batch.push_back(index[d]);
      }
    }
    for (size_t k = 0; k < start_index_map.size(); ++k) {
      std::vector<int64_t> at = batch;
      at.insert(at.begin() + index_vector_dim, static_cast<int64_t>(k));
      start[static_cast<size_t>(start_index_map[k])] = *reinterpret_cast<const int32_t*>(indices.At(at));
    }
  }

  // Calls visit(index) for all indices of the result, or of the updates, in row-major order.
  template <typename Visit>
  void ForEachIndex(Visit visit) const {
    std::vector<int64_t> index(result_sizes.size(), 0);
    int64_t count = 1;
    for (int64_t size : result_sizes) count *= size;
    for (int64_t n = 0; n < count; ++n) {
      int64_t rest = n;
      for (size_t d = index.size(); d-- > 0;) {
        index[d] = rest % result_sizes[d];
        rest /= result_sizes[d];
      }
      visit(index);
    }
  }

  std::vector<int64_t> operand_sizes, slice_sizes, collapsed, start_index_map, batch_sizes, index_sizes, offset_dims;
  std::vector<int64_t> window_dims, result_sizes;
  int64_t index_vector_dim = 0;

 private:
  std::mt19937 random_;
};

TEST(GatherScatterKernelTest, GatherEqualsItsFormula) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    RandomIndexing g(seed);
    SingleInstruction gather(
        Opcode::kGather,
        {Shape::Array(ElementType::kS32, g.operand_sizes), Shape::Array(ElementType::kS32, g.index_sizes)},
        Shape::Array(ElementType::kS32, g.result_sizes));
    Module& module = gather.module();
    module.AddInts(gather.id(), AttributeKind::kOffsetDims, g.offset_dims);
    module.AddInts(gather.id(), AttributeKind::kCollapsedSliceDims, g.collapsed);
    module.AddInts(gather.id(), AttributeKind::kStartIndexMap, g.start_index_map);
    module.AddInt(gather.id(), AttributeKind::kIndexVectorDim, g.index_vector_dim);
    module.AddInts(gather.id(), AttributeKind::kSliceSizes, g.slice_sizes);
    const Tensor x = g.RandomTensor(g.operand_sizes, -99, 99), indices = g.RandomTensor(g.index_sizes, -2, 6);
    const absl::StatusOr<Value> result = gather.Evaluate({x, indices});
    ASSERT_TRUE(result.ok()) << result.status();
    g.ForEachIndex([&](const std::vector<int64_t>& index) {
      std::vector<int64_t> start, offset;
      g.Split(index, indices, start, offset);
      for (size_t d = 0; d < start.size(); ++d) {
        start[d] = std::clamp<int64_t>(start[d], 0, g.operand_sizes[d] - g.slice_sizes[d]) + offset[d];
      }
      ASSERT_EQ(*reinterpret_cast<const int32_t*>(result->tensor().At(index)),
                *reinterpret_cast<const int32_t*>(x.At(start)))
          << "seed " << seed;
    });
  }
}

// Whole rows are copied while the next ones are looked up; indices of any integer type, also far out of bounds.
TEST(GatherScatterKernelTest, GatherOfRowsEqualsItsFormula) {
  constexpr ElementType kIndexTypes[] = {ElementType::kS32, ElementType::kS64, ElementType::kU8, ElementType::kU64};
  std::mt19937 random(7);
  for (const ElementType index_type : kIndexTypes) {
    for (const int64_t count : {1, 15, 16, 17, 32, 33, 1000}) {
      std::vector<int64_t> wanted;
      for (int64_t i = 0; i < count; ++i) {
        wanted.push_back(static_cast<int64_t>(random() % 300) - (IsUnsigned(index_type) ? 0 : 100));
      }
      const Shape x_shape = Shape::Array(ElementType::kS32, {100, 5});
      Tensor x = *Tensor::Allocate(ElementType::kS32, {100, 5});
      for (int32_t i = 0; i < 500; ++i) x.mutable_data_as<int32_t>()[i] = i;
      SerialRuntime runtime;
      const Tensor indices =
          *ConvertElements(*Tensor::FromValues<int64_t>(ElementType::kS64, {count}, wanted), index_type, runtime);
      SingleInstruction gather(Opcode::kGather, {x_shape, Shape::Array(index_type, {count})},
                               Shape::Array(ElementType::kS32, {count, 5}));
      Module& module = gather.module();
      module.AddInts(gather.id(), AttributeKind::kOffsetDims, {1});
      module.AddInts(gather.id(), AttributeKind::kCollapsedSliceDims, {0});
      module.AddInts(gather.id(), AttributeKind::kStartIndexMap, {0});
      module.AddInt(gather.id(), AttributeKind::kIndexVectorDim, 1);
      module.AddInts(gather.id(), AttributeKind::kSliceSizes, {1, 5});
      const absl::StatusOr<Value> result = gather.Evaluate({x, indices});
      ASSERT_TRUE(result.ok()) << result.status();
      for (int64_t i = 0; i < count; ++i) {
        int64_t row = wanted[static_cast<size_t>(i)];
        if (index_type == ElementType::kU8) row &= 255;
        row = std::clamp<int64_t>(row, 0, 99);
        for (int64_t j = 0; j < 5; ++j) {
          ASSERT_EQ(result->tensor().data_as<int32_t>()[i * 5 + j], row * 5 + j)
              << ElementTypeName(index_type) << " " << count;
        }
      }
    }
  }
}

// Opcode::kInvalid: the computation returns its second parameter.
class ScatterTest : public ::testing::TestWithParam<Opcode> {};

TEST_P(ScatterTest, EqualsItsFormula) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    RandomIndexing s(seed);
    Module module;
    const Shape scalar = Shape::Scalar(ElementType::kS32);
    const ComputationId f = module.AddComputation("f");
    const InstructionId a = module.AddInstruction(f, Opcode::kParameter, "a", scalar, {});
    const InstructionId b = module.AddInstruction(f, Opcode::kParameter, "b", scalar, {});
    module.mutable_instruction(b).parameter_number = 1;
    module.mutable_computation(f).parameters = {a, b};
    module.mutable_computation(f).root =
        GetParam() == Opcode::kInvalid ? b : module.AddInstruction(f, GetParam(), "r", scalar, {a, b});
    const ComputationId e = module.AddComputation("e");
    std::vector<InstructionId> operands;
    for (const std::vector<int64_t>& sizes : {s.operand_sizes, s.index_sizes, s.result_sizes}) {
      operands.push_back(module.AddInstruction(e, Opcode::kParameter, "p", Shape::Array(ElementType::kS32, sizes), {}));
    }
    const InstructionId id =
        module.AddInstruction(e, Opcode::kScatter, "s", Shape::Array(ElementType::kS32, s.operand_sizes), operands);
    module.AddInts(id, AttributeKind::kUpdateWindowDims, s.offset_dims);
    module.AddInts(id, AttributeKind::kInsertedWindowDims, s.collapsed);
    module.AddInts(id, AttributeKind::kScatterDimsToOperandDims, s.start_index_map);
    module.AddInt(id, AttributeKind::kIndexVectorDim, s.index_vector_dim);
    module.AddComputations(id, AttributeKind::kToApply, {f});

    const Tensor x = s.RandomTensor(s.operand_sizes, -99, 99), indices = s.RandomTensor(s.index_sizes, -1, 4);
    const Tensor updates = s.RandomTensor(s.result_sizes, -99, 99);
    const std::vector<Value> values = {x, indices, updates};
    SerialRuntime runtime;
    const absl::StatusOr<Value> result = EvaluateInstruction(KernelContext{module, id, values, runtime});
    ASSERT_TRUE(result.ok()) << result.status();

    Tensor expected = *x.Copy();
    // Row-major over all update positions is row-major over scatter positions for each element of the operand only if
    // the reducer does not care; positions are visited window by window for those that do.
    std::vector<std::pair<std::vector<int64_t>, std::vector<int64_t>>> order;  // scatter position, update index
    s.ForEachIndex([&](const std::vector<int64_t>& index) {
      std::vector<int64_t> position;
      for (size_t d = 0; d < index.size(); ++d) {
        if (!absl::c_linear_search(s.offset_dims, static_cast<int64_t>(d))) position.push_back(index[d]);
      }
      order.emplace_back(position, index);
    });
    std::stable_sort(order.begin(), order.end(), [](const auto& p, const auto& q) { return p.first < q.first; });
    for (const auto& [position, index] : order) {
      std::vector<int64_t> start, offset;
      s.Split(index, indices, start, offset);
      bool fits = true;
      for (size_t d = 0; d < start.size(); ++d) {
        fits = fits && start[d] >= 0 && start[d] <= s.operand_sizes[d] - s.slice_sizes[d];
        start[d] += offset[d];
      }
      if (!fits) continue;
      auto* const to = reinterpret_cast<int32_t*>(const_cast<uint8_t*>(expected.At(start)));
      const int32_t update = *reinterpret_cast<const int32_t*>(updates.At(index));
      switch (GetParam()) {
        case Opcode::kAdd:
          *to += update;
          break;
        case Opcode::kMaximum:
          *to = std::max(*to, update);
          break;
        case Opcode::kSubtract:
          *to -= update;
          break;
        default:
          *to = update;
          break;
      }
    }
    ASSERT_TRUE(ValuesAgree(*result, expected, 0)) << "seed " << seed;
  }
}

// subtract is no known reducer, so it runs as a program.
INSTANTIATE_TEST_SUITE_P(Reducers, ScatterTest,
                         ::testing::Values(Opcode::kAdd, Opcode::kMaximum, Opcode::kSubtract, Opcode::kInvalid));

// More positions than are found at a time, sums that depend on the order of their terms, and starts outside: each
// element gets its updates in the order of their positions.
TEST(GatherScatterKernelTest, ManyUpdatesOfAnElementComeInOrder) {
  constexpr int64_t kCount = 300000, kRows = 41, kColumns = 3;
  std::mt19937 random(11);
  const Shape x_shape = Shape::Array(ElementType::kF32, {kRows, kColumns});
  const Shape i_shape = Shape::Array(ElementType::kS32, {kCount});
  const Shape u_shape = Shape::Array(ElementType::kF32, {kCount, kColumns});
  Tensor x = *Tensor::Allocate(x_shape.element_type(), x_shape.dimensions());
  Tensor indices = *Tensor::Allocate(i_shape.element_type(), i_shape.dimensions());
  Tensor updates = *Tensor::Allocate(u_shape.element_type(), u_shape.dimensions());
  std::fill_n(x.mutable_data_as<float>(), x.element_count(), 0.5f);
  std::vector<float> expected(kRows * kColumns, 0.5f);
  for (int64_t n = 0; n < kCount; ++n) {
    const int32_t row = static_cast<int32_t>(random() % (kRows + 2)) - 1;
    indices.mutable_data_as<int32_t>()[n] = row;
    for (int64_t c = 0; c < kColumns; ++c) {
      const float term = std::ldexp(1 + static_cast<float>(random() % 1000) / 1000, static_cast<int>(random() % 40));
      updates.mutable_data_as<float>()[n * kColumns + c] = random() % 2 == 0 ? term : -term;
      if (row < 0 || row >= kRows) continue;
      expected[static_cast<size_t>(row * kColumns + c)] += updates.data_as<float>()[n * kColumns + c];
    }
  }
  Module module;
  const Shape scalar = Shape::Scalar(ElementType::kF32);
  const ComputationId f = module.AddComputation("f");
  const InstructionId a = module.AddInstruction(f, Opcode::kParameter, "a", scalar, {});
  const InstructionId b = module.AddInstruction(f, Opcode::kParameter, "b", scalar, {});
  module.mutable_instruction(b).parameter_number = 1;
  module.mutable_computation(f).parameters = {a, b};
  module.mutable_computation(f).root = module.AddInstruction(f, Opcode::kAdd, "r", scalar, {a, b});
  const ComputationId e = module.AddComputation("e");
  std::vector<InstructionId> operands;
  for (const Shape& shape : {x_shape, i_shape, u_shape}) {
    operands.push_back(module.AddInstruction(e, Opcode::kParameter, "p", shape, {}));
  }
  const InstructionId id = module.AddInstruction(e, Opcode::kScatter, "s", x_shape, operands);
  module.AddInts(id, AttributeKind::kUpdateWindowDims, {1});
  module.AddInts(id, AttributeKind::kInsertedWindowDims, {0});
  module.AddInts(id, AttributeKind::kScatterDimsToOperandDims, {0});
  module.AddInt(id, AttributeKind::kIndexVectorDim, 1);
  module.AddComputations(id, AttributeKind::kToApply, {f});
  SerialRuntime runtime;
  const std::vector<Value> values = {x, indices, updates};
  const absl::StatusOr<Value> result = EvaluateInstruction(KernelContext{module, id, values, runtime});
  ASSERT_TRUE(result.ok()) << result.status();
  for (size_t k = 0; k < expected.size(); ++k) EXPECT_EQ(result->tensor().data_as<float>()[k], expected[k]) << k;
}

// Sums of narrow floats are rounded at every update, as by a computation that no loop knows.
TEST(GatherScatterKernelTest, NarrowFloatsAreRoundedAtEachUpdate) {
  std::mt19937 random(5);
  SerialRuntime runtime;
  for (absl::string_view type : {"bf16", "f16"}) {
    for (absl::string_view opcode : {"add", "multiply", "maximum"}) {
      const std::string text = absl::Substitute(
          "HloModule m\nf { a = $0[] parameter(0) b = $0[] parameter(1) ROOT r = $0[] $1(a, b) }\n"
          "g { a = $0[] parameter(0) b = $0[] parameter(1) c = $0[] $1(a, b) y = pred[] constant(true) ROOT r = $0[] "
          "select(y, c, a) }\nENTRY e { x = $0[9] parameter(0) i = s32[3000] parameter(1) u = $0[3000] parameter(2)\n"
          "p = $0[9] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, "
          "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f\n"
          "q = $0[9] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, "
          "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=g\nROOT r = ($0[9], $0[9]) tuple(p, q) }",
          std::string(type), std::string(opcode));
      const std::shared_ptr<const Module> module = ModuleFromText(text);
      ASSERT_NE(module, nullptr);
      const ElementType element = type == "bf16" ? ElementType::kBF16 : ElementType::kF16;
      const auto floats = [&](int64_t count) {
        std::vector<float> values;
        for (int64_t n = 0; n < count; ++n) {
          values.push_back(opcode == "multiply" ? 1 + static_cast<float>(random() % 100) / 3000
                                                : static_cast<float>(random() % 2000) / 300 - 3);
        }
        return *ConvertElements(*Tensor::FromValues<float>(ElementType::kF32, {count}, values), element, runtime);
      };
      std::vector<int32_t> indices;
      for (int64_t n = 0; n < 3000; ++n) indices.push_back(static_cast<int32_t>(random() % 11) - 1);
      const absl::StatusOr<Value> result = EvaluateModule(
          module, {floats(9), *Tensor::FromValues<int32_t>(ElementType::kS32, {3000}, indices), floats(3000)});
      ASSERT_TRUE(result.ok()) << result.status();
      EXPECT_TRUE(result->elements()[0].tensor().BitwiseEqual(result->elements()[1].tensor())) << type << " " << opcode;
    }
  }
}

}  // namespace
}  // namespace hloscope::evaluator
