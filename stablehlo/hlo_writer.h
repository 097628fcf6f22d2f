// SPDX-License-Identifier: Apache-2.0
// HLO text under construction, with the place of every instruction in the program that it was made from.
#ifndef HLOSCOPE_STABLEHLO_HLO_WRITER_H_
#define HLOSCOPE_STABLEHLO_HLO_WRITER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/ir/shape.h"
#include "core/source/source_range.h"
#include "core/source/text_origin.h"
#include "stablehlo/import_options.h"

namespace hloscope::stablehlo {

// An instruction that other ones can use.
struct HloValue {
  std::string name;  // without %
  Shape shape;
  size_t line = 0;  // of its computation
};
using HloRef = const HloValue*;

// Names that are in use in the module.
class HloNames {
 public:
  explicit HloNames(NameStyle style = NameStyle::kReadable) : style_(style) {}

  NameStyle style() const { return style_; }
  // `base`, with what no name may hold replaced, and a number after it if that is taken. In XLA's style a number that
  // `base` ends in is one that is asked for.
  std::string Unique(absl::string_view base);

 private:
  struct Numbers {
    absl::flat_hash_set<uint64_t> taken;
    uint64_t next = 0;
  };
  std::string UniqueReadable(std::string clean);
  std::string UniqueXla(std::string clean);

  NameStyle style_;
  absl::flat_hash_set<std::string> taken_;
  absl::flat_hash_map<std::string, uint32_t> next_;
  absl::flat_hash_map<std::string, Numbers> numbers_;
};

// Where what is written next comes from.
struct HloPlace {
  SourceRange original;
  TextOrigin::Role role = TextOrigin::Role::kResult;
  std::string attributes;  // metadata and the like, each with its comma before it
};

// How much HLO is made of a program: a few bytes of it, such as a splat or an alias, may stand for any amount.
class HloBudget {
 public:
  // Of a program of `bytes`.
  explicit HloBudget(size_t bytes) : left_(kAlways + kForEachByte * bytes) {}
  void Spend(size_t bytes) { left_ -= std::min(bytes, left_); }
  bool IsSpent() const { return left_ == 0; }

 private:
  static constexpr size_t kAlways = size_t{128} << 20, kForEachByte = 16;
  size_t left_;
};

// The finished computations of a module.
struct HloText {
  std::string text;
  std::vector<TextOrigin::Part> parts;
};

// One computation.
class HloBody {
 public:
  // Once `budget` is spent, what is added has no attributes: nobody reads it.
  HloBody(HloNames& names, HloBudget& budget) : names_(names), budget_(budget) {}
  HloBody(const HloBody&) = delete;
  HloBody& operator=(const HloBody&) = delete;

  // Appends `name = shape opcode(operands)attributes`; `attributes` begins with a comma if there are any.
  HloRef Add(const HloPlace& place, absl::string_view base_name, absl::string_view opcode, const Shape& shape,
             absl::Span<const HloRef> operands, absl::string_view attributes = "");
  // The same with other text between the parentheses.
  HloRef AddWithText(const HloPlace& place, absl::string_view base_name, absl::string_view opcode, const Shape& shape,
                     absl::string_view inside, absl::string_view attributes);
  // Says that a value is what its operation gives, if no instruction from line `first` on is that yet. If it is the
  // last one, which nobody uses yet, it gets a name from `base_name`.
  void GiveResult(HloRef result, size_t first, absl::string_view base_name);
  size_t line_count() const { return lines_.size(); }
  // Gives the instructions their names in XLA's style: it looks each up again when a computation is finished.
  void NumberAsXla();
  // Appends the computation, with a role for each of its instructions, to `out`. `root` is one of its values.
  void Finish(absl::string_view name, bool is_entry, HloRef root, absl::string_view attributes, HloText& out) const;
  bool empty() const { return lines_.empty(); }

 private:
  struct Line {
    std::string opcode;
    absl::InlinedVector<HloRef, 3> operands;
    std::string inside;  // between the parentheses, if there are no operands
    std::string attributes;
    SourceRange original;
    TextOrigin::Role role;
  };
  HloRef AddLine(const HloPlace& place, absl::string_view base_name, const Shape& shape, Line line);

  HloNames& names_;
  HloBudget& budget_;
  std::deque<HloValue> values_;  // as many as lines
  std::vector<Line> lines_;
};

// {0,2}
std::string BracedList(absl::Span<const int64_t> list);
// "..." as HLO text quotes it.
std::string Quoted(absl::string_view text);

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_HLO_WRITER_H_
