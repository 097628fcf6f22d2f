#include "core/semantics/async_sugar.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/strip.h"

namespace hloscope {

std::optional<AsyncSugar> ParseAsyncSugar(absl::string_view word) {
  static constexpr absl::string_view kExcluded[] = {"all-gather", "all-reduce", "collective-permute",
                                                    "copy",       "send",       "recv"};
  struct Suffix {
    absl::string_view text;
    Opcode link;
  };
  static constexpr Suffix kSuffixes[] = {
      {"-start", Opcode::kAsyncStart}, {"-update", Opcode::kAsyncUpdate}, {"-done", Opcode::kAsyncDone}};
  for (const Suffix& suffix : kSuffixes) {
    absl::string_view base = word;
    if (!absl::ConsumeSuffix(&base, suffix.text)) continue;
    if (std::find(std::begin(kExcluded), std::end(kExcluded), base) != std::end(kExcluded)) return std::nullopt;
    if (const auto wrapped = OpcodeFromName(base)) return AsyncSugar{suffix.link, *wrapped};
  }
  return std::nullopt;
}

bool IsCopiedToWrapped(AttributeKind kind) {
  return kind == AttributeKind::kMetadata || kind == AttributeKind::kOrigin || kind == AttributeKind::kBackendConfig ||
         kind == AttributeKind::kFrontendAttributes || kind == AttributeKind::kStatistics;
}

}  // namespace hloscope
