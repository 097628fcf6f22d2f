// SPDX-License-Identifier: Apache-2.0
#include "core/builder/expansions.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/builder/broadcasting.h"
#include "core/ir/checked_math.h"
#include "core/layout/physical_layout.h"

namespace hloscope {
namespace {

template <typename... Parts>
absl::Status Bad(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

absl::Status CheckArray(absl::string_view what, const BuilderValue& x) {
  if (!x.shape.IsArray()) return Bad(what, ": operand 0 must be an array, got ", x.shape.ToString(false));
  return absl::OkStatus();
}

absl::Status CheckStatic(absl::string_view what, const BuilderValue& x) {
  if (absl::Status status = CheckArray(what, x); !status.ok()) return status;
  if (!x.shape.IsDynamic()) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat(what, ": ", x.shape.ToString(false), " has a dynamic size, which needs instructions that carry it"));
}

// The product of sizes; an error if it does not fit 64 bits. Sizes must not be negative.
absl::StatusOr<int64_t> Product(absl::string_view what, absl::Span<const int64_t> sizes) {
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return 0;
  CheckedInt64 product(1);
  for (int64_t size : sizes) product = product * size;
  if (product.ok()) return product.value();
  return absl::OutOfRangeError(absl::StrCat(what, ": size computation overflows (", absl::StrJoin(sizes, "*"), ")"));
}

absl::Status CheckSizes(absl::string_view what, absl::Span<const int64_t> sizes) {
  for (size_t k = 0; k < sizes.size(); ++k) {
    if (sizes[k] < 0) {
      return Bad(what, ": size[", k, "]=", sizes[k] == kUnboundedSize ? "?" : absl::StrCat(sizes[k]),
                 sizes[k] == kUnboundedSize ? " is unbounded" : " is negative");
    }
  }
  return Product(what, sizes).status();
}

std::string DimensionsAttribute(absl::Span<const int64_t> dimensions) {
  return absl::StrCat(", dimensions=", ListText(dimensions));
}

absl::Status CheckDimension(absl::string_view what, const BuilderValue& x, int64_t dim) {
  if (dim >= 0 && dim < x.shape.rank()) return absl::OkStatus();
  return Bad(what, ": dimension ", dim, " out of range [0,", x.shape.rank(), ")");
}

// A scalar of the element type of `x`.
absl::Status CheckScalar(absl::string_view what, const BuilderValue& scalar, const BuilderValue& x) {
  if (scalar.shape.IsScalar() && scalar.shape.element_type() == x.shape.element_type()) return absl::OkStatus();
  return Bad(what, ": `", scalar.name, "` must be ", ElementTypeName(x.shape.element_type()), "[], got ",
             scalar.shape.ToString(false));
}

}  // namespace

BuilderValue AddBroadcastInDim(SnippetWriter& writer, const BuilderValue& x, const Shape& result,
                               absl::Span<const int64_t> dims) {
  // What stretches is reshaped away: broadcast itself never stretches a size of 1.
  std::vector<int64_t> kept_sizes, kept_dims;
  std::vector<bool> kept_dynamic;
  for (size_t k = 0; k < dims.size(); ++k) {
    const int64_t d = static_cast<int64_t>(k);
    if (x.shape.dimension(d) == 1 && result.dimension(dims[k]) != 1) continue;
    kept_sizes.push_back(x.shape.dimension(d));
    kept_dims.push_back(dims[k]);
    kept_dynamic.push_back(x.shape.IsDynamicDimension(d));
  }
  BuilderValue value = x;
  if (kept_sizes.size() < dims.size()) {
    Shape reshaped = Shape::Array(x.shape.element_type(), kept_sizes);
    for (size_t k = 0; k < kept_dynamic.size(); ++k) {
      if (kept_dynamic[k]) reshaped.set_dynamic_dimension(static_cast<int64_t>(k), true);
    }
    value = writer.Add(Opcode::kReshape, reshaped, {value});
  }
  if (static_cast<int64_t>(kept_dims.size()) == result.rank()) return value;
  return writer.Add(Opcode::kBroadcast, result, {value}, DimensionsAttribute(kept_dims));
}

absl::StatusOr<Snippet> ExpandBroadcastInDim(const BuilderValue& x, absl::Span<const int64_t> sizes,
                                             absl::Span<const int64_t> dims, SnippetNames* names) {
  constexpr absl::string_view kName = "broadcast-in-dim";
  if (absl::Status status = CheckArray(kName, x); !status.ok()) return status;
  const int64_t rank = x.shape.rank(), result_rank = static_cast<int64_t>(sizes.size());
  if (static_cast<int64_t>(dims.size()) != rank) {
    return Bad(kName, ": ", dims.size(), " broadcast dimensions, operand rank is ", rank);
  }
  if (rank > result_rank) return Bad(kName, ": operand rank ", rank, " exceeds output rank ", result_rank);
  if (absl::Status status = CheckSizes(kName, sizes); !status.ok()) return status;
  for (size_t k = 0; k < dims.size(); ++k) {
    if (dims[k] < 0 || dims[k] >= result_rank) {
      return Bad(kName, ": dimension ", dims[k], " out of range [0,", result_rank, ")");
    }
    if (k > 0 && dims[k] <= dims[k - 1]) return Bad(kName, ": dimension ", dims[k], " comes after ", dims[k - 1]);
    const int64_t d = static_cast<int64_t>(k), size = sizes[static_cast<size_t>(dims[k])];
    if (x.shape.IsDynamicDimension(d)) return Bad(kName, ": dimension ", k, " is dynamic on one side only");
    if (x.shape.dimension(d) != 1 && x.shape.dimension(d) != size) {
      return Bad(kName, ": operand dimension ", k, " is ", x.shape.dimension(d), ", output dimension ", dims[k], " is ",
                 size);
    }
  }
  SnippetWriter writer(names, {x});
  return writer.Finish(AddBroadcastInDim(writer, x, Shape::Array(x.shape.element_type(), sizes), dims));
}

absl::StatusOr<Snippet> ExpandBroadcast(const BuilderValue& x, absl::Span<const int64_t> sizes, SnippetNames* names) {
  constexpr absl::string_view kName = "broadcast";
  if (absl::Status status = CheckStatic(kName, x); !status.ok()) return status;
  if (absl::Status status = CheckSizes(kName, sizes); !status.ok()) return status;
  std::vector<int64_t> result_sizes(sizes.begin(), sizes.end()), dims;
  for (int64_t size : x.shape.dimensions()) {
    dims.push_back(static_cast<int64_t>(result_sizes.size()));
    result_sizes.push_back(size);
  }
  if (absl::Status status = CheckSizes(kName, result_sizes); !status.ok()) return status;
  SnippetWriter writer(names, {x});
  const Shape result = Shape::Array(x.shape.element_type(), result_sizes);
  return writer.Finish(writer.Add(Opcode::kBroadcast, result, {x}, DimensionsAttribute(dims)));
}

absl::StatusOr<Snippet> ExpandCollapse(const BuilderValue& x, absl::Span<const int64_t> dims, SnippetNames* names) {
  constexpr absl::string_view kName = "collapse";
  if (absl::Status status = CheckStatic(kName, x); !status.ok()) return status;
  for (size_t k = 0; k < dims.size(); ++k) {
    if (dims[k] < 0 || dims[k] >= x.shape.rank()) {
      return Bad(kName, ": dimension ", dims[k], " out of range [0,", x.shape.rank(), ")");
    }
    if (k > 0 && dims[k] != dims[k - 1] + 1) {
      return Bad(kName, ": dimensions ", ListText(dims), " are not consecutive ascending");
    }
  }
  SnippetWriter writer(names, {x});
  if (dims.size() <= 1) return writer.Finish(x);
  const absl::Span<const int64_t> sizes = x.shape.dimensions();
  const size_t first = static_cast<size_t>(dims.front());
  const absl::StatusOr<int64_t> product = Product(kName, sizes.subspan(first, dims.size()));
  if (!product.ok()) return product.status();
  std::vector<int64_t> result_sizes(sizes.begin(), sizes.begin() + dims.front());
  result_sizes.push_back(*product);
  result_sizes.insert(result_sizes.end(), sizes.begin() + dims.back() + 1, sizes.end());
  return writer.Finish(writer.Add(Opcode::kReshape, Shape::Array(x.shape.element_type(), result_sizes), {x}));
}

absl::StatusOr<Snippet> ExpandReshape(const BuilderValue& x, absl::Span<const int64_t> order,
                                      absl::Span<const int64_t> sizes, SnippetNames* names) {
  constexpr absl::string_view kName = "reshape";
  if (absl::Status status = CheckStatic(kName, x); !status.ok()) return status;
  if (absl::Status status = CheckSizes(kName, sizes); !status.ok()) return status;
  if (!IsPermutation(order, x.shape.rank())) {
    return Bad(kName, ": the order ", ListText(order), " does not list each of the ", x.shape.rank(), " dimensions of ",
               x.shape.ToString(false), " once");
  }
  const Shape result = Shape::Array(x.shape.element_type(), sizes);
  if (result.ElementCount() != x.shape.ElementCount()) {
    return Bad(kName, ": ", x.shape.ElementCount(), " elements in ", x.shape.ToString(false), " but ",
               result.ElementCount(), " in ", result.ToString());
  }
  SnippetWriter writer(names, {x});
  BuilderValue value = x;
  if (!std::is_sorted(order.begin(), order.end())) {
    std::vector<int64_t> transposed;
    for (int64_t d : order) transposed.push_back(x.shape.dimension(d));
    value = writer.Add(Opcode::kTranspose, Shape::Array(x.shape.element_type(), transposed), {value},
                       DimensionsAttribute(order));
  }
  if (value.shape.dimensions() != result.dimensions()) value = writer.Add(Opcode::kReshape, result, {value});
  return writer.Finish(value);
}

absl::StatusOr<Snippet> ExpandConcatInDim(absl::Span<const BuilderValue> operands, int64_t dim, SnippetNames* names) {
  constexpr absl::string_view kName = "concat-in-dim";
  if (operands.empty()) return Bad(kName, ": there is nothing to concatenate");
  SnippetWriter writer(names);
  CheckedInt64 size = 0;
  const Shape& first = operands[0].shape;
  for (const BuilderValue& operand : operands) {
    if (absl::Status status = CheckStatic(kName, operand); !status.ok()) return status;
    if (absl::Status status = CheckDimension(kName, operand, dim); !status.ok()) return status;
    bool fits = operand.shape.element_type() == first.element_type() && operand.shape.rank() == first.rank();
    for (int64_t d = 0; fits && d < first.rank(); ++d) {
      fits = d == dim || operand.shape.dimension(d) == first.dimension(d);
    }
    if (!fits) {
      return Bad(kName, ": ", first.ToString(false), " and ", operand.shape.ToString(false),
                 " must agree in everything but dimension ", dim);
    }
    size = size + operand.shape.dimension(dim);
    writer.Take(operand.name);
  }
  if (!size.ok()) return absl::OutOfRangeError(absl::StrCat(kName, ": size computation overflows"));
  Shape result = Shape::Array(first.element_type(), first.dimensions());
  result.set_dimension(dim, size.value());
  if (absl::Status status = CheckSizes(kName, result.dimensions()); !status.ok()) return status;
  return writer.Finish(writer.Add(Opcode::kConcatenate, result, operands, DimensionsAttribute({dim})));
}

absl::StatusOr<Snippet> ExpandSliceInDim(const BuilderValue& x, int64_t start, int64_t limit, int64_t stride,
                                         int64_t dim, SnippetNames* names) {
  constexpr absl::string_view kName = "slice-in-dim";
  if (absl::Status status = CheckStatic(kName, x); !status.ok()) return status;
  if (absl::Status status = CheckDimension(kName, x, dim); !status.ok()) return status;
  const int64_t size = x.shape.dimension(dim);
  if (start < 0 || start > limit || limit > size || stride < 1) {
    return Bad(kName, ": [", start, ":", limit, ":", stride, "] is no range of dimension ", dim, ", which has size ",
               size);
  }
  Shape result = Shape::Array(x.shape.element_type(), x.shape.dimensions());
  result.set_dimension(dim, CeilDiv(limit - start, stride));
  std::vector<std::string> ranges;
  for (int64_t d = 0; d < x.shape.rank(); ++d) {
    ranges.push_back(d != dim      ? absl::StrCat("[0:", x.shape.dimension(d), "]")
                     : stride == 1 ? absl::StrCat("[", start, ":", limit, "]")
                                   : absl::StrCat("[", start, ":", limit, ":", stride, "]"));
  }
  SnippetWriter writer(names, {x});
  return writer.Finish(
      writer.Add(Opcode::kSlice, result, {x}, absl::StrCat(", slice={", absl::StrJoin(ranges, ", "), "}")));
}

absl::StatusOr<Snippet> ExpandPadInDim(const BuilderValue& x, const BuilderValue& value, int64_t dim, int64_t low,
                                       int64_t high, SnippetNames* names) {
  constexpr absl::string_view kName = "pad-in-dim";
  if (absl::Status status = CheckStatic(kName, x); !status.ok()) return status;
  if (absl::Status status = CheckDimension(kName, x, dim); !status.ok()) return status;
  if (absl::Status status = CheckScalar(kName, value, x); !status.ok()) return status;
  const CheckedInt64 size = CheckedInt64(x.shape.dimension(dim)) + low + high;
  if (!size.ok()) return absl::OutOfRangeError(absl::StrCat(kName, ": size computation overflows"));
  if (size.value() < 0) {
    return Bad(kName, ": dimension ", dim, " would have size ", size.value(), " (", x.shape.dimension(dim),
               " with padding ", low, "_", high, ")");
  }
  Shape result = Shape::Array(x.shape.element_type(), x.shape.dimensions());
  result.set_dimension(dim, size.value());
  if (absl::Status status = CheckSizes(kName, result.dimensions()); !status.ok()) return status;
  std::vector<std::string> pads(static_cast<size_t>(x.shape.rank()), "0_0");
  pads[static_cast<size_t>(dim)] = absl::StrCat(low, "_", high);
  SnippetWriter writer(names, {x});
  writer.Take(value.name);
  return writer.Finish(
      writer.Add(Opcode::kPad, result, {x, value}, absl::StrCat(", padding=", absl::StrJoin(pads, "x"))));
}

absl::StatusOr<Snippet> ExpandReduceAll(const BuilderValue& x, const BuilderValue& init, Opcode opcode,
                                        SnippetNames* names) {
  constexpr absl::string_view kName = "reduce-all";
  if (absl::Status status = CheckArray(kName, x); !status.ok()) return status;
  if (absl::Status status = CheckScalar(kName, init, x); !status.ok()) return status;
  if (!IsPlainBinary(opcode) || opcode == Opcode::kCompare || opcode == Opcode::kComplex) {
    return Bad(kName, ": `", OpcodeName(opcode), "` does not make one value of two of the same type");
  }
  std::vector<int64_t> all;
  for (int64_t d = 0; d < x.shape.rank(); ++d) all.push_back(d);
  SnippetWriter writer(names, {x});
  writer.Take(init.name);
  const ElementType type = x.shape.element_type();
  const std::string reducer = writer.AddScalarComputation(opcode, type);
  return writer.Finish(writer.Add(Opcode::kReduce, Shape::Scalar(type), {x, init},
                                  absl::StrCat(DimensionsAttribute(all), ", to_apply=", reducer)));
}

absl::StatusOr<Snippet> ExpandDot(const BuilderValue& lhs, const BuilderValue& rhs, SnippetNames* names) {
  constexpr absl::string_view kName = "dot";
  for (const BuilderValue* operand : {&lhs, &rhs}) {
    if (absl::Status status = CheckStatic(kName, *operand); !status.ok()) return status;
    if (operand->shape.rank() != 1 && operand->shape.rank() != 2) {
      return Bad(kName, ": operands are vectors or matrices, got ", operand->shape.ToString(false));
    }
  }
  const int64_t contracted = lhs.shape.rank() - 1;
  if (lhs.shape.dimension(contracted) != rhs.shape.dimension(0)) {
    return Bad(kName, ": lhs contracting dimension ", contracted, " has size ", lhs.shape.dimension(contracted),
               " but rhs contracting dimension 0 has size ", rhs.shape.dimension(0));
  }
  std::vector<int64_t> sizes;
  if (lhs.shape.rank() == 2) sizes.push_back(lhs.shape.dimension(0));
  if (rhs.shape.rank() == 2) sizes.push_back(rhs.shape.dimension(1));
  if (absl::Status status = CheckSizes(kName, sizes); !status.ok()) return status;
  SnippetWriter writer(names, {lhs});
  writer.Take(rhs.name);
  const Shape result = Shape::Array(WiderType(lhs.shape.element_type(), rhs.shape.element_type()), sizes);
  return writer.Finish(writer.Add(Opcode::kDot, result, {lhs, rhs},
                                  absl::StrCat(", lhs_contracting_dims={", contracted, "}, rhs_contracting_dims={0}")));
}

absl::StatusOr<SamePadding> ComputeSamePadding(int64_t input, int64_t window, int64_t stride) {
  SamePadding padding;
  padding.output = CeilDiv(input, stride);
  const CheckedInt64 needed = (CheckedInt64(padding.output) - 1) * stride + window - input;
  if (!needed.ok()) {
    return absl::OutOfRangeError(absl::StrCat("SAME padding: size computation overflows (input ", input, ", window ",
                                              window, ", stride ", stride, ")"));
  }
  const int64_t total = std::max<int64_t>(needed.value(), 0);
  padding.low = total / 2;
  padding.high = total - padding.low;
  return padding;
}

absl::StatusOr<Snippet> ExpandConv(const BuilderValue& lhs, const BuilderValue& kernel, const ConvOptions& options,
                                   SnippetNames* names) {
  constexpr absl::string_view kName = "conv";
  for (const BuilderValue* operand : {&lhs, &kernel}) {
    if (absl::Status status = CheckStatic(kName, *operand); !status.ok()) return status;
  }
  if (lhs.shape.rank() != kernel.shape.rank() || lhs.shape.rank() < 2) {
    return Bad(kName, ": the operands ", lhs.shape.ToString(false), " and ", kernel.shape.ToString(false),
               " must have equal ranks of at least 2");
  }
  const size_t spatial = static_cast<size_t>(lhs.shape.rank()) - 2;
  std::vector<int64_t> strides = options.strides;
  if (strides.empty()) strides.assign(spatial, 1);
  if (strides.size() != spatial) return Bad(kName, ": strides has ", strides.size(), " entries, expected ", spatial);
  if (options.feature_group_count < 1 || options.batch_group_count < 1) {
    return Bad(kName, ": feature_group_count ", options.feature_group_count, " and batch_group_count ",
               options.batch_group_count, " must be positive");
  }
  std::vector<int64_t> sizes = {lhs.shape.dimension(0) / options.batch_group_count, kernel.shape.dimension(0)};
  std::vector<std::string> windows, window_strides, pads;
  std::string digits;
  for (size_t j = 0; j < spatial; ++j) {
    const int64_t d = static_cast<int64_t>(j) + 2;
    const int64_t input = lhs.shape.dimension(d), window = kernel.shape.dimension(d), stride = strides[j];
    if (window < 1 || stride < 1) {
      return Bad(kName, ": spatial dimension ", j, " has window size ", window, " and stride ", stride,
                 "; both must be at least 1");
    }
    SamePadding padding;
    if (options.padding == ConvPadding::kSame) {
      const absl::StatusOr<SamePadding> same = ComputeSamePadding(input, window, stride);
      if (!same.ok()) return same.status();
      padding = *same;
    } else {
      padding.output = input < window ? 0 : (input - window) / stride + 1;
    }
    sizes.push_back(padding.output);
    windows.push_back(absl::StrCat(window));
    window_strides.push_back(absl::StrCat(stride));
    pads.push_back(absl::StrCat(padding.low, "_", padding.high));
    absl::StrAppend(&digits, j);
  }
  if (spatial > 10) return Bad(kName, ": dim_labels can name at most 10 spatial dimensions, not ", spatial);
  if (absl::Status status = CheckSizes(kName, sizes); !status.ok()) return status;
  std::string attributes;
  if (spatial > 0) {
    absl::StrAppend(&attributes, ", window={size=", absl::StrJoin(windows, "x"),
                    " stride=", absl::StrJoin(window_strides, "x"), " pad=", absl::StrJoin(pads, "x"), "}");
  }
  absl::StrAppend(&attributes, ", dim_labels=bf", digits, "_oi", digits, "->bf", digits);
  if (options.feature_group_count > 1) {
    absl::StrAppend(&attributes, ", feature_group_count=", options.feature_group_count);
  }
  if (options.batch_group_count > 1) absl::StrAppend(&attributes, ", batch_group_count=", options.batch_group_count);
  SnippetWriter writer(names, {lhs});
  writer.Take(kernel.name);
  const Shape result = Shape::Array(WiderType(lhs.shape.element_type(), kernel.shape.element_type()), sizes);
  return writer.Finish(writer.Add(Opcode::kConvolution, result, {lhs, kernel}, attributes));
}

absl::StatusOr<Snippet> ExpandCrossReplicaSum(const BuilderValue& x,
                                              absl::Span<const std::vector<int64_t>> replica_groups,
                                              SnippetNames* names) {
  constexpr absl::string_view kName = "cross-replica-sum";
  const bool is_tuple = x.shape.IsTuple();
  if (!is_tuple) {
    if (absl::Status status = CheckArray(kName, x); !status.ok()) return status;
  } else if (x.shape.tuple_size() == 0) {
    return Bad(kName, ": tuple has no elements");
  }
  for (const Shape& element : x.shape.elements()) {
    if (!element.IsArray()) return Bad(kName, ": the tuple holds ", element.ToString(false), ", which is no array");
  }
  SnippetWriter writer(names, {x});
  std::vector<BuilderValue> operands;
  if (is_tuple) {
    for (int64_t i = 0; i < x.shape.tuple_size(); ++i) {
      operands.push_back(
          writer.Add(Opcode::kGetTupleElement, x.shape.element(i).WithoutLayout(), {x}, absl::StrCat(", index=", i)));
    }
  } else {
    operands.push_back(x);
  }
  const ElementType type = operands[0].shape.element_type();
  const std::string sum = writer.AddScalarComputation(type == ElementType::kPred ? Opcode::kOr : Opcode::kAdd, type);
  std::vector<std::string> groups;
  for (const std::vector<int64_t>& group : replica_groups) groups.push_back(ListText(group));
  const std::string attributes = absl::StrCat(", replica_groups={", absl::StrJoin(groups, ","), "}, to_apply=", sum);
  // One operand gives an array; the tuple around it has to be made again.
  const bool tuple_result = operands.size() > 1;
  BuilderValue result =
      writer.Add(Opcode::kAllReduce, tuple_result ? x.shape.WithoutLayout() : operands[0].shape.WithoutLayout(),
                 operands, attributes);
  if (is_tuple && !tuple_result) result = writer.Add(Opcode::kTuple, x.shape.WithoutLayout(), {result});
  return writer.Finish(result);
}

}  // namespace hloscope
