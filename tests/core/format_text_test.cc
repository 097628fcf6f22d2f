// SPDX-License-Identifier: Apache-2.0
// `fmt` without options changes white space and nothing else, on random modules written in many ways.
#include "core/editing/format_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/document/document.h"
#include "core/print/printer.h"
#include "tests/support/module_generator.h"

namespace hloscope {
namespace {

std::shared_ptr<const Document> ReadForFormat(const std::string& text) {
  return Document::Parse(SourceText::FromString("text", text), {{}, /*parse_only=*/true});
}

std::string FormattedText(const std::string& text) {
  const auto document = ReadForFormat(text);
  for (const Diagnostic& d : document->diagnostics()) {
    if (d.severity == Severity::kError) return absl::StrCat("error: ", d.Message(), "\n", text);
  }
  return FormatText(*document);
}

std::string WithoutBlanks(absl::string_view text) {
  std::string result;
  for (char c : text) {
    if (!isspace(static_cast<unsigned char>(c))) result += c;
  }
  return result;
}

struct Change {
  SourceRange range;
  std::string text;
};

std::string Changed(absl::string_view text, std::vector<Change> changes) {
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.range.begin < b.range.begin; });
  std::string out;
  uint32_t copied = 0;
  for (const Change& change : changes) {
    if (change.range.begin < copied) continue;  // in what has changed already
    absl::StrAppend(&out, text.substr(copied, change.range.begin - copied), change.text);
    copied = change.range.end;
  }
  return absl::StrCat(out, text.substr(copied));
}

// One way of writing a module in another way; each keeps what it means.
class Rewriter {
 public:
  explicit Rewriter(uint64_t seed) : random_(seed) {}

  // Attributes of each instruction in another order.
  std::string ShuffleAttributes(const std::string& text) {
    const auto document = ReadForFormat(text);
    std::vector<Change> changes;
    for (const InstructionSyntax& node : document->syntax().instructions) {
      std::vector<uint32_t> order;
      for (uint32_t k = 0; k < node.attribute_count; ++k) order.push_back(k);
      std::shuffle(order.begin(), order.end(), random_);
      for (uint32_t k = 0; k < node.attribute_count; ++k) {
        const SourceRange from = AttributeRange(*document, node.first_attribute + order[k]);
        changes.push_back(
            {AttributeRange(*document, node.first_attribute + k), std::string(document->source().Slice(from))});
      }
    }
    return Changed(text, std::move(changes));
  }

  // Attributes that others do not have, in spellings that no printer uses.
  std::string AddAttributes(const std::string& text) {
    const auto document = ReadForFormat(text);
    std::vector<Change> changes;
    for (const InstructionSyntax& node : document->syntax().instructions) {
      if (Chance(3) || node.tokens.empty()) continue;
      static constexpr absl::string_view kTexts[] = {
          ", metadata={source_line=7 op_name=\"x y\" op_type=\"\"}", ", frontend_attributes={b=\"2\",a=\"1 1\"}",
          ", backend_config={ \"k\" : [1,  2] }", ", metadata={op_name='q'}, backend_config=\"\"",
          ", frontend_attributes={}"};
      const uint32_t end = document->tokens().end(node.tokens.end - 1);
      const absl::string_view added = kTexts[random_() % std::size(kTexts)];
      const absl::string_view own = document->source().Slice({document->tokens().begin(node.tokens.begin), end});
      const auto has = [own](absl::string_view name) { return absl::StrContains(own, name); };
      if (has("metadata=") || has("frontend_attributes=") || has("backend_config=")) continue;
      changes.push_back({{end, end}, std::string(added)});
    }
    for (const ComputationSyntax& node : document->syntax().computations) {
      if (node.close_brace == kNoToken || node.attribute_count > 0 || Chance(2)) continue;
      const uint32_t end = document->tokens().end(node.close_brace);
      changes.push_back({{end, end}, ", execution_thread=\"main\""});
    }
    return Changed(text, std::move(changes));
  }

  // Numbers of scalar constants of floating-point types with more digits.
  std::string RespellNumbers(absl::string_view text) {
    std::vector<Change> changes;
    static constexpr absl::string_view kConstant = " constant(";
    for (size_t at = text.find(kConstant); at != absl::string_view::npos; at = text.find(kConstant, at + 1)) {
      const size_t begin = at + kConstant.size(), end = text.find_first_not_of("0123456789.", begin);
      const bool is_float = at > 6 && absl::StrContains(text.substr(at - 6, 6), "f");
      const absl::string_view number = text.substr(begin, end - begin);
      if (!is_float || number.empty() || text[end] != ')') continue;
      const auto place = static_cast<uint32_t>(end);
      changes.push_back({{place, place}, absl::StrContains(number, ".") ? "00" : ".0"});
    }
    return Changed(text, std::move(changes));
  }

  // Blanks, line ends and comments between tokens.
  std::string MoveBlanks(const std::string& text, bool with_comments) {
    const auto document = ReadForFormat(text);
    const TokenBuffer& tokens = document->tokens();
    std::vector<Change> changes;
    for (TokenIndex i = 1; i + 1 < tokens.size(); ++i) {
      const SourceRange gap = {tokens.end(i - 1), tokens.begin(i)};
      if (gap.begin == gap.end || !Chance(6)) continue;
      const absl::string_view written = document->source().Slice(gap);
      if (!WithoutBlanks(written).empty()) continue;
      static constexpr absl::string_view kBlanks[] = {"  ", "\t", "\n      ", " \n"};
      static constexpr absl::string_view kComments[] = {" /* c  c */ ", "/**/", " // c  \n", "\n// d\n  // e\n"};
      const bool comment = with_comments && Chance(2);
      changes.push_back({gap, std::string(comment ? kComments[random_() % 4] : kBlanks[random_() % 4])});
    }
    return Changed(text, std::move(changes));
  }

 private:
  bool Chance(uint64_t of) { return random_() % of == 0; }

  static SourceRange AttributeRange(const Document& document, uint32_t number) {
    const AttributeSyntax& attribute = document.syntax().attributes[number];
    const TokenBuffer& tokens = document.tokens();
    return {tokens.begin(attribute.name), tokens.end(attribute.value.end - 1)};
  }

  std::mt19937_64 random_;
};

TEST(FormatText, NothingButWhiteSpaceChanges) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Rewriter rewriter(seed);
    std::string text = RandomModule(seed);
    text = rewriter.RespellNumbers(rewriter.AddAttributes(rewriter.ShuffleAttributes(text)));
    text = rewriter.MoveBlanks(text, /*with_comments=*/true);
    const std::string formatted = FormattedText(text);
    ASSERT_EQ(WithoutBlanks(formatted), WithoutBlanks(text)) << "seed " << seed << "\n" << text;
    ASSERT_EQ(FormattedText(formatted), formatted) << "seed " << seed;
  }
}

TEST(FormatText, WhatPrintsStaysAndBlanksGoBack) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    for (PrintOptions options : {PrintOptions::Dump(), PrintOptions::Long(), PrintOptions::Short()}) {
      options.large_constants = true;
      options.operand_shapes = seed % 2 == 0;
      const std::string text = PrintModule(ReadForFormat(RandomModule(seed))->module(), options);
      ASSERT_EQ(FormattedText(text), text) << "seed " << seed;
      const std::string moved = Rewriter(seed).MoveBlanks(text, /*with_comments=*/false);
      ASSERT_EQ(FormattedText(moved), text) << "seed " << seed << "\n" << moved;
      // The order of the attributes is that of the text.
      const std::string shuffled = Rewriter(seed).ShuffleAttributes(text);
      ASSERT_EQ(FormattedText(shuffled), shuffled) << "seed " << seed;
    }
  }
}

// The lines of a range get what they get in the whole text, and what surrounds them stays.
TEST(FormatText, RangesAreFormattedAsTheWhole) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const std::string text = Rewriter(seed).MoveBlanks(RandomModule(seed), /*with_comments=*/true);
    const auto document = ReadForFormat(text);
    const std::vector<TextEdit> all = FormatTextEdits(*document, {0, document->source().size()});
    std::vector<TextEdit> lines;
    for (uint32_t line = 0; line < document->source().line_count(); ++line) {
      const uint32_t at = document->source().LineStart(line);
      for (TextEdit& edit : FormatTextEdits(*document, {at, at})) {
        if (lines.empty() || edit.range.begin > lines.back().range.begin) lines.push_back(std::move(edit));
      }
    }
    ASSERT_EQ(document->WithEdit(lines)->source().text(), document->WithEdit(all)->source().text()) << "seed " << seed;
  }
}

TEST(FormatText, EveryPartOfAModule) {
  const std::string text =
      "HloModule   m ,num_partitions=2,replica_count=1, input_output_alias={{}:(0,{})}, is_scheduled=false\n"
      "// what it does\n%w (x:   f32[2],y:(f32[],f32[]))->f32[2]{\n"
      "  %x = f32[2]{0}   parameter( 0 ), sharding={devices=[2]0,1},metadata={source_line=3 op_name=\"a\"}\n"
      "  %y = (f32[], /*index=1*/f32[]) parameter(1)\n\n\n\n\n"
      "  ROOT %n = f32[2]{0} negate(%x), metadata={op_name='q'},frontend_attributes={b=\"1\",a=\"2\"}\n\n"
      "}, execution_thread=\"main\"\nENTRY %e { %p = f32[2]{0} parameter(0), sharding={ replicated }\n"
      " %q = (f32[],f32[]) parameter(1) %c = f32[2,2]{1,0} constant({{1.0, 2},\n    {3,4e0}})\n"
      " %d = f32[2,2]{1,0} dot(%c,%c), rhs_contracting_dims={0},lhs_contracting_dims={1} // tail\n"
      " %f = f32[2]{0} call(%p /* in */,%q), to_apply=%w ROOT %r = f32[2]{0} add(%f,\n    f32[2]{0} %f) }";
  EXPECT_EQ(FormattedText(text),
            "HloModule m, num_partitions=2, replica_count=1, input_output_alias={{}:(0,{})}, is_scheduled=false\n\n"
            "// what it does\n%w (x: f32[2], y: (f32[], f32[])) -> f32[2] {\n"
            "  %x = f32[2]{0} parameter(0), sharding={devices=[2]0,1}, metadata={source_line=3 op_name=\"a\"}\n"
            "  %y = (f32[], /*index=1*/f32[]) parameter(1)\n\n\n"
            "  ROOT %n = f32[2]{0} negate(%x), metadata={op_name='q'}, frontend_attributes={b=\"1\",a=\"2\"}\n"
            "}, execution_thread=\"main\"\n\nENTRY %e {\n  %p = f32[2]{0} parameter(0), sharding={replicated}\n"
            "  %q = (f32[], f32[]) parameter(1)\n  %c = f32[2,2]{1,0} constant({{1.0, 2},\n    {3,4e0}})\n"
            "  %d = f32[2,2]{1,0} dot(%c, %c), rhs_contracting_dims={0}, lhs_contracting_dims={1} // tail\n"
            "  %f = f32[2]{0} call(%p /* in */, %q), to_apply=%w\n  ROOT %r = f32[2]{0} add(%f, f32[2]{0} %f)\n}\n");
}

}  // namespace
}  // namespace hloscope
