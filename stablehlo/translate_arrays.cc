// SPDX-License-Identifier: Apache-2.0
// Elementwise operations and those that move data.
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "stablehlo/constants.h"
#include "stablehlo/translator.h"

namespace hloscope::stablehlo {
namespace {

bool IsScalarBesideArray(HloRef operand, const Shape& shape) { return operand->shape.rank() == 0 && shape.rank() > 0; }

Shape WithElementType(Shape shape, ElementType type) {
  shape.set_element_type(type);
  return shape;
}

}  // namespace

bool Translator::TranslateSimple(Site& site) {
  const std::string opcode = absl::StrReplaceAll(site.op.short_name, {{"_", "-"}});
  return Define(site, opcode, site.operands, AccuracyText(site.op));
}

// HLO converts complex numbers to complex numbers only: the others are those of the real part.
bool Translator::TranslateConvert(Site& site) {
  if (!NeedsOperands(site, 1) || !NeedsResults(site, 1)) return false;
  const Shape& shape = site.op.results[0]->type->shape;
  const ElementType from = site.operands[0]->shape.element_type();
  if (!IsComplex(from) || IsComplex(shape.element_type())) return TranslateSimple(site);
  const ElementType part = from == ElementType::kC64 ? ElementType::kF32 : ElementType::kF64;
  if (shape.element_type() == part) return Define(site, "real", site.operands);
  site.operands[0] = Emit(site, "real", WithElementType(site.operands[0]->shape, part), site.operands);
  return Define(site, "convert", site.operands);
}

bool Translator::TranslateCompare(Site& site) {
  if (!NeedsOperands(site, 2)) return false;
  const std::string type = Word(site.op, "compare_type");
  std::string attributes = absl::StrCat(", direction=", Word(site.op, "comparison_direction"));
  if (!type.empty() && type != "NOTYPE") absl::StrAppend(&attributes, ", type=", type);
  return Define(site, "compare", site.operands, attributes);
}

bool Translator::TranslateSelect(Site& site) {
  if (!NeedsOperands(site, 3) || !NeedsResults(site, 1)) return false;
  const Shape& shape = site.op.results[0]->type->shape;
  if (IsScalarBesideArray(site.operands[0], shape)) {
    site.operands[0] = Broadcast(site, site.operands[0], WithElementType(shape, ElementType::kPred), {});
  }
  return Define(site, "select", site.operands);
}

bool Translator::TranslateClamp(Site& site) {
  if (!NeedsOperands(site, 3) || !NeedsResults(site, 1)) return false;
  const Shape& shape = site.op.results[0]->type->shape;
  for (const size_t k : {0u, 2u}) {
    if (IsScalarBesideArray(site.operands[k], shape)) site.operands[k] = Broadcast(site, site.operands[k], shape, {});
  }
  return Define(site, "clamp", site.operands);
}

bool Translator::TranslateConstant(Site& site) {
  const AttributeValue* const value = site.op.Find("value");
  if (value == nullptr || !NeedsResults(site, 1)) return false;
  const Type& type = *site.op.results[0]->type;
  if (!type.HasShape() || !type.shape.IsArray() || type.shape.HasUnboundedDimension()) {
    CheckType(type, site.op.name_range, "the constant");
    return false;
  }
  const std::optional<ConstantText> text = HloTextOfConstant(program_, *value, type.shape, sink_);
  if (!text.has_value()) return false;
  const std::string attributes = CommonAttributes(site.op);
  if (text->is_splat) {
    const HloRef scalar = Scalar(site, type.shape.element_type(), text->text);
    SetResult(site, 0,
              Emit(site, "broadcast", type.shape, {scalar}, absl::StrCat(", dimensions={}", attributes),
                   TextOrigin::Role::kResult));
    return true;
  }
  SetResult(site, 0,
            site.frame.body.AddWithText(PlaceOf(site.op, TextOrigin::Role::kResult), BaseName(site.op, "constant"),
                                        "constant", type.shape, text->text, attributes));
  return true;
}

bool Translator::TranslateIota(Site& site) {
  if (!NeedsResults(site, 1)) return false;
  if (site.op.results[0]->type->shape.rank() == 0) {
    return Fail(site.op, DiagnosticKind::kShloAttribute,
                "`iota` needs a dimension to count along; the result is a scalar");
  }
  return Define(site, "iota", {}, absl::StrCat(", iota_dimension=", Integer(site.op, "iota_dimension", 0)));
}

// broadcast_in_dim and dynamic_broadcast_in_dim. HLO's broadcast keeps the sizes of its operand: a dimension of size 1
// that grows is dropped.
bool Translator::TranslateBroadcastInDim(Site& site) {
  if (site.operands.empty() || !NeedsResults(site, 1)) return false;
  HloRef operand = site.operands[0];
  const Shape& shape = site.op.results[0]->type->shape;
  std::vector<int64_t> dimensions = Integers(site.op, "broadcast_dimensions");
  if (static_cast<int64_t>(dimensions.size()) != operand->shape.rank()) {
    return Fail(site.op, DiagnosticKind::kShloAttribute,
                absl::StrCat("`", site.op.name, "` maps ", dimensions.size(), " dimensions, its operand has ",
                             operand->shape.rank()));
  }
  for (const int64_t d : dimensions) {
    if (d >= 0 && d < shape.rank()) continue;
    return Fail(
        site.op, DiagnosticKind::kShloAttribute,
        absl::StrCat("`", site.op.name, "` has no result dimension ", d, ": the result is ", shape.ToString(false)));
  }
  std::vector<int64_t> order(dimensions.size());
  for (size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int64_t>(k);
  absl::c_sort(order, [&](int64_t a, int64_t b) {
    return dimensions[static_cast<size_t>(a)] < dimensions[static_cast<size_t>(b)];
  });
  if (!absl::c_is_sorted(dimensions)) {
    std::vector<int64_t> sizes;
    for (const int64_t d : order) sizes.push_back(operand->shape.dimension(d));
    operand = Emit(site, "transpose", Shape::Array(operand->shape.element_type(), sizes), {operand},
                   absl::StrCat(", dimensions=", BracedList(order)));
    absl::c_sort(dimensions);
  }
  // As XLA's builder does: first to the result with the dimensions of size 1 as they are, then without these.
  Shape narrow = shape;
  std::vector<bool> grows(static_cast<size_t>(shape.rank()), false);
  for (size_t k = 0; k < dimensions.size(); ++k) {
    const int64_t at = static_cast<int64_t>(k), d = dimensions[k];
    grows[static_cast<size_t>(d)] = operand->shape.dimension(at) == 1 && shape.dimension(d) != 1;
    if (!grows[static_cast<size_t>(d)]) continue;
    narrow.set_dimension(d, 1);
    narrow.set_dynamic_dimension(d, false);
  }
  if (absl::c_linear_search(grows, true)) {
    operand = Emit(site, "broadcast", narrow, {operand}, absl::StrCat(", dimensions=", BracedList(dimensions)));
    std::vector<int64_t> sizes;
    dimensions.clear();
    for (int64_t d = 0; d < shape.rank(); ++d) {
      if (grows[static_cast<size_t>(d)]) continue;
      sizes.push_back(shape.dimension(d));
      dimensions.push_back(d);
    }
    Shape kept = Shape::Array(shape.element_type(), sizes);
    for (size_t k = 0; k < dimensions.size(); ++k) {
      kept.set_dynamic_dimension(static_cast<int64_t>(k), shape.IsDynamicDimension(dimensions[k]));
    }
    operand = Emit(site, "reshape", kept, {operand});
  }
  return Define(site, "broadcast", {operand}, absl::StrCat(", dimensions=", BracedList(dimensions)));
}

bool Translator::TranslateBroadcast(Site& site) {
  if (!NeedsOperands(site, 1)) return false;
  const int64_t added = static_cast<int64_t>(Integers(site.op, "broadcast_sizes").size());
  std::vector<int64_t> dimensions;
  for (int64_t d = 0; d < site.operands[0]->shape.rank(); ++d) dimensions.push_back(added + d);
  return Define(site, "broadcast", site.operands, absl::StrCat(", dimensions=", BracedList(dimensions)));
}

bool Translator::TranslateReshape(Site& site) {
  if (site.operands.empty() || !NeedsResults(site, 1)) return false;
  const Shape& shape = site.op.results[0]->type->shape;
  if (site.op.short_name == "reshape" || !shape.IsDynamic()) return Define(site, "reshape", {site.operands[0]});
  // A bounded result: one scalar for each dimension.
  std::vector<HloRef> operands = {site.operands[0]};
  if (!NeedsOperands(site, 2)) return false;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    const ElementType type = site.operands[1]->shape.element_type();
    HloRef size = Emit(site, "slice", Shape::Array(type, {1}), {site.operands[1]},
                       absl::StrCat(", slice={[", d, ":", d + 1, "]}"));
    size = Emit(site, "reshape", Shape::Scalar(type), {size});
    if (type != ElementType::kS32) size = Emit(site, "convert", Shape::Scalar(ElementType::kS32), {size});
    operands.push_back(size);
  }
  return Define(site, "dynamic-reshape", operands);
}

// Operations whose only attribute is `dimensions`.
bool Translator::TranslateDimensions(Site& site) {
  static constexpr std::pair<absl::string_view, absl::string_view> kNames[] = {{"transpose", "permutation"},
                                                                               {"reverse", "dimensions"},
                                                                               {"concatenate", "dimension"},
                                                                               {"get_dimension_size", "dimension"}};
  for (const auto& [name, attribute] : kNames) {
    if (site.op.short_name != name) continue;
    return Define(site, absl::StrReplaceAll(name, {{"_", "-"}}), site.operands,
                  absl::StrCat(", dimensions=", BracedList(Integers(site.op, attribute))));
  }
  return false;
}

bool Translator::TranslateSetDimensionSize(Site& site) {
  return NeedsOperands(site, 2) && Define(site, "set-dimension-size", site.operands,
                                          absl::StrCat(", dimensions={", Integer(site.op, "dimension", 0), "}"));
}

namespace {

// slice={[0:4], [1:8:2]}; empty if the lists are of different length.
std::string SliceText(const std::vector<int64_t>& starts, const std::vector<int64_t>& limits,
                      const std::vector<int64_t>& strides) {
  if (starts.size() != limits.size() || starts.size() != strides.size()) return "";
  std::vector<std::string> ranges;
  for (size_t k = 0; k < starts.size(); ++k) {
    ranges.push_back(
        absl::StrCat("[", starts[k], ":", limits[k], strides[k] == 1 ? "" : absl::StrCat(":", strides[k]), "]"));
  }
  return absl::StrCat(", slice={", absl::StrJoin(ranges, ", "), "}");
}

}  // namespace

bool Translator::TranslateSlice(Site& site) {
  const std::string text =
      SliceText(Integers(site.op, "start_indices"), Integers(site.op, "limit_indices"), Integers(site.op, "strides"));
  if (text.empty())
    return Fail(site.op, DiagnosticKind::kShloAttribute, "starts, limits and strides must be of equal length");
  return Define(site, "slice", site.operands, text);
}

bool Translator::TranslateRealDynamicSlice(Site& site) {
  if (!NeedsOperands(site, 4) || !NeedsResults(site, 1)) return false;
  const auto starts = Constants(site.op.operands[1].value), limits = Constants(site.op.operands[2].value);
  const auto strides = Constants(site.op.operands[3].value);
  if (starts.has_value() && limits.has_value() && strides.has_value()) {
    const std::string text = SliceText(*starts, *limits, *strides);
    if (!text.empty()) return Define(site, "slice", {site.operands[0]}, text);
  }
  const bool is_unit = strides.has_value() && absl::c_all_of(*strides, [](int64_t n) { return n == 1; });
  if (!is_unit) {
    return Fail(site.op, DiagnosticKind::kShloDynamic,
                "the bounds of `real_dynamic_slice` must be constants, or its strides 1");
  }
  const Shape& shape = site.op.results[0]->type->shape;
  std::vector<HloRef> operands = {site.operands[0]};
  for (int64_t d = 0; d < shape.rank(); ++d) {
    const ElementType type = site.operands[1]->shape.element_type();
    const HloRef start = Emit(site, "slice", Shape::Array(type, {1}), {site.operands[1]},
                              absl::StrCat(", slice={[", d, ":", d + 1, "]}"));
    operands.push_back(Emit(site, "reshape", Shape::Scalar(type), {start}));
  }
  return Define(site, "dynamic-slice", operands,
                absl::StrCat(", dynamic_slice_sizes=", BracedList(shape.dimensions())));
}

bool Translator::TranslateDynamicSlice(Site& site) {
  return Define(site, "dynamic-slice", site.operands,
                absl::StrCat(", dynamic_slice_sizes=", BracedList(Integers(site.op, "slice_sizes"))));
}

// pad, and dynamic_pad with constant amounts.
bool Translator::TranslatePad(Site& site) {
  std::vector<int64_t> amounts[3];
  if (site.op.short_name == "dynamic_pad") {
    if (!NeedsOperands(site, 5)) return false;
    for (size_t k = 0; k < 3; ++k) {
      const auto constants = Constants(site.op.operands[2 + k].value);
      if (!constants.has_value())
        return Fail(site.op, DiagnosticKind::kShloDynamic, "the amounts of `dynamic_pad` must be constants");
      amounts[k] = *constants;
    }
  } else {
    amounts[0] = Integers(site.op, "edge_padding_low");
    amounts[1] = Integers(site.op, "edge_padding_high");
    amounts[2] = Integers(site.op, "interior_padding");
    if (!NeedsOperands(site, 2)) return false;
  }
  const size_t rank = static_cast<size_t>(site.operands[0]->shape.rank());
  std::vector<std::string> parts;
  for (const std::vector<int64_t>& list : amounts) {
    if (list.size() == rank) continue;
    return Fail(site.op, DiagnosticKind::kShloAttribute,
                absl::StrCat("`", site.op.name, "` needs ", rank, " amounts, there are ", list.size()));
  }
  const bool has_interior = absl::c_any_of(amounts[2], [](int64_t n) { return n != 0; });
  for (size_t k = 0; k < rank; ++k) {
    parts.push_back(
        absl::StrCat(amounts[0][k], "_", amounts[1][k], has_interior ? absl::StrCat("_", amounts[2][k]) : ""));
  }
  if (rank == 0) return TranslateFirstOperand(site);
  return Define(site, "pad", absl::MakeConstSpan(site.operands).first(2),
                absl::StrCat(", padding=", absl::StrJoin(parts, "x")));
}

bool Translator::TranslateGather(Site& site) {
  std::vector<int64_t> sizes = Integers(site.op, "slice_sizes");
  if (site.op.short_name == "dynamic_gather") {
    if (!NeedsOperands(site, 3)) return false;
    const auto constants = Constants(site.op.operands[2].value);
    if (!constants.has_value())
      return Fail(site.op, DiagnosticKind::kShloDynamic, "the slice sizes of `dynamic_gather` must be constants");
    sizes = *constants;
    site.operands.pop_back();
  }
  std::string text;
  for (const absl::string_view field : {"offset_dims", "collapsed_slice_dims", "start_index_map"}) {
    absl::StrAppend(&text, ", ", field, "=", BracedList(StructureIntegers(site.op, "dimension_numbers", field)));
  }
  for (const absl::string_view field : {"operand_batching_dims", "start_indices_batching_dims"}) {
    const std::vector<int64_t> list = StructureIntegers(site.op, "dimension_numbers", field);
    if (!list.empty()) absl::StrAppend(&text, ", ", field, "=", BracedList(list));
  }
  const std::vector<int64_t> vector = StructureIntegers(site.op, "dimension_numbers", "index_vector_dim");
  absl::StrAppend(&text, ", index_vector_dim=", vector.empty() ? 0 : vector[0], ", slice_sizes=", BracedList(sizes));
  if (Flag(site.op, "indices_are_sorted")) absl::StrAppend(&text, ", indices_are_sorted=true");
  return NeedsOperands(site, 2) && Define(site, "gather", site.operands, text);
}

// gather of whole slices along one dimension.
bool Translator::TranslateTorchIndexSelect(Site& site) {
  if (!NeedsOperands(site, 2) || !NeedsResults(site, 1)) return false;
  const Shape &x = site.operands[0]->shape, &index = site.operands[1]->shape;
  const int64_t dim = Integer(site.op, "dim", 0), batch = Integer(site.op, "batch_dims", 0);
  if (dim < 0 || dim >= x.rank() || batch < 0 || batch > std::min(dim, index.rank())) {
    return Fail(site.op, DiagnosticKind::kShloAttribute,
                "`dim` and `batch_dims` must be dimensions of the operand, batch_dims at most dim");
  }
  std::vector<int64_t> sizes(x.dimensions().begin(), x.dimensions().end()), batching, offset;
  sizes[static_cast<size_t>(dim)] = 1;
  for (int64_t d = 0; d < batch; ++d) {
    sizes[static_cast<size_t>(d)] = 1;
    batching.push_back(d);
  }
  // The result is x with `dim` replaced by the dimensions of the index that are not batch dimensions.
  const int64_t rank = x.rank() + index.rank() - 1 - batch;
  for (int64_t d = 0; d < rank; ++d) {
    if (d >= batch && (d < dim || d >= dim + index.rank() - batch)) offset.push_back(d);
  }
  std::string text = absl::StrCat(", offset_dims=", BracedList(offset), ", collapsed_slice_dims={", dim,
                                  "}, start_index_map={", dim, "}");
  if (batch > 0) {
    absl::StrAppend(&text, ", operand_batching_dims=", BracedList(batching),
                    ", start_indices_batching_dims=", BracedList(batching));
  }
  absl::StrAppend(&text, ", index_vector_dim=", index.rank(), ", slice_sizes=", BracedList(sizes));
  return Define(site, "gather", site.operands, text);
}

bool Translator::TranslateReducePrecision(Site& site) {
  return Define(site, "reduce-precision", site.operands,
                absl::StrCat(", exponent_bits=", Integer(site.op, "exponent_bits", 8),
                             ", mantissa_bits=", Integer(site.op, "mantissa_bits", 7)));
}

bool Translator::TranslateTuple(Site& site) { return Define(site, "tuple", site.operands); }

bool Translator::TranslateGetTupleElement(Site& site) {
  if (!NeedsOperands(site, 1)) return false;
  const int64_t index = Integer(site.op, "index", 0);
  const Shape& tuple = site.operands[0]->shape;
  if (!tuple.IsTuple() || index < 0 || index >= tuple.tuple_size()) {
    return Fail(site.op, DiagnosticKind::kShloType,
                absl::StrCat("element ", index, " of ", tuple.ToString(false), " does not exist"));
  }
  return Define(site, "get-tuple-element", site.operands, absl::StrCat(", index=", index));
}

bool Translator::TranslateBarrier(Site& site) {
  if (site.operands.empty()) return true;
  if (!NeedsResults(site, site.operands.size())) return false;
  if (site.operands.size() == 1) return Define(site, "opt-barrier", site.operands);
  return DefineAll(site, "opt-barrier", {TupleOf(site, site.operands)});
}

// The result is the operand: tensor.cast, sdy.propagation_barrier.
bool Translator::TranslateAlias(Site& site) { return NeedsOperands(site, 1) && TranslateFirstOperand(site); }

bool Translator::TranslateFirstOperand(Site& site) {
  if (!NeedsResults(site, 1)) return false;
  SetResult(site, 0, site.operands[0]);
  return true;
}

bool Translator::TranslateNothing(Site&) { return true; }

bool Translator::TranslateQuantize(Site& site) {
  return Fail(site.op, DiagnosticKind::kShloQuantized,
              absl::StrCat("`", site.op.name, "` has no HLO: quantized types exist in StableHLO only"));
}

}  // namespace hloscope::stablehlo
