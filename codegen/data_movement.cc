// SPDX-License-Identifier: Apache-2.0
// dynamic-slice, dynamic-update-slice, and bitcasts that move elements. The rest of the family are views and loops
// (index_map.h, element_loop.cc).
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "codegen/cpp_types.h"
#include "codegen/element_writer.h"
#include "codegen/families.h"

namespace hloscope::codegen {
namespace {

// Adds a line with the offset of the block of `sizes` that starts, clamped, at the scalar operands from number `first`
// on; returns its name.
std::string WriteBlockOffset(ComputationWriter& writer, InstructionId id, size_t first, const Shape& array,
                             absl::Span<const int64_t> sizes) {
  const Module& module = writer.module();
  const std::vector<int64_t> strides = RowMajorStridesOf(array.dimensions());
  std::string sum;
  const auto add = [&](const std::string& index, size_t d) {
    const int64_t largest = array.dimension(static_cast<int64_t>(d)) - sizes[d];
    if (largest == 0) return;
    absl::StrAppend(&sum, sum.empty() ? "" : " + ", "ClampIndex(", index, ", ", largest, ") * ", strides[d]);
  };
  if (module.operands(id).size() == first + 1 && module.shape(module.operand(id, first)).rank() == 1) {
    // The old form: one vector of indices.
    for (size_t d = 0; d < sizes.size(); ++d) {
      add(absl::StrCat(writer.ReadData(module.operand(id, first)), "[", d, "]"), d);
    }
  } else {
    for (size_t d = 0; d < sizes.size(); ++d) {
      add(absl::StrCat("*", writer.ReadData(module.operand(id, first + d))), d);
    }
  }
  if (sum.empty()) return "0";
  std::string name = writer.LocalName(absl::StrCat(writer.NameFor(id), "_at"));
  writer.AddLine(absl::StrCat("const int64_t ", name, " = ", sum, ";"));
  return name;
}

// Copies a block of `sizes` between a dense array and a block of a larger one of `outer` sizes.
void WriteBlockCopy(ComputationWriter& writer, InstructionId id, const std::string& from,
                    absl::Span<const int64_t> from_sizes, const std::string& to, absl::Span<const int64_t> to_sizes,
                    std::vector<int64_t> sizes, const std::string& type) {
  if (ProductOf(sizes) == 0) return;
  LoopNest nest(std::move(sizes));
  LoopArguments arguments;
  const std::string source = arguments.Input(type, from);
  const std::string target = arguments.Output(type, to);
  const std::string from_index = nest.Index({0, RowMajorStridesOf(from_sizes)});
  const std::string to_index = nest.Index({0, RowMajorStridesOf(to_sizes)});
  nest.AddLine(absl::StrCat(target, "[", to_index, "] = ", source, "[", from_index, "];"));
  nest.Join();
  writer.CallLoop(id, arguments.parameters(), arguments.arguments(), FunctionOfNest(arguments.parameters(), nest, 0.5));
}

absl::Status WriteDynamicSlice(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const InstructionId operand = module.operand(id, 0);
  const Shape& array = module.shape(operand);
  const Shape& shape = module.shape(id);
  const std::vector<int64_t> sizes(shape.dimensions().begin(), shape.dimensions().end());
  const std::string at = WriteBlockOffset(writer, id, 1, array, sizes);
  const std::string result = writer.DefineAllocated(id);
  const std::string type = BitsType(StorageBytes(shape.element_type()));
  WriteBlockCopy(writer, id, absl::StrCat(writer.Read(operand), ".as<", type, ">() + ", at), array.dimensions(),
                 absl::StrCat(result, ".to<", type, ">()"), sizes, sizes, type);
  return absl::OkStatus();
}

absl::Status WriteDynamicUpdateSlice(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const InstructionId update = module.operand(id, 1);
  const Shape& array = module.shape(id);
  const Shape& shape = module.shape(update);
  const std::vector<int64_t> sizes(shape.dimensions().begin(), shape.dimensions().end());
  const std::string at = WriteBlockOffset(writer, id, 2, array, sizes);
  const std::string taken = writer.Take(module.operand(id, 0));
  const std::string result = writer.Define(id);
  writer.AddLine(absl::StrCat("Array ", result, " = Writable(", taken, ");"));
  const std::string type = BitsType(StorageBytes(shape.element_type()));
  WriteBlockCopy(writer, id, absl::StrCat(writer.Read(update), ".as<", type, ">()"), sizes,
                 absl::StrCat(result, ".to<", type, ">() + ", at), array.dimensions(), sizes, type);
  return absl::OkStatus();
}

// The elements in the order of the operand's memory, then from the order of the result's.
absl::Status WriteBitcast(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const InstructionId operand = module.operand(id, 0);
  const Shape& from = module.shape(operand);
  const Shape& to = module.shape(id);
  for (const Shape* shape : {&from, &to}) {
    if (shape->has_layout() && !shape->layout().tiles.empty()) {
      return absl::UnimplementedError("a bitcast between tiled layouts that moves elements");
    }
  }
  if (BitWidth(from.element_type()) != BitWidth(to.element_type()) || from.ElementCount() != to.ElementCount()) {
    return absl::UnimplementedError("a bitcast between elements of different widths");
  }
  const std::string type = BitsType(StorageBytes(to.element_type()));
  const auto ordered = [](const Shape& shape, absl::Span<const int64_t> values) {
    std::vector<int64_t> result;
    for (int64_t d : MajorToMinor(shape)) result.push_back(values[static_cast<size_t>(d)]);
    return result;
  };
  // sizes: in the order of memory; strides: of the logical order.
  const auto copy = [&](const Shape& shape, const std::string& source, const std::string& target, bool to_memory) {
    LoopNest nest(ordered(shape, shape.dimensions()));
    LoopArguments arguments;
    const std::string a = arguments.Input(type, source), r = arguments.Output(type, target);
    const LinearIndex memory = {0, RowMajorStridesOf(nest.sizes())};
    const LinearIndex logical = {0, ordered(shape, RowMajorStridesOf(shape.dimensions()))};
    const std::string from_index = nest.Index(to_memory ? logical : memory);
    const std::string to_index = nest.Index(to_memory ? memory : logical);
    nest.AddLine(absl::StrCat(r, "[", to_index, "] = ", a, "[", from_index, "];"));
    nest.Join();
    writer.CallMoves(id, arguments.parameters(), arguments.arguments(), nest, 0.5, StorageBytes(to.element_type()));
  };
  const std::string result = writer.DefineAllocated(id);
  if (to.ElementCount() == 0) return absl::OkStatus();
  const std::string memory = writer.AllocateScratch(absl::StrCat(writer.NameFor(id), "_memory"), to.ByteSize());
  copy(from, absl::StrCat(writer.Read(operand), ".as<", type, ">()"), absl::StrCat(memory, ".to<", type, ">()"), true);
  copy(to, absl::StrCat(memory, ".as<", type, ">()"), absl::StrCat(result, ".to<", type, ">()"), false);
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteDataMovement(ComputationWriter& writer, InstructionId id) {
  switch (writer.module().opcode(id)) {
    case Opcode::kDynamicSlice:
      return WriteDynamicSlice(writer, id);
    case Opcode::kDynamicUpdateSlice:
      return WriteDynamicUpdateSlice(writer, id);
    case Opcode::kBitcast:
      return WriteBitcast(writer, id);
    default:
      return absl::UnimplementedError("no code is written for this opcode");
  }
}

// Bitcast-convert between widths: the bytes stay where they are.
absl::Status WriteTypeConversion(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  const Shape& from = module.shape(module.operand(id, 0));
  const Shape& to = module.shape(id);
  if (module.opcode(id) != Opcode::kBitcastConvert || BitWidth(from.element_type()) < 8 ||
      BitWidth(to.element_type()) < 8) {
    return absl::UnimplementedError("elements narrower than a byte that are joined or split");
  }
  const std::string taken = writer.Take(module.operand(id, 0));
  const std::string result = writer.Define(id);
  writer.AddLine(absl::StrCat("Array ", result, " = ", taken, ";"));
  return absl::OkStatus();
}

}  // namespace hloscope::codegen
