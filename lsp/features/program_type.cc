// SPDX-License-Identifier: Apache-2.0
#include "lsp/features/program_type.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/diagnostics/count_text.h"
#include "core/diagnostics/familiar_names.h"
#include "core/ir/element_type.h"
#include "lsp/features/markdown.h"

namespace hloscope::lsp {
namespace {

constexpr absl::string_view kTensor = "tensor<";

// From `tensor<` to its `>`, in one line.
std::optional<SourceRange> TypeAround(absl::string_view text, uint32_t offset) {
  const size_t line_begin = text.substr(0, offset).rfind('\n') + 1;  // npos + 1 is 0
  const size_t line_end = std::min(text.find('\n', offset), text.size());
  for (size_t begin = text.find(kTensor, line_begin); begin < line_end && begin <= offset;
       begin = text.find(kTensor, begin + 1)) {
    int depth = 0;
    for (size_t i = begin; i < line_end; ++i) {
      if (text[i] == '<') ++depth;
      if (text[i] != '>' || --depth > 0) continue;
      if (offset <= i) return SourceRange{static_cast<uint32_t>(begin), static_cast<uint32_t>(i + 1)};
      break;
    }
  }
  return std::nullopt;
}

struct Dimensions {
  std::vector<std::string> written;  // as HLO writes them
  std::vector<size_t> open;          // those that the program leaves open
  int64_t elements = 1;              // at most so many; -1: not known
};

// `8`, `?`, with the bounds of `#stablehlo.bounds<8, ?>`.
Dimensions DimensionsOf(const std::vector<absl::string_view>& sizes, const std::vector<absl::string_view>& bounds) {
  Dimensions dimensions;
  for (size_t d = 0; d < sizes.size(); ++d) {
    int64_t size = 0;
    const bool is_open = !absl::SimpleAtoi(sizes[d], &size);
    const bool is_bounded = is_open && d < bounds.size() && absl::SimpleAtoi(bounds[d], &size);
    dimensions.written.push_back(is_bounded ? absl::StrCat("<=", size) : std::string(sizes[d]));
    if (is_open && !is_bounded) dimensions.open.push_back(d);
    const bool is_known = dimensions.elements >= 0 && (!is_open || is_bounded) && size >= 0 &&
                          (size == 0 || dimensions.elements <= std::numeric_limits<int64_t>::max() / size);
    dimensions.elements = is_known ? dimensions.elements * size : -1;
  }
  return dimensions;
}

}  // namespace

std::optional<ProgramType> ProgramTypeAt(absl::string_view text, uint32_t offset) {
  const std::optional<SourceRange> range = TypeAround(text, offset);
  if (!range) return std::nullopt;
  const absl::string_view inside = text.substr(range->begin + kTensor.size(), range->size() - kTensor.size() - 1);
  // `8x?xf32, #stablehlo.bounds<8, ?>`
  const size_t comma = inside.find(',');
  absl::string_view type = absl::StripAsciiWhitespace(inside.substr(0, comma));
  std::vector<absl::string_view> sizes;
  while (!type.empty() && (type[0] == '?' || absl::ascii_isdigit(static_cast<unsigned char>(type[0])))) {
    const size_t end = type.find('x');
    if (end == absl::string_view::npos) return std::nullopt;
    sizes.push_back(type.substr(0, end));
    type.remove_prefix(end + 1);
  }
  std::vector<absl::string_view> bounds;
  if (const size_t at = inside.find("bounds<"); at != absl::string_view::npos) {
    const absl::string_view list = inside.substr(at + 7, inside.find('>', at) - at - 7);
    for (absl::string_view bound : absl::StrSplit(list, ',')) bounds.push_back(absl::StripAsciiWhitespace(bound));
  }
  for (absl::string_view size : sizes) {
    int64_t number = 0;
    if (size != "?" && !absl::SimpleAtoi(size, &number)) return std::nullopt;
  }
  // Of complex numbers, `complex<f32>`.
  if (type == "complex<f32>") type = "c64";
  if (type == "complex<f64>") type = "c128";
  std::string element(type);
  if (!ElementTypeFromName(element)) element = absl::AsciiStrToLower(type);
  if (!ElementTypeFromName(element)) element = std::string(NearestElementType(element));
  const std::optional<ElementType> known = ElementTypeFromName(element);
  if (!known) return std::nullopt;
  const Dimensions dimensions = DimensionsOf(sizes, bounds);
  ProgramType result;
  result.range = *range;
  result.text = absl::StrCat("In HLO:\n\n",
                             MarkdownHloBlock(absl::StrCat(element, "[", absl::StrJoin(dimensions.written, ","), "]")));
  if (dimensions.elements >= 0) {
    absl::StrAppend(&result.text, "\n\n", bounds.empty() ? "" : "at most ", CountOf(dimensions.elements, "element"));
  }
  if (!dimensions.open.empty()) {
    absl::StrAppend(&result.text, "\n\nThe program leaves ",
                    dimensions.open.size() == 1 ? "the size of dimension " : "the sizes of dimensions ",
                    absl::StrJoin(dimensions.open, ", "),
                    " open. For an argument, `hloscope.shapes` in the settings (`\"0=3x4\"`), `shapes` in a launch "
                    "configuration and `--shape=0=3x4` on the command line give it.");
  }
  return result;
}

}  // namespace hloscope::lsp
