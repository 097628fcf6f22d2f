// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "codegen/conversion_loop.h"
#include "codegen/cpp_types.h"
#include "codegen/dot.h"
#include "codegen/families.h"
#include "numerics/contraction/narrow_gemm.h"
#include "numerics/convolution/convolution_bf16.h"
#include "numerics/convolution/convolution_planar.h"
#include "numerics/convolution/convolution_wide.h"

namespace hloscope::codegen {

namespace {

// The dimensions of the arrays in the order in which they are computed: batch, spatial ones, feature; of the kernel
// spatial ones, input feature, output feature.
struct Orders {
  std::vector<int64_t> lhs, kernel, output;
};

// Variables of the program.
struct Arrays {
  std::string lhs, kernel, sums;
};

// The problem that the runtime will have, without its arrays. Strides are those of the operands as they are.
numerics::ConvolutionProblem ProblemOf(const Module& module, InstructionId id, ElementType sum_type,
                                       const Orders& orders) {
  const Shape &lhs = module.shape(module.operand(id, 0)), &kernel = module.shape(module.operand(id, 1));
  numerics::ConvolutionProblem problem;
  problem.type = sum_type;
  problem.lhs.type = lhs.element_type();
  problem.kernel.type = kernel.element_type();
  const std::vector<int64_t> strides = RowMajorStridesOf(lhs.dimensions());
  for (int64_t d : orders.lhs) {
    problem.lhs.sizes.push_back(lhs.dimension(d));
    problem.lhs.strides.push_back(strides[static_cast<size_t>(d)]);
  }
  const std::vector<int64_t> kernel_strides = RowMajorStridesOf(kernel.dimensions());
  for (int64_t d : orders.kernel) {
    problem.kernel.sizes.push_back(kernel.dimension(d));
    problem.kernel.strides.push_back(kernel_strides[static_cast<size_t>(d)]);
  }
  problem.window.resize(orders.output.size() - 2);
  if (const Window* w = module.WindowAttribute(id)) problem.window = w->dimensions;
  for (size_t k = 1; k + 1 < orders.output.size(); ++k) {
    problem.output_spatial.push_back(module.shape(id).dimension(orders.output[k]));
  }
  problem.feature_group_count = module.IntAttribute(id, AttributeKind::kFeatureGroupCount, 1);
  problem.batch_group_count = module.IntAttribute(id, AttributeKind::kBatchGroupCount, 1);
  return problem;
}

// True if ConvolvePlanes of the runtime computes it from the input as it lies in memory, straight into the result.
bool IsByPlanes(const Module& module, InstructionId id, ElementType sum_type, const Orders& orders) {
  const ElementType type = module.shape(id).element_type(), from = module.shape(module.operand(id, 0)).element_type();
  const bool is_narrow = sum_type == ElementType::kF32 && from == ElementType::kBF16;
  const bool reads = is_narrow ? type == ElementType::kBF16 || type == ElementType::kF32 : from == type;
  const bool writes = type == sum_type || (sum_type == ElementType::kF32 && type == ElementType::kBF16);
  // [batch, feature, spatial...].
  bool is_in_order = orders.output.front() == 0 && orders.output.back() == 1;
  for (size_t k = 1; k + 1 < orders.output.size(); ++k) {
    is_in_order = is_in_order && orders.output[k] == static_cast<int64_t>(k) + 1;
  }
  const bool is_f32_or_bf16 = from == sum_type || is_narrow;
  return reads && writes && is_in_order && is_f32_or_bf16 &&
         numerics::SuitsPlanes(ProblemOf(module, id, sum_type, orders), type);
}

// True if the operands stay bf16, or become it: they are converted to the type of the result first (D5).
bool IsOfBf16(const Module& module, InstructionId id, ElementType sum_type, const Orders& orders) {
  const ElementType type = module.shape(id).element_type();
  numerics::ConvolutionProblem problem = ProblemOf(module, id, sum_type, orders);
  if (type == ElementType::kBF16) problem.lhs.type = problem.kernel.type = type;
  return numerics::SuitsBf16(problem) && numerics::IsBf16Product(problem.lhs.type, problem.kernel.type, type);
}

// Those in which the runtime takes the arrays: wide windows are read in orders of their own.
Orders ArrangedOrders(const Module& module, InstructionId id, ElementType sum_type, Orders orders) {
  if (!numerics::SuitsWideWindows(ProblemOf(module, id, sum_type, orders))) return orders;
  const numerics::WideOrders wide = numerics::OrdersOfWideWindows(orders.output.size() - 2);
  const auto composed = [](const std::vector<int64_t>& dimensions, const numerics::DimensionVector& order) {
    std::vector<int64_t> result;
    for (int64_t k : order) result.push_back(dimensions[static_cast<size_t>(k)]);
    return result;
  };
  orders.lhs = composed(orders.lhs, wide.lhs);
  orders.kernel = composed(orders.kernel, wide.kernel);
  return orders;
}

// The arrays that the runtime reads in planes, as they lie, if the window is wide.
numerics::WidePlanes PlanesOfWideWindow(const Module& module, InstructionId id, ElementType sum_type,
                                        const Orders& orders) {
  // To the result type first (D5).
  if (module.shape(id).element_type() != sum_type) return {};
  return numerics::PlanesOfWideWindows(ProblemOf(module, id, sum_type, orders));
}

// Strides, by dimension of the runtime's orders, of the arrays of a wide window: planes, or dense in orders of its own.
struct WideStrides {
  std::vector<int64_t> lhs, kernel;
};
WideStrides StridesOfWideWindow(const numerics::ConvolutionProblem& problem, const numerics::WidePlanes& planes) {
  const numerics::WideOrders orders = numerics::OrdersOfWideWindows(problem.window.size());
  const auto strides_of = [](const numerics::StridedArray& array, bool is_in_planes,
                             const numerics::DimensionVector& order) {
    std::vector<int64_t> strides(array.strides.begin(), array.strides.end());
    int64_t count = 1;
    for (size_t k = order.size(); k-- > 0 && !is_in_planes;) {
      strides[static_cast<size_t>(order[k])] = count;
      count *= array.sizes[static_cast<size_t>(order[k])];
    }
    return strides;
  };
  return {strides_of(problem.lhs, planes.lhs, orders.lhs), strides_of(problem.kernel, planes.kernel, orders.kernel)};
}

enum class Way { kSums, kOfBf16, kByPlanes, kOfPlanes };

// The call of the runtime: of a kernel, and unless it is by planes of an input and sums, that are dense in the given
// orders, of elements of `sum_type`; `planes`: those that are not, of kOfPlanes.
void WriteCall(ComputationWriter& writer, InstructionId id, ElementType sum_type, const Orders& orders,
               const Arrays& arrays, Way way, const numerics::WidePlanes& planes = {}) {
  const Module& module = writer.module();
  const size_t rank = orders.output.size() - 2;
  std::vector<WindowDimension> window(rank);
  if (const Window* w = module.WindowAttribute(id)) window = w->dimensions;
  const auto array = [&](const std::string& name, const std::vector<int64_t>& values) {
    const std::string variable = writer.LocalName(absl::StrCat(writer.NameFor(id), "_", name));
    // One entry at least: C++ has no empty arrays.
    writer.AddLine(absl::StrCat("const int64_t ", variable,
                                "[] = ", BracedList(values.empty() ? std::vector<int64_t>{0} : values), ";"));
    return variable;
  };
  const auto sizes_of = [](const Shape& shape, const std::vector<int64_t>& order) {
    std::vector<int64_t> values;
    for (int64_t d : order) values.push_back(shape.dimension(d));
    return values;
  };
  const auto of_window = [&](auto member) {
    std::vector<int64_t> values;
    for (const WindowDimension& w : window) values.push_back(static_cast<int64_t>(w.*member));
    return values;
  };
  const std::vector<int64_t> outputs = sizes_of(module.shape(id), orders.output);
  const std::string lhs_sizes = array("input", sizes_of(module.shape(module.operand(id, 0)), orders.lhs));
  const std::string kernel_sizes = array("kernel", sizes_of(module.shape(module.operand(id, 1)), orders.kernel));
  const std::string output = array("output", {outputs.begin() + 1, outputs.end() - 1});
  const std::string stride = array("stride", of_window(&WindowDimension::stride));
  const std::string padding = array("padding", of_window(&WindowDimension::padding_low));
  const std::string base = array("base_dilation", of_window(&WindowDimension::base_dilation));
  const std::string dilation = array("window_dilation", of_window(&WindowDimension::window_dilation));
  const std::string reversal = array("reversal", of_window(&WindowDimension::reversal));
  const std::string convolution =
      absl::StrCat("{", EnumeratorOf(sum_type), ", ", rank, ", ", lhs_sizes, ", ", kernel_sizes, ", ", output, ", ",
                   stride, ", ", padding, ", ", base, ", ", dilation, ", ", reversal, ", ",
                   module.IntAttribute(id, AttributeKind::kFeatureGroupCount, 1), ", ",
                   module.IntAttribute(id, AttributeKind::kBatchGroupCount, 1), "}, ");
  const std::string data =
      absl::StrCat(arrays.lhs, ".data(), ", arrays.kernel, ".data(), ", arrays.sums, ".to<char>());");
  if (way == Way::kSums) {
    writer.AddLine(absl::StrCat("Convolve(", convolution, data));
    return;
  }
  if (way == Way::kOfBf16) {
    writer.AddLine(
        absl::StrCat("ConvolveBf16(", convolution, EnumeratorOf(module.shape(id).element_type()), ", ", data));
    return;
  }
  numerics::ConvolutionProblem problem = ProblemOf(module, id, sum_type, orders);
  if (way == Way::kOfPlanes) {
    const WideStrides wide = StridesOfWideWindow(problem, planes);
    const std::string lhs_strides = array("input_strides", wide.lhs);
    const std::string kernel_strides = array("kernel_strides", wide.kernel);
    writer.AddLine(absl::StrCat("ConvolveStrided(", convolution, lhs_strides, ", ", kernel_strides, ", ", data));
    return;
  }
  if (!numerics::PlanesTakeKernel(problem, module.shape(id).element_type())) {
    problem.kernel = numerics::DenseArray(sum_type, nullptr, problem.kernel.sizes);
  }
  const auto strides_of = [&](const std::string& name, const numerics::StridedArray& of) {
    return array(name, {of.strides.begin(), of.strides.end()});
  };
  const std::string strides = strides_of("input_strides", problem.lhs);
  const std::string kernel_strides = strides_of("kernel_strides", problem.kernel);
  writer.AddLine(absl::StrCat(
      "ConvolvePlanes(", convolution, "{", EnumeratorOf(module.shape(module.operand(id, 0)).element_type()), ", ",
      EnumeratorOf(module.shape(id).element_type()), ", ", strides, ", ", kernel_strides, "}, ", data));
}

}  // namespace

absl::Status WriteConvolution(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const ConvolutionDimensionNumbers& numbers = *module.DimLabelsAttribute(id);
  const auto kind = module.WordAttribute(id, AttributeKind::kConvolutionKind, ConvolutionKind::kUnset);
  if (kind != ConvolutionKind::kUnset && kind != ConvolutionKind::kFprop) {
    return absl::UnimplementedError("a convolution_kind other than fprop");
  }
  if (module.SparsityAttribute(id) != nullptr) return absl::UnimplementedError("structured sparsity");
  if (module.BlockScalingAttribute(id) != nullptr) return absl::UnimplementedError("block scaling");
  writer.program().Use(RuntimePart::kConvolution);
  const InstructionId lhs = module.operand(id, 0), kernel = module.operand(id, 1);
  const Shape& shape = module.shape(id);
  const ElementType type = shape.element_type(), sum_type = SumType(type);

  std::vector<int64_t> lhs_order = {numbers.input_batch};
  lhs_order.insert(lhs_order.end(), numbers.input_spatial.begin(), numbers.input_spatial.end());
  lhs_order.push_back(numbers.input_feature);
  std::vector<int64_t> kernel_order(numbers.kernel_spatial.begin(), numbers.kernel_spatial.end());
  kernel_order.push_back(numbers.kernel_input_feature);
  kernel_order.push_back(numbers.kernel_output_feature);
  std::vector<int64_t> output_order = {numbers.output_batch};
  output_order.insert(output_order.end(), numbers.output_spatial.begin(), numbers.output_spatial.end());
  output_order.push_back(numbers.output_feature);

  const std::string result = writer.DefineAllocated(id);
  const int64_t count = shape.ElementCount();
  if (count == 0) return absl::OkStatus();
  // To the result type first (D5).
  const Orders orders = {lhs_order, kernel_order, output_order};
  if (IsByPlanes(module, id, sum_type, orders)) {
    const bool as_it_is = numerics::PlanesTakeKernel(ProblemOf(module, id, sum_type, orders), type);
    const std::string weights =
        as_it_is ? writer.Read(kernel) : WriteArranged(writer, id, kernel, kernel_order, {type, sum_type});
    WriteCall(writer, id, sum_type, orders, {writer.Read(lhs), weights, result}, Way::kByPlanes);
    return absl::OkStatus();
  }
  const bool is_of_bf16 = IsOfBf16(module, id, sum_type, orders);
  const std::vector<ElementType> types =
      is_of_bf16 ? std::vector<ElementType>{ElementType::kBF16} : std::vector<ElementType>{type, sum_type};
  const Orders arranged = ArrangedOrders(module, id, sum_type, orders);
  const numerics::WidePlanes planes = PlanesOfWideWindow(module, id, sum_type, orders);
  const std::string left = planes.lhs ? writer.Read(lhs) : WriteArranged(writer, id, lhs, arranged.lhs, types);
  const std::string right =
      planes.kernel ? writer.Read(kernel) : WriteArranged(writer, id, kernel, arranged.kernel, types);
  // The sums may be where the result goes if only their order is the same.
  const std::vector<int64_t> strides = RowMajorStridesOf(shape.dimensions());
  std::vector<int64_t> sizes, result_strides;
  // What is written: sums, or of bf16 what becomes of them.
  const ElementType written = is_of_bf16 ? type : sum_type;
  bool in_place = type == written && !IsInteger(type);
  int64_t last = -1;
  for (int64_t d : output_order) {
    sizes.push_back(shape.dimension(d));
    result_strides.push_back(strides[static_cast<size_t>(d)]);
    if (shape.dimension(d) == 1) continue;
    in_place = in_place && d > last;
    last = d;
  }
  const std::string sums =
      in_place ? result : WriteAllocation(writer, absl::StrCat(writer.NameFor(id), "_sums"), written, count);

  const Way way = is_of_bf16 ? Way::kOfBf16 : planes.lhs || planes.kernel ? Way::kOfPlanes : Way::kSums;
  WriteCall(writer, id, sum_type, orders, {left, right, sums}, way, planes);
  if (in_place) return absl::OkStatus();
  const StridedArray from = {sums, written, RowMajorStridesOf(sizes)}, to = {result, type, result_strides};
  if (IsInteger(type) && BitWidth(type) >= 8) {
    WriteConversionLoop(writer, id, sizes, from, to, {}, [&](const std::string& number) {
      return absl::StrCat("SaturatedSum<", StoredType(type), ">(", number, ")");
    });
  } else {
    WriteConversionLoop(writer, id, sizes, from, to);
  }
  return absl::OkStatus();
}

}  // namespace hloscope::codegen
