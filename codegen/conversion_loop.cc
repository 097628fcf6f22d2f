// SPDX-License-Identifier: Apache-2.0
#include "codegen/conversion_loop.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "codegen/cpp_types.h"
#include "codegen/element_writer.h"
#include "codegen/loop_function.h"

namespace hloscope::codegen {

namespace {

using Convert = std::function<std::string(const std::string& number)>;

// The loops by their strides, outermost first, if these are those of a dense array; else none.
std::vector<size_t> MemoryOrder(absl::Span<const int64_t> sizes, absl::Span<const int64_t> strides) {
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return strides[a] > strides[b]; });
  int64_t count = 1;
  for (size_t k = order.size(); k-- > 0;) {
    if (sizes[order[k]] == 1) continue;
    if (strides[order[k]] != count) return {};
    count *= sizes[order[k]];
  }
  return order;
}

template <typename T>
std::vector<T> Permuted(const std::vector<T>& values, absl::Span<const size_t> order) {
  std::vector<T> permuted;
  for (size_t k : order) permuted.push_back(values[k]);
  return permuted;
}

// All elements in one loop nest.
void WriteLoop(ComputationWriter& writer, InstructionId owner, std::vector<int64_t> sizes, const StridedArray& from,
               const StridedArray& to, const std::vector<ElementType>& through, const Convert& convert) {
  LoopNest nest(std::move(sizes));
  LoopArguments arguments;
  const bool moves = from.type == to.type && through.empty() && convert == nullptr;
  const std::string from_type = moves ? BitsType(StorageBytes(from.type)) : StoredType(from.type);
  const std::string to_type = moves ? from_type : StoredType(to.type);
  for (ElementType type : {from.type, to.type}) {
    if (IsComplex(type)) writer.program().Use(RuntimePart::kComplex);
  }
  const std::string a = arguments.Input(from_type, absl::StrCat(from.name, ".as<", from_type, ">()"));
  const std::string r = arguments.Output(to_type, absl::StrCat(to.name, ".to<", to_type, ">()"));
  std::string element = nest.Element(a, {0, from.strides});
  if (!moves) {
    std::string number = nest.Name(NumberType(from.type), Loaded(from.type, element));
    ElementType type = from.type;
    for (ElementType next : through) {
      if (next != type) number = nest.Name(NumberType(next), Converted(type, next, number));
      type = next;
    }
    element = Stored(to.type, convert != nullptr ? convert(number) : Converted(type, to.type, number));
  }
  nest.AddLine(absl::StrCat(nest.Element(r, {0, to.strides}), " = ", element, ";"));
  nest.Join();
  constexpr double kNanoseconds = 0.6;
  if (moves) {
    writer.CallMoves(owner, arguments.parameters(), arguments.arguments(), nest, kNanoseconds, StorageBytes(to.type));
  } else {
    writer.CallLoop(owner, arguments.parameters(), arguments.arguments(),
                    FunctionOfNest(arguments.parameters(), nest, kNanoseconds));
  }
}

}  // namespace

void WriteConversionLoop(ComputationWriter& writer, InstructionId owner, std::vector<int64_t> sizes,
                         const StridedArray& from, const StridedArray& to, const std::vector<ElementType>& through,
                         const Convert& convert) {
  const int64_t count = ProductOf(sizes);
  if (count == 0) return;
  // Large arrays are converted in the order in which they lie in memory, and then brought into the other one.
  constexpr int64_t kLarge = 1 << 14;
  const bool moves = from.type == to.type && through.empty() && convert == nullptr;
  const std::vector<size_t> order = MemoryOrder(sizes, from.strides);
  if (moves || count < kLarge || order.size() != sizes.size() || order == MemoryOrder(sizes, to.strides)) {
    WriteLoop(writer, owner, std::move(sizes), from, to, through, convert);
    return;
  }
  const StridedArray converted = {WriteAllocation(writer, absl::StrCat(to.name, "_converted"), to.type, count), to.type,
                                  from.strides};
  const std::vector<int64_t> strides = Permuted(from.strides, order);
  WriteLoop(writer, owner, Permuted(sizes, order), {from.name, from.type, strides},
            {converted.name, converted.type, strides}, through, convert);
  WriteLoop(writer, owner, std::move(sizes), converted, to, {}, nullptr);
}

std::string WriteAllocation(ComputationWriter& writer, const std::string& wish, ElementType type, int64_t count) {
  return writer.AllocateScratch(wish, count * StorageBytes(type));
}

std::string WriteArranged(ComputationWriter& writer, InstructionId owner, InstructionId operand,
                          const std::vector<int64_t>& order, const std::vector<ElementType>& through) {
  const Shape& shape = writer.module().shape(operand);
  const std::vector<int64_t> strides = RowMajorStridesOf(shape.dimensions());
  std::vector<int64_t> sizes, ordered_strides;
  bool is_dense = true;
  int64_t last = -1;
  for (int64_t d : order) {
    sizes.push_back(shape.dimension(d));
    ordered_strides.push_back(strides[static_cast<size_t>(d)]);
    if (shape.dimension(d) == 1) continue;
    is_dense = is_dense && d > last;
    last = d;
  }
  bool converts = false;
  for (ElementType type : through) converts = converts || type != shape.element_type();
  if (is_dense && !converts) return writer.Read(operand);
  const ElementType type = through.empty() ? shape.element_type() : through.back();
  std::string name =
      WriteAllocation(writer, absl::StrCat(writer.NameFor(operand), "_arranged"), type, ProductOf(sizes));
  const std::string from = writer.Read(operand);
  const std::vector<int64_t> dense = RowMajorStridesOf(sizes);
  WriteConversionLoop(writer, owner, sizes, {from, shape.element_type(), ordered_strides}, {name, type, dense},
                      converts ? through : std::vector<ElementType>());
  return name;
}

}  // namespace hloscope::codegen
