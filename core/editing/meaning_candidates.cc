// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/editing/instruction_text.h"
#include "core/editing/refactorings.h"
#include "core/editing/repair_candidates.h"
#include "core/editing/statement_edits.h"
#include "core/lex/lexer.h"
#include "core/source/line_text.h"

namespace hloscope {
namespace {

// Values and computations that are tried in place of one that does not fit.
constexpr size_t kMaxReplacements = 6;

class Meaning {
 public:
  Meaning(const Document& document, InstructionId id, std::vector<Repair>* candidates)
      : document_(document),
        module_(document.module()),
        id_(id),
        computation_(module_.instruction(id).computation),
        text_(document, id),
        candidates_(candidates) {}

  void AddCandidates() {
    Operands();
    ShapesOfOperands();
    SwappedComputations();
    OtherValues();
    Attributes();
    Contractions();
    BroadcastDimensions();
    MoveUp();
    TupleOfState();
    MoreOperands();
  }

 private:
  void Add(std::string title, std::vector<TextEdit> edits) {
    std::sort(edits.begin(), edits.end(),
              [](const TextEdit& a, const TextEdit& b) { return a.range.begin < b.range.begin; });
    candidates_->push_back({std::move(title), std::move(edits)});
  }
  void Replace(std::string title, SourceRange range, std::string replacement) {
    Add(std::move(title), {{range, std::move(replacement)}});
  }
  std::string Written(SourceRange range) const { return std::string(document_.source().Slice(range)); }
  std::string Name(InstructionId id) const {
    return absl::StrCat(WritesPercent(document_, computation_) ? "%" : "", module_.InstructionName(id));
  }
  size_t OperandCount() const { return text_.node().operand_count; }
  SourceRange OperandPlace(size_t k) const { return text_.RangeOf(text_.operand(k).tokens); }

  // Too many of them, or in another order.
  void Operands() {
    const size_t count = OperandCount();
    if (count > 1) {
      const uint32_t from = OperandPlace(count - 2).end;
      Replace("remove the last operand", {from, OperandPlace(count - 1).end}, "");
    }
    if (count > 4) return;
    // Neighbours, then one to the other end, then what else changes places.
    for (size_t distance = 1; distance < count; ++distance) {
      if (distance == 2 && count >= 3) {
        MoveOperand(count - 1, 0);
        MoveOperand(0, count - 1);
      }
      for (size_t i = 0; i + distance < count; ++i) {
        const size_t j = i + distance;
        Add(absl::StrCat("swap operands ", i, " and ", j),
            {{OperandPlace(i), Written(OperandPlace(j))}, {OperandPlace(j), Written(OperandPlace(i))}});
      }
    }
  }

  void MoveOperand(size_t from, size_t to) {
    std::vector<size_t> order;
    for (size_t k = 0; k < OperandCount(); ++k) {
      if (k != from) order.push_back(k);
    }
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), from);
    std::vector<TextEdit> edits;
    for (size_t k = 0; k < order.size(); ++k) edits.push_back({OperandPlace(k), Written(OperandPlace(order[k]))});
    Add(absl::StrCat("move operand ", from, " to ", to), std::move(edits));
  }

  // An operand that is written with another shape than what it names: the shape of that is the mistake.
  void ShapesOfOperands() {
    for (size_t k = 0; k < OperandCount() && k < module_.operands(id_).size(); ++k) {
      const OperandSyntax& operand = text_.operand(k);
      const InstructionId value = module_.operand(id_, k);
      if (operand.shape.empty() || !value.has_value()) continue;
      const std::string written = Written(text_.RangeOf(operand.shape));
      const SourceRange place = document_.ShapeRange(value);
      if (place.empty() || Written(place) == written) continue;
      Replace(absl::StrCat("make `", module_.InstructionName(value), "` ", written), place, written);
    }
  }

  // Computations that are given for each other.
  void SwappedComputations() {
    std::vector<SourceRange> places;
    for (uint32_t a = 0; a < text_.node().attribute_count; ++a) {
      const AttributeSyntax& attribute = text_.attribute(a);
      if (attribute.value.empty()) continue;
      const std::string name(TokenName(TokenKind::kAttributeName, text_.TextOf(attribute.name)));
      if (IsComputationAttributeName(name)) places.push_back(text_.RangeOf(attribute.value));
    }
    if (places.size() != 2) return;
    Add("swap the computations", {{places[0], Written(places[1])}, {places[1], Written(places[0])}});
  }

  // One that is missing, at each place: the nearest values above, each shape once.
  void MoreOperands() {
    const size_t count = OperandCount();
    if (count == 0 || count > 4) return;
    for (const InstructionId value : NearestValues()) {
      for (size_t k = count + 1; k-- > 0;) {
        const uint32_t at = k < count ? OperandPlace(k).begin : OperandPlace(count - 1).end;
        const std::string name = Name(value);
        Replace(absl::StrCat("add `", module_.InstructionName(value), "` as operand ", k), {at, at},
                k < count ? absl::StrCat(name, ", ") : absl::StrCat(", ", name));
        candidates_->back().is_guess = true;
      }
    }
  }

  // Another value in place of an operand that does not fit: the nearest ones above, each shape once.
  void OtherValues() {
    const std::vector<InstructionId> values = NearestValues();
    for (size_t k = OperandCount(); k-- > 0;) {
      for (InstructionId value : values) {
        Replace(absl::StrCat("use `", module_.InstructionName(value), "` as operand ", k), OperandPlace(k),
                Name(value));
        candidates_->back().is_guess = true;
      }
    }
  }

  std::vector<InstructionId> NearestValues() const {
    const std::vector<InstructionId> statements = StatementsOf(document_, computation_);
    const uint32_t here = document_.InstructionRange(id_).begin;
    std::vector<InstructionId> values;
    for (size_t i = statements.size(); i-- > 0 && values.size() < kMaxReplacements;) {
      if (document_.InstructionRange(statements[i]).begin >= here || !module_.shape(statements[i]).IsValid()) continue;
      const bool is_known = std::any_of(values.begin(), values.end(), [&](InstructionId other) {
        return module_.shape(other).ToString() == module_.shape(statements[i]).ToString();
      });
      if (!is_known) values.push_back(statements[i]);
    }
    return values;
  }

  void Attributes() {
    const std::vector<AttributeKind> missing = MissingAttributes(module_, id_);
    for (uint32_t a = 0; a < text_.node().attribute_count; ++a) {
      const AttributeSyntax& attribute = text_.attribute(a);
      const std::string name(TokenName(TokenKind::kAttributeName, text_.TextOf(attribute.name)));
      const SourceRange place = text_.tokens().range(attribute.name);
      for (AttributeKind kind : missing) {
        Replace(absl::StrCat("rename `", name, "` to `", AttributeName(kind), "`"), place,
                absl::StrCat(AttributeName(kind), "="));
      }
      if (attribute.value.empty()) continue;
      const SourceRange value = text_.RangeOf(attribute.value);
      Numbers(name, value);
      if (name == "to_apply" || name == "calls" || name == "body" || name == "condition")
        OtherComputations(name, value);
    }
    if (const EditsOr added = AddMissingAttributes(document_, id_); added.ok()) Add("add what is missing", *added);
    if (missing.size() == 1) MissingNumber(missing[0]);
    if (module_.opcode(id_) == Opcode::kRaggedDot && !module_.HasAttribute(id_, AttributeKind::kRhsGroupDims)) {
      MissingNumber(AttributeKind::kRhsGroupDims);
    }
    if (const EditsOr added = AddMissingOperands(document_, id_); added.ok()) Add("add the missing operands", *added);
  }

  // None, or one dimension of few that there are.
  void MissingNumber(AttributeKind kind) {
    const AttributeType type = InfoOf(kind).type;
    if (type != AttributeType::kInt && type != AttributeType::kInts) return;
    const uint32_t end = document_.InstructionRange(id_).end;
    const auto add = [&](const std::string& value) {
      Replace(absl::StrCat("add `", AttributeName(kind), "=", value, "`"), {end, end},
              absl::StrCat(", ", AttributeName(kind), "=", value));
    };
    if (type == AttributeType::kInts) add("{}");
    for (int number = 0; number < 4; ++number) {
      add(type == AttributeType::kInt ? absl::StrCat(number) : absl::StrCat("{", number, "}"));
    }
  }

  // Dimensions: other ones, or the same number of them in order.
  void Numbers(const std::string& attribute, SourceRange place) {
    const std::string written = Written(place);
    const bool in_braces = written.size() > 2 && written.front() == '{' && written.back() == '}';
    const std::string inner = in_braces ? written.substr(1, written.size() - 2) : written;
    const size_t count = static_cast<size_t>(std::count(inner.begin(), inner.end(), ',')) + 1;
    if (inner.find_first_not_of("0123456789, ") != std::string::npos || inner.empty() || count > 16) return;
    const auto add = [&](const std::string& numbers) {
      if (numbers == inner) return;
      Replace(absl::StrCat("change `", attribute, "` to ", numbers), place,
              in_braces ? absl::StrCat("{", numbers, "}") : numbers);
    };
    if (count == 1) {
      for (int number = 0; number < 6; ++number) add(absl::StrCat(number));
      return;
    }
    std::vector<size_t> ascending;
    for (size_t i = 0; i < count; ++i) ascending.push_back(i);
    const std::string descending = absl::StrJoin(std::vector<size_t>(ascending.rbegin(), ascending.rend()), ",");
    if (module_.opcode(id_) == Opcode::kTranspose) add(descending);
    add(absl::StrJoin(ascending, ","));
    add(descending);
  }

  void OtherComputations(const std::string& attribute, SourceRange place) {
    size_t tried = 0;
    for (size_t c = 0; c < module_.computations().size() && tried < kMaxReplacements; ++c) {
      const ComputationId other(c);
      if (other == computation_ || other == module_.entry() || module_.computation(other).is_anonymous) continue;
      ++tried;
      Replace(absl::StrCat("use `", module_.ComputationName(other), "` for `", attribute, "`"), place,
              absl::StrCat(WritesPercent(document_, computation_) ? "%" : "", module_.ComputationName(other)));
    }
  }

  // A dot that contracts nothing, like a product of matrices.
  void Contractions() {
    if (module_.opcode(id_) != Opcode::kDot || module_.operands(id_).size() != 2) return;
    if (module_.HasAttribute(id_, AttributeKind::kLhsContractingDims) || !module_.operand(id_, 0).has_value()) return;
    const int64_t rank = module_.shape(module_.operand(id_, 0)).rank();
    const uint32_t at = text_.RangeOf(text_.node().arguments).end + 1;
    Replace(absl::StrCat("contract dimension ", rank - 1, " with dimension 0"), {at, at},
            absl::StrCat(", lhs_contracting_dims={", rank - 1, "}, rhs_contracting_dims={0}"));
  }

  // As NumPy broadcasts: the last dimensions of the result are those of the operand.
  void BroadcastDimensions() {
    if (module_.opcode(id_) != Opcode::kBroadcast || OperandCount() != 1 || !module_.operand(id_, 0).has_value())
      return;
    const Shape operand = module_.shape(module_.operand(id_, 0)), result = module_.shape(id_);
    if (!operand.IsArray() || !result.IsArray() || operand.rank() > result.rank()) return;
    std::vector<int64_t> dimensions;
    for (int64_t d = result.rank() - operand.rank(); d < result.rank(); ++d) dimensions.push_back(d);
    const std::string value = absl::StrCat("dimensions={", absl::StrJoin(dimensions, ","), "}");
    const uint32_t from = text_.RangeOf(text_.node().arguments).end + 1;
    const uint32_t to = std::max(from, document_.InstructionRange(id_).end);
    Replace(absl::StrCat("write `", value, "`"), {from, to}, absl::StrCat(", ", value));
  }

  // An operand that is defined further down, together with what is said about it there.
  void MoveUp() {
    const SourceText& source = document_.source();
    const uint32_t here = document_.InstructionRange(id_).begin;
    const uint32_t line = here - static_cast<uint32_t>(IndentationOf(source, here).size());
    for (InstructionId later : StatementsOf(document_, computation_)) {
      const SourceRange place = document_.InstructionRange(later);
      if (place.begin <= here) continue;
      for (size_t k = 0; k < OperandCount(); ++k) {
        if (text_.operand(k).name == kNoToken) continue;
        const TokenIndex name = text_.operand(k).name;
        if (TokenName(text_.tokens().kind(name), text_.TextOf(name)) != module_.InstructionName(later)) continue;
        const SourceRange lines = WithLines(source, place);
        Add(absl::StrCat("move `", module_.InstructionName(later), "` above its first use"),
            {{{line, line}, Written(lines)}, {lines, ""}});
      }
    }
  }

  // A loop over several values: its state is a tuple of them.
  void TupleOfState() {
    if (module_.opcode(id_) != Opcode::kWhile || OperandCount() < 2) return;
    std::vector<Shape> elements;
    for (InstructionId operand : module_.operands(id_)) {
      if (!operand.has_value() || !module_.shape(operand).IsValid()) return;
      elements.push_back(module_.shape(operand));
    }
    std::string name = "state";
    const std::vector<InstructionId> statements = StatementsOf(document_, computation_);
    for (int number = 1; std::any_of(statements.begin(), statements.end(),
                                     [&](InstructionId other) { return module_.InstructionName(other) == name; });
         ++number) {
      name = absl::StrCat("state.", number);
    }
    if (WritesPercent(document_, computation_)) name.insert(0, "%");
    const SourceText& source = document_.source();
    const uint32_t here = document_.InstructionRange(id_).begin;
    const std::string indentation(IndentationOf(source, here));
    const uint32_t line = here - static_cast<uint32_t>(indentation.size());
    const SourceRange operands = {OperandPlace(0).begin, OperandPlace(OperandCount() - 1).end};
    Add("make a tuple of the operands",
        {{{line, line},
          absl::StrCat(indentation, name, " = ", Shape::Tuple(std::move(elements)).ToString(), " tuple(",
                       Written(operands), ")\n")},
         {operands, name}});
  }

  const Document& document_;
  const Module& module_;
  const InstructionId id_;
  const ComputationId computation_;
  const InstructionText text_;
  std::vector<Repair>* candidates_;
};

}  // namespace

void AddMeaningCandidates(const Document& document, InstructionId id, std::vector<Repair>* candidates) {
  const Instruction& instruction = document.module().instruction(id);
  if (instruction.synthesized || !instruction.is_named || !instruction.syntax.has_value()) return;
  Meaning(document, id, candidates).AddCandidates();
}

}  // namespace hloscope
