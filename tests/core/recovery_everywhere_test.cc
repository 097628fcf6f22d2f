// SPDX-License-Identifier: Apache-2.0
// Every part of every instruction of the op pages is broken in turn: the diagnostics stay with the broken instruction,
// and every other one is read as before.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "core/ir/opcode.h"
#include "tests/support/read_document.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

// The examples of the op pages, which hold an instruction on a line of its own.
std::vector<std::pair<std::string, std::string>> Examples() {
  std::vector<std::pair<std::string, std::string>> examples;
  for (const Opcode opcode : AllOpcodes()) {
    const std::string name(OpcodeName(opcode));
    const std::string page = ReadFileOrDie(absl::StrCat(HLOSCOPE_SOURCE_DIR, "/resources/ops/", name, ".md"));
    const size_t begin = page.find("```hlo\n") + 7;
    examples.emplace_back(name, page.substr(begin, page.find("```", begin) - begin));
  }
  return examples;
}

// "computation/name" to opcode, of what the text says itself.
std::map<std::string, Opcode> Instructions(const Module& module) {
  std::map<std::string, Opcode> found;
  for (const Computation& computation : module.computations()) {
    for (const InstructionId id : computation.instructions) {
      const Instruction& instruction = module.instruction(id);
      if (instruction.synthesized || !instruction.syntax.has_value()) continue;
      found[absl::StrCat(module.string(computation.name), "/", module.InstructionName(id))] = instruction.opcode;
    }
  }
  return found;
}

std::string Replaced(const Document& document, SourceRange range, const std::string& replacement) {
  std::string text(document.source().text());
  return text.replace(range.begin, range.size(), replacement);
}

// `broken` differs from `document` in the instruction `id` only.
void ExpectOnlyThisIsLost(const std::string& page, const Document& document, InstructionId id,
                          const std::string& broken) {
  const auto after = ReadDocument(broken);
  const uint32_t line = document.source().LineColumnAt(document.InstructionRange(id).begin).line;
  const std::string shown = absl::StrCat("page ", page, ":\n", broken);
  EXPECT_TRUE(after->has_errors()) << shown;
  // Nothing is said about others, neither by the reader nor by the verifier, but what was said before.
  std::set<std::string> known;
  for (const Diagnostic& d : document.diagnostics()) known.insert(absl::StrCat(d.code(), d.Message()));
  for (const Diagnostic& d : after->diagnostics()) {
    if (known.contains(absl::StrCat(d.code(), d.Message()))) continue;
    EXPECT_EQ(after->source().LineColumnAt(d.range.begin).line, line) << d.code() << ": " << d.Message() << "\n"
                                                                      << shown;
  }
  const auto expected = Instructions(document.module()), found = Instructions(after->module());
  const std::string name(document.module().InstructionName(id));
  for (const auto& [key, opcode] : expected) {
    if (key.substr(key.find('/') + 1) == name) continue;
    const auto it = found.find(key);
    ASSERT_NE(it, found.end()) << key << " is lost\n" << shown;
    EXPECT_EQ(OpcodeName(it->second), OpcodeName(opcode)) << key << "\n" << shown;
  }
}

template <typename Break>
void ForEachInstruction(Break break_it) {
  for (const auto& [page, text] : Examples()) {
    const auto document = ReadDocument(text);
    ASSERT_FALSE(document->has_errors()) << page;
    for (const Computation& computation : document->module().computations()) {
      if (computation.is_anonymous) continue;
      for (const InstructionId id : computation.instructions) {
        const Instruction& instruction = document->module().instruction(id);
        if (instruction.synthesized || !instruction.syntax.has_value()) continue;
        break_it(page, *document, id);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(RecoveryEverywhere, Opcodes) {
  ForEachInstruction([](const std::string& page, const Document& document, InstructionId id) {
    ExpectOnlyThisIsLost(page, document, id, Replaced(document, document.OpcodeRange(id), "nosuchopcode"));
    ExpectOnlyThisIsLost(page, document, id, Replaced(document, document.OpcodeRange(id), ""));
  });
}

TEST(RecoveryEverywhere, Shapes) {
  ForEachInstruction([](const std::string& page, const Document& document, InstructionId id) {
    const SourceRange shape = document.ShapeRange(id);
    if (shape.empty()) return;
    ExpectOnlyThisIsLost(page, document, id, Replaced(document, shape, "nosuchtype[2]"));
    ExpectOnlyThisIsLost(page, document, id, Replaced(document, {shape.end - 1, shape.end}, ""));
  });
}

TEST(RecoveryEverywhere, Operands) {
  ForEachInstruction([](const std::string& page, const Document& document, InstructionId id) {
    for (size_t k = 0; k < document.module().operands(id).size(); ++k) {
      const SourceRange operand = document.OperandRange(id, k);
      ExpectOnlyThisIsLost(page, document, id, Replaced(document, operand, "no_such_operand"));
      ExpectOnlyThisIsLost(page, document, id, Replaced(document, operand, "7"));
      ExpectOnlyThisIsLost(page, document, id, Replaced(document, {operand.end, operand.end + 1}, ""));
    }
  });
}

TEST(RecoveryEverywhere, Attributes) {
  ForEachInstruction([](const std::string& page, const Document& document, InstructionId id) {
    for (const Attribute& attribute : document.module().attributes(id)) {
      const SourceRange range = document.AttributeRange(id, attribute.kind);
      if (range.empty()) continue;
      const absl::string_view text = document.source().Slice(range);
      const std::string name(AttributeName(attribute.kind));
      if (text.substr(0, name.size()) != name || text.find('\n') != absl::string_view::npos) continue;
      // Another name, no value, a value of another kind, a value that is not closed, and no comma after it.
      ExpectOnlyThisIsLost(page, document, id, Replaced(document, range, absl::StrCat("nosuchattribute=1")));
      ExpectOnlyThisIsLost(page, document, id, Replaced(document, range, absl::StrCat(name, "=")));
      ExpectOnlyThisIsLost(page, document, id, Replaced(document, range, absl::StrCat(name, "=:")));
      if (text.back() == '}') {
        ExpectOnlyThisIsLost(page, document, id, Replaced(document, {range.end - 1, range.end}, ""));
        ExpectOnlyThisIsLost(page, document, id, Replaced(document, {range.end - 1, range.end}, "]"));
      }
    }
  });
}

}  // namespace
}  // namespace hloscope
