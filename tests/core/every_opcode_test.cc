// SPDX-License-Identifier: Apache-2.0
// Walks the table of opcodes: each has a shape rule that finds a wrong declared shape, a check of its operands, a page
// that explains it and each of its attributes, and a test that names it. What each computes is in
// tests/evaluator/every_opcode_test.cc.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/document/document.h"
#include "core/ops/shape_inference.h"
#include "tests/support/op_page.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

using Reasons = std::map<Opcode, absl::string_view>;

// Opcodes that take every declared shape, with the reason.
const Reasons& TakesAnyShape() {
  static const auto& reasons = *new Reasons{
      {Opcode::kBitcast, "any shape may be seen as any other; sizes count only with layouts"},
      {Opcode::kConstant, "the literal is read with the declared shape"},
      {Opcode::kCustomCall, "only the target knows what it returns"},
      {Opcode::kIota, "any shape can be filled"},
      {Opcode::kParameter, "declares what the caller passes"},
      {Opcode::kRng, "any shape can be filled"},
      {Opcode::kRngBitGenerator, "the data may have any shape"},
      {Opcode::kInfeed, "the data may have any shape"},
      {Opcode::kOutfeed, "the reader replaces the shape by token[]"},
      {Opcode::kAfterAll, "the reader replaces the shape by token[]"},
      {Opcode::kAddDependency, "the reader replaces the shape by the operand's"},
      {Opcode::kRecv, "the peer decides the data"},
      {Opcode::kRecvDone, "the reader replaces the shape by that of the data"},
      {Opcode::kSend, "the reader replaces the shape by that of the data"},
      {Opcode::kSendDone, "the reader replaces the shape by token[]"},
  };
  return reasons;
}

// Opcodes that take any number of operands of any shape, with the reason.
const Reasons& TakesAnyOperands() {
  static const auto& reasons = *new Reasons{
      {Opcode::kCustomCall, "only the target knows what it takes"},
      {Opcode::kTuple, "bundles anything"},
      {Opcode::kAfterAll, "orders after whatever it gets; what is no token is a warning"},
      {Opcode::kParameter, "takes no operands; the reader refuses them"},
      {Opcode::kConstant, "takes a literal, not operands"},
  };
  return reasons;
}

// The first instruction of the page's example that has the opcode.
InstructionId InstructionWith(const Module& module, Opcode opcode) {
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    if (module.opcode(InstructionId(i)) == opcode) return InstructionId(i);
  }
  return {};
}

class NoRanges : public AnchorResolver {
 public:
  SourceRange Resolve(InstructionId, Anchor) const override { return {}; }
};

std::shared_ptr<const Document> ParseExample(Opcode opcode, std::string text) {
  return Document::Parse(SourceText::FromString(std::string(OpcodeName(opcode)), std::move(text)), ExampleOptions());
}

bool HasErrorBetween(const Document& document, uint32_t begin, uint32_t end) {
  for (const Diagnostic& d : document.diagnostics()) {
    if (d.severity == Severity::kError && d.range.begin >= begin && d.range.begin < end) return true;
  }
  return false;
}

class EveryOpcode : public testing::TestWithParam<Opcode> {
 protected:
  void SetUp() override {
    text_ = ExampleOfOpPage(GetParam());
    document_ = ParseExample(GetParam(), text_);
    id_ = InstructionWith(document_->module(), GetParam());
    ASSERT_TRUE(id_.has_value()) << "the example of the page does not use the opcode";
  }

  // Errors in the instruction when `range` of the example is replaced.
  bool FailsWith(SourceRange range, absl::string_view replacement) const {
    const std::string changed = absl::StrCat(text_.substr(0, range.begin), replacement, text_.substr(range.end));
    const auto document = ParseExample(GetParam(), changed);
    const SourceRange whole = document_->InstructionRange(id_);
    return HasErrorBetween(*document, whole.begin,
                           whole.end + static_cast<uint32_t>(changed.size()) - static_cast<uint32_t>(text_.size()));
  }

  std::string text_;
  std::shared_ptr<const Document> document_;
  InstructionId id_;
};

TEST_P(EveryOpcode, HasAShapeRule) {
  const Shape& declared = document_->module().shape(id_);
  const DocumentOptions options = ExampleOptions();
  const NoRanges resolver;
  DiagnosticSink sink;
  RuleContext context(document_->module(), id_, options.verify, resolver, sink);
  const InferredShape inferred = InferShape(context);
  if (inferred.has_value()) {
    EXPECT_TRUE(ShapesCompatible(*inferred, declared)) << inferred->ToString() << " and " << declared.ToString();
  } else {
    EXPECT_EQ(GetParam(), Opcode::kCustomCall) << "nothing is inferred for the example of the page";
  }
  if (TakesAnyShape().contains(GetParam())) return;
  const SourceRange shape = document_->ShapeRange(id_);
  EXPECT_TRUE(FailsWith(shape, "c128[5,7,11,13]")) << "a wrong declared shape is not found";
}

TEST_P(EveryOpcode, ChecksItsOperands) {
  if (TakesAnyOperands().contains(GetParam())) return;
  const SourceRange opcode = document_->OpcodeRange(id_);
  const uint32_t open = static_cast<uint32_t>(text_.find('(', opcode.end));
  // An operand too many in front, of a type that nothing takes there.
  const bool has_operands = !document_->module().operands(id_).empty();
  EXPECT_TRUE(FailsWith({open + 1, open + 1}, has_operands ? "c128[17] constant({...}), " : "c128[17] constant({...})"))
      << "an operand that does not belong there is not found";
}

TEST_P(EveryOpcode, HasAPageThatExplainsItsAttributes) {
  const std::string page = OpPage(GetParam());
  for (AttributeKind attribute : InfoOf(GetParam()).attributes) {
    EXPECT_TRUE(absl::StrContains(page, AttributeName(attribute)))
        << OpcodeName(GetParam()) << ".md does not mention " << AttributeName(attribute);
  }
}

// The opcodes that tests name as instructions: `opcode(`, or `opcode{` and `opcode ` in rule tables.
std::set<std::string> NamedInTests() {
  std::set<std::string> names;
  const std::string root = std::string(HLOSCOPE_SOURCE_DIR) + "/tests/";
  for (const char* folder : {"corpus", "ops"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root + folder)) {
      if (!entry.is_regular_file()) continue;
      std::string word;
      for (char c : ReadFileOrDie(entry.path().string())) {
        if (absl::ascii_islower(static_cast<unsigned char>(c)) || absl::ascii_isdigit(static_cast<unsigned char>(c)) ||
            c == '-') {
          word += c;
          continue;
        }
        if (c == '(' || c == '{' || c == ' ') names.insert(word);
        word.clear();
      }
    }
  }
  return names;
}

TEST_P(EveryOpcode, IsNamedInATest) {
  static const auto& names = *new std::set<std::string>(NamedInTests());
  EXPECT_TRUE(names.contains(std::string(OpcodeName(GetParam())))) << "no test in tests/corpus or tests/ops";
}

INSTANTIATE_TEST_SUITE_P(Table, EveryOpcode, testing::ValuesIn(AllOpcodes().begin(), AllOpcodes().end()),
                         [](const auto& info) {
                           std::string name(OpcodeName(info.param));
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace hloscope
