// SPDX-License-Identifier: Apache-2.0
// Commands of the debugger about where values come from.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/analysis/source_frames.h"
#include "reports/debug_console.h"
#include "reports/subprocess.h"

namespace hloscope::reports {
namespace {

constexpr size_t kShownHops = 24;

// A whole number that is written out.
std::optional<int64_t> WrittenIndex(const evaluator::ExpressionNode& node) {
  if (node.kind == evaluator::ExpressionNode::Kind::kUnary && node.name == "-") {
    const std::optional<int64_t> number = WrittenIndex(node.operands[0]);
    return number.has_value() ? std::optional(-*number) : std::nullopt;
  }
  if (node.kind != evaluator::ExpressionNode::Kind::kNumber || node.number != std::floor(node.number) ||
      node.number > 1e15) {
    return std::nullopt;
  }
  return static_cast<int64_t>(node.number);
}

// Where the instruction comes from in the program that was compiled; empty if nobody says.
std::string SourceOf(const Module& module, InstructionId id) {
  const Metadata* metadata = module.MetadataOf(id);
  if (metadata == nullptr) return "";
  std::string text(module.string(metadata->op_name));
  const std::vector<SourceFrame> frames = SourceFramesOf(module, *metadata);
  if (!frames.empty()) {
    absl::StrAppend(&text, text.empty() ? "" : "  ", frames[0].file, ":", frames[0].line);
  }
  return text;
}

}  // namespace

std::optional<evaluator::ValuePlace> DebugConsole::ReadPlace(absl::string_view text, bool* has_index) {
  const std::optional<evaluator::Expression> expression = Parse(text);
  if (!expression.has_value()) return std::nullopt;
  evaluator::ValuePlace place;
  const evaluator::ExpressionNode* node = &expression->root();
  const auto fail = [&](const evaluator::ExpressionNode& at,
                        std::string message) -> std::optional<evaluator::ValuePlace> {
    FailExpression(text, {at.begin, at.end, std::move(message)});
    return std::nullopt;
  };
  *has_index = node->kind == evaluator::ExpressionNode::Kind::kIndex;
  const evaluator::ExpressionNode* const subscripts = *has_index ? node : nullptr;
  if (*has_index) node = &node->operands[0];
  for (; node->kind == evaluator::ExpressionNode::Kind::kElement; node = &node->operands[0]) {
    place.element.path.insert(place.element.path.begin(), node->path.begin(), node->path.end());
  }
  if (node->kind != evaluator::ExpressionNode::Kind::kValue) {
    return fail(*node, "this names no element; write a value and an index, as in x[0, 3] or t{1}[2]");
  }
  const absl::StatusOr<evaluator::RunScope::Place> named = Scope().PlaceOf(node->name);
  if (!named.ok()) return fail(*node, std::string(named.status().message()));
  place.instruction = named->instruction;
  place.frame = {device_, inspection().frames()[named->frame].serial};
  if (subscripts == nullptr) return place;
  const Shape* shape = &debugger_.module().shape(place.instruction);
  for (int64_t number : place.element.path) {
    if (number >= shape->tuple_size()) return fail(*node, absl::StrCat("the tuple has no element ", number));
    shape = &shape->element(number);
  }
  for (const evaluator::ExpressionNode::Subscript& subscript : subscripts->subscripts) {
    const std::optional<int64_t> index =
        subscript.single ? WrittenIndex(subscripts->operands[*subscript.start]) : std::nullopt;
    evaluator::ExpressionNode at;
    at.begin = subscript.begin;
    at.end = subscript.end;
    if (!index.has_value()) return fail(at, "the index of one element is made of whole numbers");
    const size_t d = place.element.index.size();
    if (!shape->IsArray() || d >= shape->dimensions().size()) {
      return fail(at, absl::StrCat("the shape is ", shape->ToString(false), ": there are fewer dimensions"));
    }
    place.element.index.push_back(*index < 0 ? *index + shape->dimensions()[d] : *index);
  }
  return place;
}

bool DebugConsole::Origin(absl::string_view arguments) {
  bool has_index = false;
  std::optional<evaluator::ValuePlace> place = ReadPlace(arguments, &has_index);
  if (!place.has_value()) return false;
  const Module& module = debugger_.module();
  evaluator::Provenance provenance(debugger_.timeline());
  const Shape& shape = module.shape(place->instruction);
  if (!has_index && (shape.IsTuple() || !shape.dimensions().empty())) {
    const absl::StatusOr<evaluator::Element> first = provenance.FirstNonFinite(place->frame, place->instruction);
    if (!first.ok()) return Fail(first.status());
    place->element = *first;
  }
  const absl::StatusOr<evaluator::OriginReport> report = provenance.OriginOf(*place);
  if (!report.ok()) return Fail(report.status());
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const evaluator::PlacedElement& one, bool with_path) {
    const InstructionId id = one.place.instruction;
    const std::string path = with_path ? provenance.PathOf(one.place.frame, id) : "";
    rows.push_back({evaluator::ElementName(ShortName(module.InstructionName(id), 36), one.place.element), one.text,
                    std::string(OpcodeName(module.opcode(id))), look_.interactive ? ShortName(path, 60) : path});
  };
  const size_t count = report->hops.size();
  for (size_t i = 0; i < count; ++i) {
    if (count > kShownHops && i == kShownHops / 2) {
      rows.push_back({absl::StrCat("... ", count - kShownHops, " more")});
      i = count - kShownHops / 2;
    }
    add(report->hops[i], true);
  }
  Say(AlignedTable(look_, rows));
  rows.clear();
  const evaluator::PlacedElement& last = report->hops.back();
  Say(absl::StrCat(Painted(look_, Paint::kBold, absl::StrCat("origin: ", report->why)), "\n"));
  if (const std::string source = SourceOf(module, last.place.instruction); !source.empty()) {
    Say(absl::StrCat("  ", source, "\n"));
  }
  if (report->end != evaluator::OriginReport::End::kMade) return true;
  culprit_ = last.place;
  for (const evaluator::PlacedElement& operand : report->operands) add(operand, false);
  Say(AlignedTable(look_, rows));
  if (report->operand_count > static_cast<int64_t>(report->operands.size())) {
    Say(absl::StrCat("  and ", report->operand_count - static_cast<int64_t>(report->operands.size()),
                     " more elements\n"));
  }
  Say("  `reproduce DIRECTORY` writes it as a module of its own\n");
  return true;
}

bool DebugConsole::Why(absl::string_view arguments) {
  bool has_index = false;
  const std::optional<evaluator::ValuePlace> place = ReadPlace(arguments, &has_index);
  if (!place.has_value()) return false;
  const Module& module = debugger_.module();
  evaluator::Provenance provenance(debugger_.timeline());
  const absl::StatusOr<std::string> text = provenance.ElementText(*place);
  if (!text.ok()) {
    return Fail(has_index ? std::string(text.status().message())
                          : absl::StrCat(text.status().message(), "; which element? `why x[0, 3]`"));
  }
  const absl::StatusOr<evaluator::Provenance::Sources> sources = provenance.SourcesOf(*place);
  if (!sources.ok()) return Fail(sources.status());
  Say(absl::StrCat(evaluator::ElementName(module.InstructionName(place->instruction), place->element), " = ", *text,
                   "  ", OpcodeName(module.opcode(place->instruction)), "\n"));
  if (sources->kind == evaluator::DependenceKind::kNone) {
    Say(sources->note.empty() ? "  it depends on no operand\n" : absl::StrCat("  ", sources->note, "\n"));
    return true;
  }
  if (sources->kind == evaluator::DependenceKind::kAll) {
    Say("  which elements of its operands count is not known for this operation; all of them:\n");
  }
  std::vector<std::vector<std::string>> rows;
  for (const evaluator::PlacedElement& one : sources->elements) {
    const bool elsewhere = !(one.place.frame == place->frame);
    rows.push_back(
        {evaluator::ElementName(ShortName(module.InstructionName(one.place.instruction), 40), one.place.element),
         one.text, elsewhere ? provenance.PathOf(one.place.frame, one.place.instruction) : ""});
  }
  Say(AlignedTable(look_, rows));
  if (sources->count > static_cast<int64_t>(sources->elements.size())) {
    Say(absl::StrCat("  and ", sources->count - static_cast<int64_t>(sources->elements.size()), " more\n"));
  }
  return true;
}

bool DebugConsole::Reproduce(absl::string_view arguments) {
  const std::vector<std::string> words = absl::StrSplit(arguments, ' ', absl::SkipEmpty());
  if (words.empty() || words.size() > 2) return Fail("`reproduce DIRECTORY [INSTRUCTION]` needs a directory");
  std::optional<evaluator::ValuePlace> place = culprit_;
  if (words.size() == 2) {
    const absl::StatusOr<evaluator::RunScope::Place> named = Scope().PlaceOf(words[1]);
    if (!named.ok()) return Fail(named.status());
    place = evaluator::ValuePlace{{device_, inspection().frames()[named->frame].serial}, named->instruction, {}};
  }
  if (!place.has_value()) return Fail("which instruction? `origin` finds the one that made a NaN");
  if (mkdir(words[0].c_str(), 0777) != 0 && errno != EEXIST) {
    return Fail(absl::StrCat(words[0], ": cannot be created: ", std::strerror(errno)));
  }
  const absl::StatusOr<std::vector<std::string>> paths =
      evaluator::WriteReproducer(debugger_.timeline(), document_->users(), place->frame, place->instruction, words[0]);
  if (!paths.ok()) return Fail(paths.status());
  Say(absl::StrCat("wrote ", paths->size(), " files; hloscope run ", ShellQuoted((*paths)[0]), " --args-dir ",
                   ShellQuoted(words[0]), " evaluates ", debugger_.module().InstructionName(place->instruction),
                   " alone\n"));
  return true;
}

}  // namespace hloscope::reports
