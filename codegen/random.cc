// SPDX-License-Identifier: Apache-2.0
// rng-bit-generator (docs/ops/elementwise.md 11.1).
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "codegen/conversion_loop.h"
#include "codegen/cpp_types.h"
#include "codegen/element_writer.h"
#include "codegen/families.h"

namespace hloscope::codegen {

absl::Status WriteRandom(ComputationWriter& writer, InstructionId id) {
  const Module& module = writer.module();
  if (module.opcode(id) != Opcode::kRngBitGenerator) {
    return absl::UnimplementedError("its numbers come from the state of a run, which a program does not have");
  }
  const Shape& state = module.shape(module.operand(id, 0));
  const std::vector<Shape> leaves = LeavesOf(module.shape(id));
  const Shape& data = leaves.back();
  const bool is_three_fry =
      module.WordAttribute(id, AttributeKind::kRngAlgorithm, RandomAlgorithm::kDefault) == RandomAlgorithm::kThreeFry;
  const int64_t state_size = state.ElementCount();
  if (state.element_type() != ElementType::kU64 || state_size < 2 || state_size > (is_three_fry ? 2 : 3) ||
      !IsInteger(data.element_type()) || leaves.size() > 2) {
    return absl::UnimplementedError(
        absl::StrCat(data.ToString(), " from a state ", state.ToString(), " is not defined for this algorithm"));
  }
  writer.program().Use(RuntimePart::kRandom);
  const std::string old = writer.ReadData(module.operand(id, 0));
  std::string next;
  if (leaves.size() == 2) {
    next = writer.DefineAllocated(id, 0);
  } else {
    next = WriteAllocation(writer, absl::StrCat(writer.NameFor(id), "_state"), ElementType::kU64, state_size);
  }
  const std::string result = writer.DefineAllocated(id, static_cast<int64_t>(leaves.size()) - 1);
  const int bytes = StorageBytes(data.element_type());
  if (is_three_fry) {
    const std::string sizes = writer.LocalName(absl::StrCat(writer.NameFor(id), "_sizes"));
    writer.AddLine(
        absl::StrCat("const int64_t ", sizes, "[] = ", data.rank() == 0 ? "{1}" : BracedList(data.dimensions()), ";"));
    writer.AddLine(absl::StrCat("GenerateThreeFry(", old, ", ", data.rank(), ", ", sizes, ", ", bytes, ", ", next,
                                ".to<uint64_t>(), ", result, ".to<char>());"));
  } else {
    writer.AddLine(absl::StrCat("GeneratePhilox(", old, ", ", state_size, ", ", data.ElementCount(), ", ", bytes, ", ",
                                next, ".to<uint64_t>(), ", result, ".to<char>());"));
  }
  if (BitWidth(data.element_type()) < 8) {
    // Bits above the width of the type go away.
    const std::string bits = result;
    LoopArguments arguments;
    const std::string type = StoredType(data.element_type());
    const std::string r = arguments.Output(type, absl::StrCat(bits, ".to<", type, ">()"));
    writer.CallLoop(
        id, arguments.parameters(), arguments.arguments(),
        FunctionOfLoops(arguments.parameters(), {data.ElementCount()}, 0.3,
                        absl::StrCat("  ", r, "[i0] = ", Rounded(data.element_type(), absl::StrCat(r, "[i0]")), ";\n"),
                        /*last_is_vector=*/true));
  }
  return absl::OkStatus();
}

}  // namespace hloscope::codegen
