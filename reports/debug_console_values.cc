// SPDX-License-Identifier: Apache-2.0
// Commands of the debugger that show and change values.
#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "core/source/output_file.h"
#include "evaluator/tensor/npy.h"
#include "numerics/elements/numeric.h"
#include "reports/debug_console.h"
#include "reports/markdown.h"

namespace hloscope::reports {
namespace {

constexpr int kListContext = 6;
constexpr size_t kMaxHistory = 100000;
constexpr size_t kShownHistory = 400;
constexpr size_t kShownDevices = 256;
constexpr size_t kShownDifferences = 6;

absl::string_view KindName(const evaluator::Frame& frame) {
  switch (frame.kind) {
    case evaluator::FrameKind::kEntry:
      return "entry computation";
    case evaluator::FrameKind::kCall:
      return "called by";
    case evaluator::FrameKind::kFusion:
      return "fused in";
    case evaluator::FrameKind::kCondition:
      return "condition of";
    case evaluator::FrameKind::kBody:
      return "body of";
    case evaluator::FrameKind::kBranch:
      return "branch of";
    case evaluator::FrameKind::kAsync:
      return "run by";
    case evaluator::FrameKind::kApplied:
      return "applied by";
  }
  return "";
}

// Where a comma is outside of brackets and quotations; npos if nowhere.
size_t TopLevelComma(absl::string_view text) {
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (quote != 0) {
      if (text[i] == quote) quote = 0;
    } else if (text[i] == '"' || text[i] == '\'') {
      quote = text[i];
    } else if (text[i] == '(' || text[i] == '[' || text[i] == '{') {
      ++depth;
    } else if (text[i] == ')' || text[i] == ']' || text[i] == '}') {
      --depth;
    } else if (text[i] == ',' && depth == 0) {
      return i;
    }
  }
  return absl::string_view::npos;
}

bool IsNpyPath(absl::string_view text) {
  return absl::EndsWith(text, ".npy") && text.find_first_of(" ()\"'") == absl::string_view::npos;
}

// The value that a literal of HLO text stands for.
absl::StatusOr<evaluator::Value> ReadLiteralText(absl::string_view text, const Shape& shape) {
  const std::shared_ptr<const Document> document = Document::Parse(SourceText::FromString(
      "literal", absl::StrCat("ENTRY e { ROOT c = ", shape.ToString(false), " constant(", text, ") }")));
  const Module& module = document->module();
  if (document->has_errors() || module.instruction_count() != 1 || !module.instructions()[0].literal.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", text, "` is not a literal of shape ", shape.ToString(false), ", such as {1, 2, 3}"));
  }
  return evaluator::Value::FromLiteral(module.literal(InstructionId(0)));
}

// Sees one value changed.
class ChangedScope final : public evaluator::ExpressionScope {
 public:
  ChangedScope(evaluator::RunScope scope, std::string name, evaluator::Value value)
      : scope_(std::move(scope)), name_(std::move(name)), value_(std::move(value)) {
    set_limit(scope_.limit());
  }
  absl::StatusOr<evaluator::Value> Named(absl::string_view name) override {
    return name == name_ ? absl::StatusOr<evaluator::Value>(value_) : scope_.Named(name);
  }
  absl::StatusOr<double> Variable(absl::string_view name) override { return scope_.Variable(name); }
  absl::StatusOr<evaluator::Tensor> File(const std::string& path) override { return scope_.File(path); }

 private:
  evaluator::RunScope scope_;
  const std::string name_;
  const evaluator::Value value_;
};

// Advances a row-major multi-index; false after the last.
bool NextIndex(absl::Span<const int64_t> dimensions, absl::Span<int64_t> index) {
  for (size_t d = index.size(); d-- > 0;) {
    if (++index[d] < dimensions[d]) return true;
    index[d] = 0;
  }
  return false;
}

// A tuple with the element at the path replaced; with an empty path, the element.
evaluator::Value WithElement(const evaluator::Value& value, absl::Span<const int64_t> path, evaluator::Value element) {
  if (path.empty()) return element;
  std::vector<evaluator::Value> elements(value.elements().begin(), value.elements().end());
  evaluator::Value& changed = elements[static_cast<size_t>(path[0])];
  changed = WithElement(changed, path.subspan(1), std::move(element));
  return evaluator::Value::Tuple(std::move(elements));
}

std::string IndexText(absl::Span<const int64_t> index) { return absl::StrCat("[", absl::StrJoin(index, ","), "]"); }

}  // namespace

bool DebugConsole::Print(absl::string_view arguments) {
  std::string text(arguments);
  if (text.empty() && latest_.has_value()) text = std::string(debugger_.module().InstructionName(latest_));
  if (text.empty()) return Fail("`print EXPRESSION` needs something to show");
  const std::optional<evaluator::Value> value = Evaluate(text);
  if (!value.has_value()) return false;
  Say(ValueText(look_, text, *value));
  return true;
}

bool DebugConsole::Markdown(absl::string_view arguments) {
  std::string text(arguments);
  if (text.empty() && latest_.has_value()) text = std::string(debugger_.module().InstructionName(latest_));
  if (text.empty()) return Fail("`markdown EXPRESSION` needs something to show");
  const std::optional<evaluator::Value> value = Evaluate(text);
  if (!value.has_value()) return false;
  Say(MarkdownOfValue(text, *value));
  return true;
}

bool DebugConsole::Stats(absl::string_view arguments) {
  if (arguments.empty()) return Fail("`stats EXPRESSION` needs something to look at");
  const std::optional<evaluator::Value> value = Evaluate(arguments);
  if (!value.has_value()) return false;
  evaluator::QuestionLimit limit = debugger_.timeline().NewQuestion();
  const std::string text = StatisticsTextOf(look_, arguments, *value, limit);
  if (const absl::Status status = limit.status(); !status.ok()) return Fail(status);
  Say(text);
  return true;
}

bool DebugConsole::Diff(absl::string_view arguments) {
  size_t split = TopLevelComma(arguments);
  if (split == absl::string_view::npos) split = arguments.find_last_of(" \t");
  if (split == absl::string_view::npos) return Fail("`diff A, B` needs two expressions, or one and an .npy file");
  const std::string left_text(absl::StripAsciiWhitespace(arguments.substr(0, split)));
  std::string right_text(absl::StripAsciiWhitespace(arguments.substr(split + 1)));
  if (IsNpyPath(right_text)) right_text = absl::StrCat("file(\"", right_text, "\")");
  const std::optional<evaluator::Value> left = Evaluate(left_text);
  if (!left.has_value()) return false;
  // A file is read as the type that it is compared with.
  std::optional<evaluator::Value> right;
  if (absl::StartsWith(right_text, "file(\"") && left->IsTensor()) {
    absl::StatusOr<evaluator::Tensor> file =
        evaluator::ReadNpy(right_text.substr(6, right_text.size() - 8), left->tensor().WithRunTimeSizes().shape());
    if (!file.ok()) return Fail(file.status());
    right = evaluator::Value(*std::move(file));
  } else {
    right = Evaluate(right_text);
  }
  if (!right.has_value()) return false;
  if (!left->IsTensor() || !right->IsTensor()) return Fail("only arrays can be compared; name elements of tuples");
  const evaluator::Tensor a = left->tensor().WithRunTimeSizes(), b = right->tensor().WithRunTimeSizes();
  if (!std::equal(a.dimensions().begin(), a.dimensions().end(), b.dimensions().begin(), b.dimensions().end())) {
    return Fail(absl::StrCat("the shapes ", a.shape().ToString(false), " and ", b.shape().ToString(false),
                             " cannot be compared"));
  }
  std::vector<int64_t> index(static_cast<size_t>(a.rank()), 0);
  std::vector<std::vector<std::string>> rows;
  int64_t different = 0;
  double most = 0, most_relative = 0;
  std::vector<int64_t> place = index;
  evaluator::QuestionLimit limit = debugger_.timeline().NewQuestion();
  if (a.element_count() > 0) {
    do {
      if (limit.IsOver()) return Fail(limit.status());
      const std::complex<double> x = ReadComplex(a.element_type(), a.At(index)),
                                 y = ReadComplex(b.element_type(), b.At(index));
      const bool both_nan = std::isnan(std::abs(x)) && std::isnan(std::abs(y));
      if (x == y || both_nan) continue;
      const double difference = std::abs(x - y);
      const double relative = difference / std::max(std::abs(x), std::abs(y));
      if (different++ == 0 || !(difference <= most)) {
        most = difference;
        place = index;
      }
      most_relative = std::max(most_relative, std::isnan(relative) ? 0 : relative);
      if (rows.size() < kShownDifferences) {
        rows.push_back({IndexText(index), absl::StrFormat("%.9g", x.real()), absl::StrFormat("%.9g", y.real()),
                        absl::StrFormat("%g", difference)});
      }
    } while (NextIndex(a.dimensions(), absl::MakeSpan(index)));
  }
  if (different == 0) {
    Say(absl::StrCat(Painted(look_, Paint::kGood, "equal"), ": all ", a.element_count(), " elements of ",
                     a.shape().ToString(false), "\n"));
    return true;
  }
  differed_ = true;
  Say(absl::StrCat(
      Painted(look_, Paint::kBad, absl::StrCat(different, " of ", a.element_count(), " differ")),
      absl::StrFormat(": at most by %g, at %s; relatively at most by %g\n", most, IndexText(place), most_relative)));
  rows.insert(rows.begin(), {"index", "left", "right", "difference"});
  Say(AlignedTable(look_, rows));
  if (static_cast<size_t>(different) > kShownDifferences) Say("  ...\n");
  return true;
}

bool DebugConsole::History(absl::string_view arguments) {
  const std::optional<evaluator::Expression> expression = Parse(arguments);
  if (!expression.has_value()) return false;
  if (expression->ValueNames().empty()) return Fail("the expression names no instruction, so it has no history");
  size_t count = 0;
  const absl::StatusOr<std::vector<evaluator::Debugger::PastResult>> results =
      debugger_.History(*expression, kMaxHistory, &count);
  if (!results.ok()) return Fail(results.status());
  if (results->empty()) return Fail("it was not computed so far");
  const bool several = debugger_.timeline().device_count() > 1;
  std::vector<std::vector<std::string>> rows;
  for (size_t i = 0; i < results->size(); ++i) {
    if (results->size() > kShownHistory && i == kShownHistory / 2) {
      rows.push_back({"...", "", absl::StrCat(results->size() - kShownHistory, " more")});
      i = results->size() - kShownHistory / 2;
    }
    const evaluator::Debugger::PastResult& result = (*results)[i];
    rows.push_back({absl::StrCat(several ? absl::StrCat("device ", result.device, " ") : "",
                                 look_.interactive ? ShortName(result.path, 60) : result.path),
                    evaluator::BriefValue(result.value)});
  }
  Say(AlignedTable(look_, rows));
  if (count > results->size()) {
    Say(absl::StrCat("  cut: these are the first ", results->size(), " of ", count, " times it was computed\n"));
  }
  return true;
}

bool DebugConsole::Dump(absl::string_view arguments) {
  const size_t split = arguments.find_last_of(" \t");
  if (split == absl::string_view::npos) return Fail("`dump EXPRESSION FILE.npy` needs a value and a file");
  const std::string path(arguments.substr(split + 1));
  const std::optional<evaluator::Value> value = Evaluate(absl::StripAsciiWhitespace(arguments.substr(0, split)));
  if (!value.has_value()) return false;
  std::vector<evaluator::Tensor> leaves;
  value->ForEachTensor([&](const evaluator::Tensor& tensor) { leaves.push_back(tensor); });
  if (leaves.empty()) return Fail("a token has no elements to write");
  OutputFilesTogether files;
  std::string said;
  for (size_t k = 0; k < leaves.size(); ++k) {
    const std::string leaf_path =
        leaves.size() == 1 ? path : absl::StrCat(absl::StripSuffix(path, ".npy"), ".", k, ".npy");
    if (const absl::Status status = evaluator::WriteNpy(leaf_path, leaves[k], debugger_.timeline().interruption());
        !status.ok()) {
      return Fail(status);
    }
    absl::StrAppend(&said, leaf_path, ": ", leaves[k].WithRunTimeSizes().shape().ToString(false), "\n");
  }
  if (const absl::Status status = files.Finish(); !status.ok()) return Fail(status);
  Say(said);
  return true;
}

bool DebugConsole::Operands(absl::string_view arguments) {
  if (!NoArguments(arguments)) return false;
  if (inspection().frames().empty() || execution().finished()) return Fail("there is no next instruction");
  const Module& module = debugger_.module();
  const size_t innermost = inspection().frames().size() - 1;
  const InstructionId current = inspection().frames().back().current;
  std::vector<std::vector<std::string>> rows;
  for (InstructionId operand : module.operands(current)) {
    const absl::StatusOr<evaluator::Value> value = debugger_.timeline().ValueOf(device_, innermost, operand);
    rows.push_back({ShortName(module.InstructionName(operand), 40),
                    value.ok() ? evaluator::BriefValue(*value) : std::string(value.status().message())});
  }
  const absl::Span<const InstructionId> operands = module.operands(current);
  const bool is_operand = std::find(operands.begin(), operands.end(), latest_) != operands.end();
  if (latest_.has_value() && !is_operand &&
      module.instruction(latest_).computation == inspection().frames().back().computation) {
    if (const evaluator::Value* value = inspection().ValueOf(innermost, latest_)) {
      rows.push_back(
          {absl::StrCat(ShortName(module.InstructionName(latest_), 30), " (latest)"), evaluator::BriefValue(*value)});
    }
  }
  Say(rows.empty() ? "  no operands\n" : AlignedTable(look_, rows));
  return true;
}

bool DebugConsole::List(absl::string_view arguments) {
  const absl::Span<const evaluator::Frame> frames = inspection().frames();
  InstructionId at;
  if (!arguments.empty()) {
    const absl::StatusOr<InstructionId> named = debugger_.names().RequireInstruction(
        arguments, frames.empty() ? ComputationId() : frames[std::min(frame_, frames.size() - 1)].computation);
    if (!named.ok()) return Fail(named.status());
    at = *named;
  } else if (!frames.empty()) {
    const size_t frame = std::min(frame_, frames.size() - 1);
    at = frame + 1 < frames.size() ? frames[frame + 1].caller : frames[frame].current;
    if (!at.has_value()) at = debugger_.module().computation(frames[frame].computation).root;
  }
  if (!at.has_value()) return Fail("the run has not begun");
  Say(SourceListing(look_, *document_, at, kListContext));
  return true;
}

bool DebugConsole::Frames(absl::string_view arguments) {
  if (!NoArguments(arguments)) return false;
  const Module& module = debugger_.module();
  const absl::Span<const evaluator::Frame> frames = inspection().frames();
  std::vector<std::vector<std::string>> rows;
  for (size_t i = frames.size(); i-- > 0;) {
    const evaluator::Frame& frame = frames[i];
    const InstructionId at = i + 1 < frames.size() ? frames[i + 1].caller : frame.current;
    std::string how(KindName(frame));
    if (frame.caller.has_value()) absl::StrAppend(&how, " ", ShortName(module.InstructionName(frame.caller), 30));
    if (frame.iteration >= 0) absl::StrAppend(&how, ", iteration ", frame.iteration);
    if (frame.branch >= 0) absl::StrAppend(&how, ", branch ", frame.branch);
    rows.push_back({absl::StrCat(i == frame_ ? "*" : " ", "#", frames.size() - 1 - i),
                    ShortName(module.ComputationName(frame.computation), 40),
                    at.has_value() ? absl::StrCat("at ", ShortName(module.InstructionName(at), 40)) : "finished", how});
  }
  Say(AlignedTable(look_, rows));
  return true;
}

bool DebugConsole::SelectFrame(absl::string_view arguments) {
  const size_t count = inspection().frames().size();
  const std::optional<int64_t> number = Number(absl::StripPrefix(arguments, "#"), 0, 0);
  if (!number.has_value()) return false;
  if (static_cast<size_t>(*number) >= count) {
    return Fail(absl::StrCat("the frames are 0 (innermost) to ", count == 0 ? 0 : count - 1));
  }
  frame_ = count - 1 - static_cast<size_t>(*number);
  return List("");
}

bool DebugConsole::Up(absl::string_view arguments) {
  if (!NoArguments(arguments)) return false;
  if (frame_ == 0) return Fail("this is the entry computation");
  --frame_;
  return List("");
}

bool DebugConsole::Down(absl::string_view arguments) {
  if (!NoArguments(arguments)) return false;
  if (frame_ + 1 >= inspection().frames().size()) return Fail("this is the innermost computation");
  ++frame_;
  return List("");
}

bool DebugConsole::Info(absl::string_view arguments) {
  evaluator::Timeline& timeline = debugger_.timeline();
  std::vector<std::vector<std::string>> rows;
  if (!arguments.empty() && absl::StartsWith("breakpoints", arguments)) {
    for (const evaluator::Breakpoint& b : debugger_.breakpoints()) {
      std::string what = b.place;
      if (b.locations.size() > 1) absl::StrAppend(&what, " (", b.locations.size(), " places)");
      if (b.iteration.has_value()) absl::StrAppend(&what, " iteration ", *b.iteration);
      if (b.device.has_value()) absl::StrAppend(&what, " device ", *b.device);
      if (b.ignore_count > 0) absl::StrAppend(&what, " ignore ", b.ignore_count);
      if (b.condition.has_value()) absl::StrAppend(&what, " if ", b.condition->text());
      if (!b.log.empty()) absl::StrAppend(&what, " \"", b.log, "\"");
      rows.push_back({absl::StrCat(b.number), b.log.empty() ? (b.temporary ? "break once" : "break") : "log",
                      b.enabled ? "" : "off", absl::StrCat(b.hits, b.hits == 1 ? " hit" : " hits"), what});
    }
    for (const evaluator::Watchpoint& w : debugger_.watchpoints()) {
      rows.push_back({absl::StrCat(w.number), "watch", w.enabled ? "" : "off",
                      absl::StrCat(w.hits, w.hits == 1 ? " hit" : " hits"), w.text});
    }
    Say(rows.empty() ? "  no breakpoints or watchpoints\n" : AlignedTable(look_, rows));
    return true;
  }
  if (!arguments.empty() && absl::StartsWith("devices", arguments)) {
    // Neighbours that are at the same place share a row, but for the chosen one.
    for (int64_t f = 0; f < timeline.device_count();) {
      const int64_t first = f++;
      const std::string line = DeviceLine(first);
      while (first != device_ && f < timeline.device_count() && f != device_ && DeviceLine(f) == line) ++f;
      if (rows.size() >= kShownDevices && first != device_) {
        f = first < device_ ? device_ : timeline.device_count();
        rows.push_back({"  ...", absl::StrCat(f - first, " more")});
        continue;
      }
      std::string name = absl::StrCat(first == device_ ? "*" : " ", timeline.run().DeviceName(first));
      if (f - first > 1) absl::StrAppend(&name, " to ", timeline.run().DeviceName(f - 1));
      rows.push_back({std::move(name), line});
    }
    Say(AlignedTable(look_, rows));
    return true;
  }
  if (!arguments.empty() && absl::StartsWith("history", arguments)) {
    Say(absl::StrFormat("  at position %d; snapshots for going back: %d, %.1f MB\n", timeline.position(),
                        timeline.snapshot_count(), static_cast<double>(timeline.history_bytes()) / 1e6));
    return true;
  }
  if (!arguments.empty() && absl::StartsWith("results", arguments)) {
    if (!execution().finished()) return Fail("the run has not finished");
    Say(ValueText(look_, "result", execution().result()));
    return true;
  }
  return Fail("`info breakpoints`, `info devices`, `info history` or `info results`");
}

absl::StatusOr<evaluator::Value> DebugConsole::ReadValue(absl::string_view text, const Shape& shape,
                                                         evaluator::ExpressionError* error) {
  if (IsNpyPath(text)) {
    absl::StatusOr<evaluator::Tensor> tensor = evaluator::ReadNpy(std::string(text), shape);
    if (!tensor.ok()) return tensor.status();
    return evaluator::Value(*std::move(tensor));
  }
  if (absl::StartsWith(text, "{") || (shape.IsTuple() && absl::StartsWith(text, "("))) {
    return ReadLiteralText(text, shape);
  }
  const std::optional<evaluator::Expression> expression = evaluator::Expression::Parse(text, debugger_.names(), error);
  if (!expression.has_value()) return absl::InvalidArgumentError("");
  evaluator::RunScope scope = Scope();
  const std::optional<evaluator::Value> value = expression->Evaluate(scope, error);
  if (!value.has_value()) return absl::InvalidArgumentError("");
  return evaluator::ConvertToShape(*value, shape, scope.limit());
}

bool DebugConsole::SetElements(absl::string_view target, absl::string_view value_text) {
  return SetElements(target, [&](const Shape& shape) -> std::optional<evaluator::Value> {
    evaluator::ExpressionError error;
    absl::StatusOr<evaluator::Value> value = ReadValue(value_text, shape, &error);
    if (value.ok()) return *std::move(value);
    if (error.message.empty()) {
      Fail(value.status());
    } else {
      FailExpression(value_text, error);
    }
    return std::nullopt;
  });
}

bool DebugConsole::SetElements(absl::string_view target,
                               absl::FunctionRef<std::optional<evaluator::Value>(const Shape&)> make) {
  const std::optional<evaluator::Expression> expression = Parse(target);
  if (!expression.has_value()) return false;
  // A value, an element of a tuple, or a slice of one of these.
  const evaluator::ExpressionNode* named = &expression->root();
  const bool is_slice = named->kind == evaluator::ExpressionNode::Kind::kIndex;
  if (is_slice) named = &named->operands[0];
  std::vector<int64_t> path;
  for (; named->kind == evaluator::ExpressionNode::Kind::kElement; named = &named->operands[0]) {
    path.insert(path.begin(), named->path.begin(), named->path.end());
  }
  const auto fail = [&](std::string message) {
    return FailExpression(target, {named->begin, named->end, std::move(message)});
  };
  if (named->kind != evaluator::ExpressionNode::Kind::kValue) return fail("only a value or elements of one can be set");
  evaluator::RunScope scope = Scope();
  const absl::StatusOr<evaluator::RunScope::Place> place = scope.PlaceOf(named->name);
  if (!place.ok()) return fail(std::string(place.status().message()));
  evaluator::ExpressionError error;
  Shape shape = debugger_.module().shape(place->instruction);
  evaluator::Value whole;  // as it was, with the array that changes copied
  std::optional<evaluator::Value> part;
  if (is_slice || !path.empty()) {
    const absl::StatusOr<evaluator::Value> old = scope.Named(named->name);
    if (!old.ok()) return fail(std::string(old.status().message()));
    const evaluator::Value* leaf = &*old;
    for (int64_t number : path) {
      if (number < 0 || static_cast<size_t>(number) >= leaf->elements().size()) {
        return fail(absl::StrCat("there is no element ", number));
      }
      leaf = &leaf->elements()[static_cast<size_t>(number)];
    }
    whole = *old;
    shape = evaluator::ShapeOf(*leaf);
    if (is_slice) {
      if (!leaf->IsTensor()) return fail("only arrays have elements to set");
      absl::StatusOr<evaluator::Tensor> copy = leaf->tensor().Copy();
      if (!copy.ok()) return Fail(copy.status());
      const absl::Span<const int64_t> sizes = leaf->tensor().dynamic_sizes();
      copy->set_dynamic_sizes(evaluator::DimensionVector(sizes.begin(), sizes.end()));
      whole = WithElement(*old, path, evaluator::Value(*std::move(copy)));
      ChangedScope changed_scope(scope, named->name, whole);
      part = expression->Evaluate(changed_scope, &error);
      if (!part.has_value()) return FailExpression(target, error);
      shape = part->tensor().shape();
    }
  }
  std::optional<evaluator::Value> value = make(shape);
  if (!value.has_value()) return false;
  if (is_slice) {
    // The part is a view of the copy, which nobody else has.
    const evaluator::Tensor &to = part->tensor(), &from = value->tensor();
    std::vector<int64_t> index(static_cast<size_t>(to.rank()), 0);
    uint8_t* const base = to.buffer()->data();
    evaluator::QuestionLimit limit = debugger_.timeline().NewQuestion();
    if (to.element_count() > 0) {
      do {
        if (limit.IsOver()) return Fail(limit.status());
        std::copy_n(from.At(index), to.element_bytes(), base + (to.At(index) - base));
      } while (NextIndex(to.dimensions(), absl::MakeSpan(index)));
    }
    value = whole;
  } else if (!path.empty()) {
    value = WithElement(whole, path, *std::move(value));
  }
  const absl::Status status =
      debugger_.timeline().SetValue(device_, place->frame, place->instruction, *std::move(value));
  if (!status.ok()) return Fail(status);
  Say(absl::StrCat(Painted(look_, Paint::kName, target), " is set; what was computed from it before stays\n"));
  return true;
}

bool DebugConsole::Set(absl::string_view arguments) {
  const size_t equals = arguments.find('=');
  if (equals == absl::string_view::npos) return Fail("`set VALUE = FILE.npy | LITERAL | EXPRESSION`");
  const absl::string_view target = absl::StripAsciiWhitespace(arguments.substr(0, equals));
  const absl::string_view value = absl::StripAsciiWhitespace(arguments.substr(equals + 1));
  if (target.empty() || value.empty()) return Fail("`set VALUE = FILE.npy | LITERAL | EXPRESSION`");
  return SetElements(target, value);
}

}  // namespace hloscope::reports
