// SPDX-License-Identifier: Apache-2.0
#include "core/editing/written_forms.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "core/editing/written_attributes.h"

namespace hloscope {
namespace {

using PartKind = PrintedModule::Part::Kind;

// One word, bracket or `...` of a literal after another; blanks, commas and comments say nothing.
class LiteralWalker {
 public:
  explicit LiteralWalker(absl::string_view text) : text_(text) { Next(); }

  bool AtEnd() const { return begin_ == text_.size(); }
  absl::string_view token() const { return text_.substr(begin_, end_ - begin_); }
  bool IsNumber() const { return !AtEnd() && IsWordPart(text_[begin_]) && !absl::StartsWith(token(), "..."); }
  size_t begin() const { return begin_; }
  size_t end() const { return end_; }

  void Next() {
    begin_ = end_;
    while (begin_ < text_.size() && SkipNothing()) {
    }
    end_ = begin_;
    if (begin_ == text_.size()) return;
    if (!IsWordPart(text_[begin_])) {
      ++end_;
      return;
    }
    while (end_ < text_.size() && IsWordPart(text_[end_])) ++end_;
    // The payload of a NaN belongs to it.
    if (absl::EndsWith(token(), "nan") && absl::StartsWith(text_.substr(end_), "(0x")) {
      end_ = std::min(text_.find(')', end_), text_.size() - 1) + 1;
    }
  }

 private:
  static bool IsWordPart(char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '+' || c == '_';
  }

  // Skips a blank, a comma or a comment that begins here.
  bool SkipNothing() {
    const char c = text_[begin_];
    if (absl::ascii_isspace(static_cast<unsigned char>(c)) || c == ',') {
      ++begin_;
      return true;
    }
    const absl::string_view rest = text_.substr(begin_);
    const bool is_block = absl::StartsWith(rest, "/*");
    if (!is_block && !absl::StartsWith(rest, "//")) return false;
    const size_t stop = is_block ? rest.find("*/", 2) : rest.find_first_of("\r\n");
    begin_ = stop == absl::string_view::npos ? text_.size() : begin_ + stop + (is_block ? 2 : 0);
    return true;
  }

  absl::string_view text_;
  size_t begin_ = 0, end_ = 0;
};

class FormKeeper {
 public:
  FormKeeper(const Document& document, const PrintOptions& options, PrintedModule* printed)
      : document_(document), options_(options), text_(document.source().text()), printed_(*printed) {}

  void Run() {
    const bool blank_lines = EmptyLinesHoldBlank();
    for (size_t p = 0; p < printed_.parts.size(); ++p) {
      const PrintedModule::Part& part = printed_.parts[p];
      if (part.kind == PartKind::kInstruction) {
        KeepShape(part);
        KeepNumbers(part);
      }
      KeepAttributes(part);
      const bool ends_paragraph = part.kind == PartKind::kHeader || part.kind == PartKind::kComputationClose;
      if (blank_lines && ends_paragraph && p + 1 < printed_.parts.size() &&
          absl::StartsWith(absl::string_view(printed_.text).substr(part.end), "\n\n")) {
        replacements_.push_back({part.end + size_t{1}, part.end + size_t{1}, " "});
      }
    }
    Apply();
  }

 private:
  bool EmptyLinesHoldBlank() const { return absl::StrContains(text_, "}\n \n") && !absl::StrContains(text_, "}\n\n%"); }

  // Of operations whose shape is that of their operands, whatever the text gives (6.4), with layouts too.
  void KeepShape(const PrintedModule::Part& part) {
    static constexpr absl::string_view kEquals = " = ";
    if (!part.instruction.has_value()) return;
    const Instruction& instruction = document_.module().instruction(part.instruction);
    if (!instruction.syntax.has_value() || instruction.synthesized) return;
    const TokenRange shape = document_.syntax().instructions[instruction.syntax.index()].shape;
    if (shape.empty()) return;
    const TokenBuffer& tokens = document_.tokens();
    const absl::string_view written =
        text_.substr(tokens.begin(shape.begin), tokens.end(shape.end - 1) - tokens.begin(shape.begin));
    const absl::string_view line = absl::string_view(printed_.text).substr(part.begin, part.end - part.begin);
    const size_t equals = line.find(kEquals);
    if (equals == absl::string_view::npos) return;
    const size_t begin = equals + kEquals.size();
    if (absl::StartsWith(line.substr(begin), written) && absl::StartsWith(line.substr(begin + written.size()), " ")) {
      return;  // as it prints
    }
    int64_t depth = 0;
    size_t end = begin;
    for (; end < line.size() && (depth > 0 || line[end] != ' '); ++end) {
      depth += line[end] == '(' ? 1 : line[end] == ')' ? -1 : 0;
    }
    const absl::string_view prints = line.substr(begin, end - begin);
    if (Squeezed(prints) == Squeezed(written) || WithoutLayouts(prints) != WithoutLayouts(written) ||
        absl::StrContains(written, "\n") || absl::StrContains(written, "//")) {
      return;
    }
    replacements_.push_back({part.begin + begin, part.begin + end, std::string(written)});
  }

  void KeepAttributes(const PrintedModule::Part& part) {
    std::vector<Replacement> replacements = WrittenAttributes(document_, options_, printed_, part);
    if (replacements.empty()) return;
    std::move(replacements.begin(), replacements.end(), std::back_inserter(replacements_));
    const auto first = std::find_if(replacements_.begin(), replacements_.end(),
                                    [&](const Replacement& r) { return r.begin >= part.begin; });
    std::stable_sort(first, replacements_.end(),
                     [](const Replacement& a, const Replacement& b) { return a.begin < b.begin; });
  }

  void KeepNumbers(const PrintedModule::Part& part) {
    const Module& module = document_.module();
    if (!part.instruction.has_value() || module.opcode(part.instruction) != Opcode::kConstant) return;
    if (options_.essential_constants) return;
    const Instruction& instruction = module.instruction(part.instruction);
    if (!instruction.syntax.has_value() || instruction.synthesized) return;
    const TokenRange arguments = document_.syntax().instructions[instruction.syntax.index()].arguments;
    if (arguments.empty()) return;
    const TokenBuffer& tokens = document_.tokens();
    const absl::string_view written =
        text_.substr(tokens.begin(arguments.begin), tokens.end(arguments.end - 1) - tokens.begin(arguments.begin));
    static constexpr absl::string_view kOpcode = " constant(";
    const absl::string_view prints = absl::string_view(printed_.text).substr(part.begin, part.end - part.begin);
    const size_t opcode = prints.find(kOpcode);
    if (opcode == absl::string_view::npos) return;
    const size_t begin = opcode + kOpcode.size();
    if (absl::StartsWith(prints.substr(begin), written) &&
        absl::StartsWith(prints.substr(begin + written.size()), ")")) {
      return;  // as it prints
    }
    const std::optional<size_t> end = EndOfParentheses(prints, begin);
    if (end) KeepNumbersOf(written, prints.substr(begin, *end - begin), part.begin + begin);
  }

  // The parenthesis that closes one before `begin`.
  static std::optional<size_t> EndOfParentheses(absl::string_view text, size_t begin) {
    int64_t depth = 0;
    for (size_t i = begin; i < text.size(); ++i) {
      if (text[i] == '(') ++depth;
      if (text[i] == ')' && --depth < 0) return i;
    }
    return std::nullopt;
  }

  // Nothing, where the literals differ in more than the spelling of numbers and truth values.
  void KeepNumbersOf(absl::string_view written, absl::string_view prints, size_t offset) {
    std::vector<Replacement> replacements;
    LiteralWalker from(written), to(prints);
    for (; !from.AtEnd() && !to.AtEnd(); from.Next(), to.Next()) {
      if (from.token() == to.token()) continue;
      if (!from.IsNumber() || !to.IsNumber()) return;
      replacements.push_back({offset + to.begin(), offset + to.end(), std::string(from.token())});
    }
    if (!from.AtEnd() || !to.AtEnd()) return;
    for (Replacement& replacement : replacements) replacements_.push_back(std::move(replacement));
  }

  // The replacements are in the order of the text: parts do not overlap.
  void Apply() {
    if (replacements_.empty()) return;
    std::string text;
    text.reserve(printed_.text.size() + printed_.text.size() / 16);
    size_t copied = 0, next = 0;
    const auto copy_to = [&](size_t offset) {
      for (; next < replacements_.size() && replacements_[next].end <= offset; ++next) {
        const Replacement& replacement = replacements_[next];
        // What is inserted at the end of a part comes after it.
        if (replacement.begin == replacement.end && replacement.end == offset) break;
        text.append(printed_.text, copied, replacement.begin - copied).append(replacement.text);
        copied = replacement.end;
      }
      text.append(printed_.text, copied, offset - copied);
      copied = offset;
      return static_cast<uint32_t>(text.size());
    };
    for (PrintedModule::Part& part : printed_.parts) {
      part.begin = copy_to(part.begin);
      part.end = copy_to(part.end);
    }
    copy_to(printed_.text.size());
    printed_.text = std::move(text);
  }

  const Document& document_;
  const PrintOptions& options_;
  const absl::string_view text_;
  PrintedModule& printed_;
  std::vector<Replacement> replacements_;
};

}  // namespace

void KeepWrittenForms(const Document& document, const PrintOptions& options, PrintedModule* printed) {
  FormKeeper(document, options, printed).Run();
}

}  // namespace hloscope
