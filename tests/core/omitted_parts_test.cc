// SPDX-License-Identifier: Apache-2.0
// Formatting adds nothing that a text leaves out: random parts are taken out of random modules, and what is left prints
// back byte for byte (docs/text-format.md 7.1).
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/document/document.h"
#include "core/editing/comments.h"
#include "core/editing/text_style.h"
#include "core/print/printer.h"
#include "core/print/shape_printer.h"
#include "tests/support/module_generator.h"

namespace hloscope {
namespace {

std::shared_ptr<const Document> Read(const std::string& text) {
  return Document::Parse(SourceText::FromString("text", text), {{}, /*parse_only=*/true});
}

std::string Formatted(const std::string& text) {
  const auto document = Read(text);
  for (const Diagnostic& d : document->diagnostics()) {
    if (d.severity == Severity::kError) return absl::StrCat("error: ", d.Message(), "\n", text);
  }
  return PrintWithComments(*document, StyleOf(*document));
}

// Parts that a text may have or not.
enum class Part : uint8_t {
  kLayout,           // of the shape of an instruction
  kOperandLayout,    // of that of an operand
  kAttributeLayout,  // of those in an attribute, of the header too
  kOperandShape,     // of one operand
  kShape,            // of an instruction whose opcode tells it
  kRoot,             // before the last instruction
  kEntry,            // before the last computation
  kSignature,        // of one computation
  kHeader,           // the first line
  kEntryLayout,      // in the header
  kMetadata,
  kSharding,
  kFrontendAttributes,
  kBackendConfig,
  kOtherAttribute,  // of one instruction
  kCount
};

// `text` without the ranges, of which none ends in another one.
std::string Without(const std::string& text, std::vector<SourceRange> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](SourceRange a, SourceRange b) {
    return std::make_pair(a.begin, ~a.end) < std::make_pair(b.begin, ~b.end);
  });
  std::string left;
  uint32_t copied = 0;
  for (SourceRange range : ranges) {
    if (range.begin < copied) continue;  // in what is gone already
    left += text.substr(copied, range.begin - copied);
    copied = range.end;
  }
  return left + text.substr(copied);
}

// By instruction: without its shape it is read as the same. Others imply another one, such as an implicit broadcast, or
// none. An instruction without its own shape may be wrong because of another one, so all are left out that can be, and
// the first one that differs is kept, until none does.
std::vector<bool> ImplyTheirShapes(const Document& document) {
  const Module& module = document.module();
  std::vector<bool> implied(module.instruction_count());
  for (size_t i = 0; i < implied.size(); ++i) {
    const Instruction& instruction = module.instruction(InstructionId(i));
    implied[i] = instruction.syntax.has_value() && !instruction.synthesized && instruction.shape_declared &&
                 InfoOf(instruction.opcode).shape_can_be_omitted;
  }
  while (true) {
    std::vector<SourceRange> ranges;
    for (size_t i = 0; i < implied.size(); ++i) {
      if (!implied[i]) continue;
      const SyntaxTree& tree = document.syntax();
      const InstructionSyntax& node = tree.instructions[module.instruction(InstructionId(i)).syntax.index()];
      ranges.push_back({document.tokens().begin(node.shape.begin), document.tokens().begin(node.opcode)});
    }
    const auto left = Read(Without(std::string(document.source().text()), std::move(ranges)));
    if (left->module().instruction_count() != implied.size()) return std::vector<bool>(implied.size());
    const size_t before = static_cast<size_t>(std::count(implied.begin(), implied.end(), true));
    std::vector<bool> spoiled(module.computations().size());
    for (size_t i = 0; i < implied.size(); ++i) {
      const InstructionId id(i);
      if (left->module().shape(id) == module.shape(id)) continue;
      const size_t computation = module.instruction(id).computation.index();
      if (!implied[i] || spoiled[computation]) continue;
      implied[i] = false;
      spoiled[computation] = true;
    }
    if (static_cast<size_t>(std::count(implied.begin(), implied.end(), true)) == before) return implied;
  }
}

// Where the parts of a text are.
class PartFinder {
 public:
  explicit PartFinder(const Document& document)
      : document_(document),
        tree_(document.syntax()),
        tokens_(document.tokens()),
        text_(document.source().text()),
        implied_(ImplyTheirShapes(document)) {}

  std::vector<std::pair<Part, SourceRange>> Find() {
    for (size_t i = 0; i < document_.module().instruction_count(); ++i) {
      const Instruction& instruction = document_.module().instruction(InstructionId(i));
      if (instruction.syntax.has_value() && !instruction.synthesized) FindIn(i, instruction);
    }
    for (const ComputationSyntax& node : tree_.computations) FindIn(node);
    FindInHeader();
    return std::move(parts_);
  }

 private:
  void Add(Part part, uint32_t begin, uint32_t end) { parts_.push_back({part, {begin, end}}); }

  void FindIn(size_t i, const Instruction& instruction) {
    const InstructionSyntax& node = tree_.instructions[instruction.syntax.index()];
    AddLayouts(Part::kLayout, node.shape);
    if (implied_[i]) {
      Add(Part::kShape, tokens_.begin(node.shape.begin), tokens_.begin(node.opcode));
    }
    for (uint32_t k = 0; k < node.operand_count; ++k) {
      const OperandSyntax& operand = tree_.operands[node.first_operand + k];
      if (operand.shape.empty() || operand.name == kNoToken) continue;
      AddLayouts(Part::kOperandLayout, operand.shape);
      Add(Part::kOperandShape, tokens_.begin(operand.shape.begin), tokens_.begin(operand.name));
    }
    for (uint32_t k = 0; k < node.attribute_count; ++k) {
      const AttributeSyntax& attribute = tree_.attributes[node.first_attribute + k];
      const absl::string_view name = absl::StripSuffix(Slice(attribute.name), "=");
      AddLayouts(Part::kAttributeLayout, attribute.value);
      const std::map<absl::string_view, Part> kinds = {{"metadata", Part::kMetadata},
                                                       {"sharding", Part::kSharding},
                                                       {"frontend_attributes", Part::kFrontendAttributes},
                                                       {"backend_config", Part::kBackendConfig},
                                                       {"is_stable", Part::kOtherAttribute},
                                                       {"largest", Part::kOtherAttribute},
                                                       {"replica_groups", Part::kOtherAttribute},
                                                       {"outfeed_shape", Part::kOtherAttribute}};
      if (const auto kind = kinds.find(name); kind != kinds.end()) Add(kind->second, Comma(attribute), End(attribute));
    }
  }

  void FindIn(const ComputationSyntax& node) {
    if (node.name == kNoToken || node.instruction_count == 0) return;
    if (!node.signature_parameters.empty() || !node.signature_result.empty()) {
      Add(Part::kSignature, tokens_.end(node.name), tokens_.begin(node.open_brace) - 1);
    }
    const SyntaxId last_id = tree_.instruction_lists[node.first_instruction + node.instruction_count - 1];
    const InstructionSyntax& last = tree_.instructions[last_id.index()];
    if (last.is_root) Add(Part::kRoot, tokens_.begin(last.tokens.begin), tokens_.begin(last.name));
    if (node.entry != kNoToken && &node == &tree_.computations.back()) {
      Add(Part::kEntry, tokens_.begin(node.entry), tokens_.begin(node.name));
    }
  }

  void FindInHeader() {
    const ComputationSyntax& first =
        *std::min_element(tree_.computations.begin(), tree_.computations.end(),
                          [](const auto& a, const auto& b) { return a.tokens.begin < b.tokens.begin; });
    Add(Part::kHeader, 0, tokens_.begin(first.tokens.begin));
    for (uint32_t k = 0; k < tree_.header_attribute_count; ++k) {
      const AttributeSyntax& attribute = tree_.attributes[tree_.first_header_attribute + k];
      if (Slice(attribute.name) != "entry_computation_layout=") continue;
      AddLayouts(Part::kAttributeLayout, attribute.value);
      Add(Part::kEntryLayout, Comma(attribute), End(attribute));
    }
  }

  // `{1,0}` of every array in some shapes: all or none of them, since fmt keeps the layouts of an operand as one.
  void AddLayouts(Part part, TokenRange shapes) {
    for (uint32_t i = shapes.begin; i + 1 < shapes.end; ++i) {
      if (tokens_.kind(i) != TokenKind::kRightBracket || tokens_.kind(i + 1) != TokenKind::kLeftBrace) continue;
      if (tokens_.end(i) != tokens_.begin(i + 1)) continue;
      uint32_t end = i + 1;
      while (tokens_.kind(end) != TokenKind::kRightBrace) ++end;
      // Without another layout than the default, the shape would be another one.
      const absl::string_view layout = text_.substr(tokens_.begin(i + 1), tokens_.end(end) - tokens_.begin(i + 1));
      const int64_t rank = 1 + std::count(layout.begin(), layout.end(), ',');
      if (layout != Layout::RowMajor(rank).ToString()) {
        has_other_layouts_ = true;
        continue;
      }
      groups_[parts_.size()] = shapes.begin;
      Add(part, tokens_.begin(i + 1), tokens_.end(end));
    }
  }

  absl::string_view Slice(TokenIndex token) const { return document_.source().Slice(tokens_.range(token)); }
  uint32_t Comma(const AttributeSyntax& attribute) const { return tokens_.begin(attribute.name - 1); }
  uint32_t End(const AttributeSyntax& attribute) const { return tokens_.end(attribute.value.end - 1); }

  const Document& document_;
  const SyntaxTree& tree_;
  const TokenBuffer& tokens_;
  const absl::string_view text_;
  const std::vector<bool> implied_;
  std::vector<std::pair<Part, SourceRange>> parts_;

 public:
  // Parts with the same number are taken out together.
  std::map<size_t, uint32_t> groups_;
  bool has_other_layouts_ = false;  // than the default
};

// A module with everything that may be left out, in a random style.
std::string FullText(uint64_t seed, std::mt19937_64& random) {
  GeneratorOptions generator;
  generator.host_transfers = seed % 4 == 0;
  generator.dynamic_sizes = false;
  std::string text = RandomModule(seed, generator);
  PrintOptions options = PrintOptions::Long();
  options.large_constants = options.keep_written_digits = options.keep_written_tuple_access = true;
  options.percent = random() % 2 == 0;
  options.operand_shapes = random() % 2 == 0;
  options.operand_index_comments = random() % 2 == 0;
  options.shape_index_comments = random() % 2 == 0;
  options.literal_index_comments = random() % 2 == 0;
  options.async_sugar = random() % 2 == 0;
  text = PrintModule(Read(text)->module(), options);
  // Attributes of which random modules have none, in the order in which they print.
  std::string full;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    absl::string_view line = absl::string_view(text).substr(begin, end - begin);
    absl::StrAppend(&full, line);
    const bool is_plain =
        absl::StartsWith(line, "  ") && absl::EndsWith(line, ")") && !absl::StrContains(line, "-start");
    if (is_plain && random() % 3 == 0) {
      absl::StrAppend(&full, ", sharding={replicated}");
      if (random() % 2 == 0) absl::StrAppend(&full, ", frontend_attributes={a=\"b\"}");
      absl::StrAppend(&full, ", metadata={op_name=\"x\"}");
      if (random() % 2 == 0) absl::StrAppend(&full, ", backend_config={\"k\":1}");
    }
    full += '\n';
    begin = end + 1;
  }
  return full;
}

// Without each part of a kind, with each, or without some.
std::string WithoutSomeParts(const std::string& text, std::mt19937_64& random, std::vector<int>* taken) {
  const auto document = Read(text);
  PartFinder finder(*document);
  const std::vector<std::pair<Part, SourceRange>> parts = finder.Find();
  std::vector<uint64_t> share(static_cast<size_t>(Part::kCount));
  for (uint64_t& percent : share) percent = std::vector<uint64_t>{0, 100, 10, 50, 90}[random() % 5];
  // A shape that is left out has the layout of the operands, which types of operands would contradict.
  if (finder.has_other_layouts_) share[static_cast<size_t>(Part::kShape)] = 0;
  // Without the header the name of the module is that of the entry, and nothing else may be in it.
  if (share[static_cast<size_t>(Part::kHeader)] != 100 || !absl::StartsWith(text, "HloModule") ||
      text.find(", entry_computation_layout") != text.find(',')) {
    share[static_cast<size_t>(Part::kHeader)] = 0;
  } else {
    share[static_cast<size_t>(Part::kSignature)] = 100;  // a text that begins with one needs a header
  }
  std::vector<SourceRange> ranges;
  std::map<uint32_t, bool> group_is_taken;
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto& [part, range] = parts[i];
    bool take = random() % 100 < share[static_cast<size_t>(part)];
    if (const auto group = finder.groups_.find(i); group != finder.groups_.end()) {
      take = group_is_taken.emplace(group->second, take).first->second;
    }
    if (!take) continue;
    ++(*taken)[static_cast<size_t>(part)];
    ranges.push_back(range);
  }
  return Without(text, std::move(ranges));
}

TEST(OmittedParts, AreNotAddedToRandomModules) {
  std::vector<int> taken(static_cast<size_t>(Part::kCount), 0);
  for (uint64_t seed = 0; seed < 400; ++seed) {
    std::mt19937_64 random(seed);
    const std::string full = FullText(seed, random);
    ASSERT_EQ(Formatted(full), full) << "seed " << seed;
    const std::string text = WithoutSomeParts(full, random, &taken);
    ASSERT_EQ(Formatted(text), text) << "seed " << seed;
  }
  for (size_t part = 0; part < taken.size(); ++part) EXPECT_GT(taken[part], 0) << "part " << part;
}

// A start assigns its thread to what it calls; the text says so or not.
TEST(OmittedParts, ThreadsAreWrittenWhereTheTextHasThem) {
  for (absl::string_view thread : {"", ", execution_thread=\"dma\"", ", execution_thread=\"other\""}) {
    const std::string text = absl::StrCat(R"(HloModule m

w {
  x = f32[2] parameter(0)
  ROOT z = f32[2] negate(x)
})",
                                          thread, R"(

ENTRY e {
  p = f32[2] parameter(0)
  s = ((f32[2]), f32[2], s32[]) async-start(p), async_execution_thread="dma", calls=w
  ROOT d = f32[2] async-done(s)
}
)");
    EXPECT_EQ(Formatted(text), text);
    const std::string explicitly = PrintModule(Read(text)->module(), PrintOptions::Dump());
    EXPECT_TRUE(absl::StrContains(explicitly, "}, execution_thread=\"dma\"")) << explicitly;
  }
}

}  // namespace
}  // namespace hloscope
