// SPDX-License-Identifier: Apache-2.0
// Attributes and operands that follow from the shape that an instruction is written with.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/editing/instruction_text.h"
#include "core/editing/repair_candidates.h"
#include "core/editing/statement_edits.h"

namespace hloscope {
namespace {

constexpr size_t kMaxWays = 4;
constexpr int64_t kMaxRank = 8;

using Dimensions = std::vector<int64_t>;

Dimensions SizesOf(const Shape& shape) { return {shape.dimensions().begin(), shape.dimensions().end()}; }

// Ascending lists of dimensions of `whole` that have the sizes of `part`, at most kMaxWays.
std::vector<Dimensions> WaysToFind(const Dimensions& part, const Dimensions& whole) {
  std::vector<Dimensions> ways;
  Dimensions chosen;
  const std::function<void(size_t)> choose = [&](size_t from) {
    if (ways.size() == kMaxWays) return;
    if (chosen.size() == part.size()) {
      ways.push_back(chosen);
      return;
    }
    for (size_t d = from; d < whole.size(); ++d) {
      if (whole[d] != part[chosen.size()]) continue;
      chosen.push_back(static_cast<int64_t>(d));
      choose(d + 1);
      chosen.pop_back();
    }
  };
  choose(0);
  return ways;
}

class FromShape {
 public:
  FromShape(const Document& document, InstructionId id, std::vector<Repair>* candidates)
      : document_(document), module_(document.module()), id_(id), text_(document, id), candidates_(candidates) {}

  void AddCandidates() {
    MissingOperands();
    if (module_.operands(id_).empty() || !module_.operand(id_, 0).has_value()) return;
    const Shape &operand = module_.shape(module_.operand(id_, 0)), &result = module_.shape(id_);
    if (!operand.IsArray() || !result.IsArray() || operand.rank() > kMaxRank || result.rank() > kMaxRank) return;
    const Dimensions from = SizesOf(operand), to = SizesOf(result);
    const bool is_conversion = module_.operands(id_).size() == 1 && operand.element_type() != result.element_type();
    if (is_conversion && from == to && module_.opcode(id_) != Opcode::kConvert) {
      candidates_->push_back({"change to `convert`", {{document_.OpcodeRange(id_), "convert"}}});
    }
    switch (module_.opcode(id_)) {
      case Opcode::kReduce:
        for (const Dimensions& kept : WaysToFind(to, from)) Write("dimensions", Others(kept, from.size()));
        return;
      case Opcode::kBroadcast:
        for (const Dimensions& kept : WaysToFind(from, to)) Write("dimensions", kept);
        return;
      case Opcode::kTranspose:
        return Permutations(from, to);
      case Opcode::kDot:
        return Products(from, to);
      default:
        return;
    }
  }

 private:
  static Dimensions Others(const Dimensions& some, size_t count) {
    Dimensions others;
    for (int64_t d = 0; d < static_cast<int64_t>(count); ++d) {
      if (std::find(some.begin(), some.end(), d) == some.end()) others.push_back(d);
    }
    return others;
  }

  // In place of the value, or behind the operands.
  void Write(absl::string_view name, const Dimensions& value) {
    const std::string written = absl::StrCat("{", absl::StrJoin(value, ","), "}");
    for (uint32_t a = 0; a < text_.node().attribute_count; ++a) {
      const AttributeSyntax& attribute = text_.attribute(a);
      if (text_.TextOf(attribute.name) != absl::StrCat(name, "=") || attribute.value.empty()) continue;
      candidates_->push_back(
          {absl::StrCat("change `", name, "` to ", written), {{text_.RangeOf(attribute.value), written}}});
      return;
    }
    const std::string whole = absl::StrCat(", ", name, "=", written);
    const uint32_t at = EndOfOperands();
    candidates_->push_back({absl::StrCat("write `", name, "=", written, "`"), {{{at, at}, whole}}});
  }

  // Behind the closing parenthesis.
  uint32_t EndOfOperands() const {
    const TokenRange arguments = text_.node().arguments;
    const TokenIndex close = arguments.end;
    return text_.tokens().end(close);
  }

  void Permutations(const Dimensions& from, const Dimensions& to) {
    if (from.size() != to.size()) return;
    Dimensions chosen;
    size_t ways = 0;
    const std::function<void()> choose = [&] {
      if (ways == kMaxWays) return;
      if (chosen.size() == to.size()) {
        ++ways;
        return Write("dimensions", chosen);
      }
      for (int64_t d = 0; d < static_cast<int64_t>(from.size()); ++d) {
        const bool is_taken = std::find(chosen.begin(), chosen.end(), d) != chosen.end();
        if (is_taken || from[static_cast<size_t>(d)] != to[chosen.size()]) continue;
        chosen.push_back(d);
        choose();
        chosen.pop_back();
      }
    };
    choose();
  }

  // Leading dimensions are batches, and one of each operand is contracted.
  void Products(const Dimensions& lhs, const Dimensions& result) {
    if (module_.operands(id_).size() != 2 || !module_.operand(id_, 1).has_value()) return;
    const Shape& other = module_.shape(module_.operand(id_, 1));
    if (!other.IsArray() || other.rank() > kMaxRank) return;
    const Dimensions rhs = SizesOf(other);
    size_t ways = 0;
    for (size_t batches = 0; batches < std::min(lhs.size(), rhs.size()); ++batches) {
      if (batches > 0 && lhs[batches - 1] != rhs[batches - 1]) return;
      for (size_t i = lhs.size(); i-- > batches;) {
        for (size_t j = batches; j < rhs.size() && ways < kMaxWays; ++j) {
          if (lhs[i] != rhs[j]) continue;
          Dimensions sizes;
          for (size_t d = 0; d < lhs.size(); ++d) {
            if (d != i) sizes.push_back(lhs[d]);
          }
          for (size_t d = batches; d < rhs.size(); ++d) {
            if (d != j) sizes.push_back(rhs[d]);
          }
          if (sizes != result) continue;
          ++ways;
          Product(batches, i, j);
        }
      }
    }
  }

  void Product(size_t batches, size_t i, size_t j) {
    std::vector<size_t> leading;
    for (size_t d = 0; d < batches; ++d) leading.push_back(d);
    const std::string list = absl::StrJoin(leading, ",");
    const std::string batch =
        leading.empty() ? "" : absl::StrCat("lhs_batch_dims={", list, "}, rhs_batch_dims={", list, "}, ");
    const std::string value = absl::StrCat(batch, "lhs_contracting_dims={", i, "}, rhs_contracting_dims={", j, "}");
    // In place of those that are there, of which others are kept.
    std::vector<TextEdit> edits;
    for (uint32_t a = 0; a < text_.node().attribute_count; ++a) {
      const AttributeSyntax& attribute = text_.attribute(a);
      const absl::string_view name = text_.TextOf(attribute.name);
      const bool is_one = name == "lhs_batch_dims=" || name == "rhs_batch_dims=" || name == "lhs_contracting_dims=" ||
                          name == "rhs_contracting_dims=";
      if (!is_one || attribute.value.empty()) continue;
      const uint32_t begin = text_.tokens().begin(attribute.name), end = text_.RangeOf(attribute.value).end;
      if (!edits.empty() && text_.tokens().end(attribute.name - 1) == edits.back().range.end + 1) {
        edits.back().range.end = end;
      } else {
        edits.push_back({{begin, end}, ""});
      }
    }
    if (edits.size() > 1) return;
    if (edits.empty()) {
      const uint32_t at = EndOfOperands();
      edits.push_back({{at, at}, absl::StrCat(", ", value)});
    } else {
      edits[0].replacement = value;
    }
    candidates_->push_back({absl::StrCat("write `", value, "`"), std::move(edits)});
  }

  // One of the values that are there already, at each place: `conditional(p, x)` of two branches.
  void MissingOperands() {
    const size_t count = text_.node().operand_count;
    if (count == 0 || count > 3) return;
    for (size_t k = count; k-- > 0;) {
      const SourceRange place = text_.RangeOf(text_.operand(k).tokens);
      const std::string written(document_.source().Slice(place));
      candidates_->push_back(
          {absl::StrCat("give operand ", k, " twice"), {{{place.end, place.end}, absl::StrCat(", ", written)}}});
      candidates_->back().is_guess = true;
    }
  }

  const Document& document_;
  const Module& module_;
  const InstructionId id_;
  const InstructionText text_;
  std::vector<Repair>* candidates_;
};

}  // namespace

void AddShapeCandidates(const Document& document, InstructionId id, std::vector<Repair>* candidates) {
  const Instruction& instruction = document.module().instruction(id);
  if (instruction.synthesized || !instruction.is_named || !instruction.syntax.has_value()) return;
  FromShape(document, id, candidates).AddCandidates();
}

}  // namespace hloscope
