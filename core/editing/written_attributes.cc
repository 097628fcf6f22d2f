// SPDX-License-Identifier: Apache-2.0
#include "core/editing/written_attributes.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/print/shape_printer.h"

namespace hloscope {
namespace {

using PartKind = PrintedModule::Part::Kind;

struct Attribute {
  absl::string_view name, value;  // value: in the text that was read or printed
};

// After the string that begins at `begin`.
size_t EndOfString(absl::string_view text, size_t begin) {
  for (size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return text.size();
}

// The length of `name=` at `begin`; 0 if there is none.
size_t NameLength(absl::string_view text, size_t begin) {
  size_t end = begin;
  while (end < text.size() &&
         (absl::ascii_isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_' || text[end] == '-')) {
    ++end;
  }
  return end > begin && end < text.size() && text[end] == '=' ? end - begin : 0;
}

// The attributes of a line that was printed, outside of all brackets and strings.
std::vector<Attribute> PrintedAttributes(absl::string_view line) {
  std::vector<Attribute> attributes;
  const auto finish = [&](size_t end) {
    if (attributes.empty()) return;
    const char* const begin = attributes.back().value.data();
    attributes.back().value = {begin, static_cast<size_t>(line.data() + end - begin)};
  };
  int depth = line.empty() || line[0] != '}' ? 0 : 1;  // the line closes a computation
  size_t i = 0;
  while (i < line.size()) {
    const char c = line[i];
    if (c == '"') {
      i = EndOfString(line, i);
      continue;
    }
    if (c == '{' || c == '[' || c == '(') ++depth;
    if (c == '}' || c == ']' || c == ')') --depth;
    const size_t length = depth == 0 && absl::StartsWith(line.substr(i), ", ") ? NameLength(line, i + 2) : 0;
    if (length > 0) {
      finish(i);
      const size_t value = i + 2 + length + 1;
      attributes.push_back({line.substr(i + 2, length), line.substr(value, 0)});
      i = value;
      continue;
    }
    ++i;
  }
  finish(line.size());
  return attributes;
}

// Values that print in another spelling than they are read in: the text's own stays unless a switch asks for another.
// Names of computations and instructions may change in print.
bool KeepsSpelling(absl::string_view name, const PrintOptions& options) {
  static constexpr absl::string_view kNames[] = {"to_apply",
                                                 "calls",
                                                 "condition",
                                                 "body",
                                                 "branch_computations",
                                                 "true_computation",
                                                 "false_computation",
                                                 "select",
                                                 "scatter",
                                                 "called_computations",
                                                 "control-predecessors"};
  if (std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames)) return false;
  if (name == "metadata") return !options.only_op_name;
  if (name == "sharding") return options.metadata;  // that of shardings too
  if (name == "backend_config") return !options.sorted_backend_config;
  if (name == "replica_groups") return !options.explicit_replica_groups;
  if (name == "literal") return options.large_constants;
  return name != "channel_id" || options.channel_ids;
}

bool IsMadeOfShapes(absl::string_view name) {
  return name == "entry_computation_layout" || name == "operand_layout_constraints" || name == "outfeed_shape";
}

// The two values differ in comments of printers, or in layouts of shapes, alone. Both were read as the same.
bool DifferInWhatIsImplied(absl::string_view name, absl::string_view prints, absl::string_view written) {
  if (WithoutIndexComments(prints) == written) return true;
  return IsMadeOfShapes(name) && !absl::StrContains(WithoutIndexComments(written), "/*") &&
         WithoutLayouts(prints) == WithoutLayouts(written);
}

class AttributeKeeper {
 public:
  AttributeKeeper(const Document& document, const PrintOptions& options, const PrintedModule& printed,
                  const PrintedModule::Part& part)
      : document_(document),
        options_(options),
        part_(part),
        line_(absl::string_view(printed.text).substr(part.begin, part.end - part.begin)) {}

  std::vector<Replacement> Replacements() {
    std::vector<Attribute> written = Written();
    // Usually everything prints as it is written.
    const bool may_move = part_.kind == PartKind::kHeader && written.size() > 1;
    if (!may_move &&
        std::all_of(written.begin(), written.end(), [&](const Attribute& attribute) { return IsThere(attribute); })) {
      return {};
    }
    // Bodies in place and tables have lines of their own.
    if (part_.kind != PartKind::kHeader && absl::StrContains(line_, "\n")) return {};
    printed_ = PrintedAttributes(line_);
    if (part_.kind == PartKind::kHeader && !absl::StrContains(line_, "\n")) return HeaderInWrittenOrder(written);
    for (const Attribute& attribute : written) Keep(attribute);
    std::stable_sort(replacements_.begin(), replacements_.end(),
                     [](const Replacement& a, const Replacement& b) { return a.begin < b.begin; });
    AddTail();
    return std::move(replacements_);
  }

 private:
  std::vector<Attribute> Written() const {
    const SyntaxTree& tree = document_.syntax();
    if (part_.kind == PartKind::kHeader) return Slices(tree.first_header_attribute, tree.header_attribute_count);
    if (part_.kind == PartKind::kInstruction && part_.instruction.has_value()) {
      const Instruction& instruction = document_.module().instruction(part_.instruction);
      if (!instruction.syntax.has_value() || instruction.synthesized) return {};
      const InstructionSyntax& node = tree.instructions[instruction.syntax.index()];
      return Slices(node.first_attribute, node.attribute_count);
    }
    if (part_.kind == PartKind::kComputationClose && part_.computation.has_value()) {
      const uint32_t syntax = document_.module().computation(part_.computation).syntax;
      if (syntax >= tree.computations.size()) return {};
      return Slices(tree.computations[syntax].first_attribute, tree.computations[syntax].attribute_count);
    }
    return {};
  }

  std::vector<Attribute> Slices(uint32_t first, uint32_t count) const {
    const TokenBuffer& tokens = document_.tokens();
    std::vector<Attribute> attributes;
    for (uint32_t i = first; i < first + count; ++i) {
      const AttributeSyntax& attribute = document_.syntax().attributes[i];
      if (attribute.value.empty()) continue;
      const uint32_t begin = tokens.begin(attribute.value.begin), end = tokens.end(attribute.value.end - 1);
      attributes.push_back({absl::StripSuffix(document_.source().Slice(tokens.range(attribute.name)), "="),
                            document_.source().text().substr(begin, end - begin)});
    }
    return attributes;
  }

  // All that the header has after its name, in the order of the text; what the text does not have comes last.
  std::vector<Replacement> HeaderInWrittenOrder(const std::vector<Attribute>& written) const {
    std::string tail;
    const auto add = [&](absl::string_view name, absl::string_view value) {
      absl::StrAppend(&tail, ", ", name, "=", value);
    };
    const auto find = [](const std::vector<Attribute>& attributes, absl::string_view name) {
      return std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& a) { return a.name == name; });
    };
    for (const Attribute& attribute : written) {
      const auto it = find(printed_, attribute.name);
      const bool prints = it != printed_.end();
      if (!prints && !SaysNothing(attribute)) continue;
      const bool same = prints && Squeezed(it->value) == Squeezed(attribute.value) &&
                        !DifferInWhatIsImplied(attribute.name, it->value, attribute.value);
      add(attribute.name, same || (prints && absl::StrContains(attribute.value, "\n")) ? it->value : attribute.value);
    }
    for (const Attribute& attribute : printed_) {
      if (find(written, attribute.name) == written.end()) add(attribute.name, attribute.value);
    }
    const size_t first = line_.find(", ");
    const size_t begin = first == absl::string_view::npos ? line_.size() : first;
    if (tail.empty() || line_.substr(begin) == tail) return {};
    // It takes the place of the last letter of the name, too: what comes last belongs to the part.
    return {{part_.begin + begin - 1, part_.end, absl::StrCat(line_.substr(begin - 1, 1), tail)}};
  }

  bool IsThere(const Attribute& written) const {
    return absl::StrContains(line_, absl::StrCat(", ", written.name, "=", written.value));
  }

  bool IsWanted(absl::string_view name) const {
    if (name == "metadata") return options_.metadata;
    if (name == "backend_config") return options_.backend_config;
    return name != "control-predecessors" || options_.control_predecessors;
  }

  void Keep(const Attribute& written) {
    if (!IsWanted(written.name) || absl::StrContains(written.value, "\n")) return;
    const auto it = std::find_if(printed_.begin(), printed_.end(),
                                 [&](const Attribute& attribute) { return attribute.name == written.name; });
    if (it == printed_.end()) {
      if (SaysNothing(written)) Insert(written);
      return;
    }
    if (!DifferInWhatIsImplied(written.name, it->value, written.value) &&
        (!KeepsSpelling(written.name, options_) || Squeezed(it->value) == Squeezed(written.value))) {
      return;
    }
    const size_t begin = part_.begin + static_cast<size_t>(it->value.data() - line_.data());
    replacements_.push_back({begin, begin + it->value.size(), std::string(written.value)});
  }

  // Others are spelled in another way (section 9), or say what other parts of the line do.
  bool SaysNothing(const Attribute& written) const {
    const std::string value = Squeezed(written.value);
    if (part_.kind == PartKind::kHeader) {
      return value == "{}" || value == "{false}" || value == "false" || value == "0" || value == "1";
    }
    if (part_.kind == PartKind::kComputationClose) return value == "\"main\"";
    return value == "\"\"" || value == "{}";
  }

  void Insert(const Attribute& written) { absl::StrAppend(&tail_, ", ", written.name, "=", Squeezed(written.value)); }

  // What comes last belongs to the part: it takes the place of the last letter.
  void AddTail() {
    if (tail_.empty()) return;
    if (!replacements_.empty() && replacements_.back().end == part_.end) {
      replacements_.back().text += tail_;
    } else {
      replacements_.push_back({part_.end - size_t{1}, part_.end, absl::StrCat(line_.substr(line_.size() - 1), tail_)});
    }
  }

  const Document& document_;
  const PrintOptions& options_;
  const PrintedModule::Part& part_;
  const absl::string_view line_;
  std::vector<Attribute> printed_;
  std::vector<Replacement> replacements_;
  std::string tail_;
};

}  // namespace

std::string Squeezed(absl::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (absl::StartsWith(text.substr(i), "/*")) {
      const size_t stop = text.find("*/", i + 2);
      if (stop == absl::string_view::npos) break;
      i = stop + 1;
    } else if (!absl::ascii_isspace(static_cast<unsigned char>(text[i]))) {
      out.push_back(text[i]);
    }
  }
  return out;
}

std::string WithoutLayouts(absl::string_view shapes) {
  const std::string text = Squeezed(shapes);
  std::string out;
  int depth = 0;  // of layouts
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' && (depth > 0 || (i > 0 && text[i - 1] == ']'))) ++depth;
    if (depth == 0) out.push_back(text[i]);
    if (text[i] == '}' && depth > 0) --depth;
  }
  return out;
}

std::vector<Replacement> WrittenAttributes(const Document& document, const PrintOptions& options,
                                           const PrintedModule& printed, const PrintedModule::Part& part) {
  return AttributeKeeper(document, options, printed, part).Replacements();
}

}  // namespace hloscope
