// SPDX-License-Identifier: Apache-2.0
// --memory-limit for what commands take beside the values of a run.
#ifndef HLOSCOPE_CLI_MEMORY_LIMIT_H_
#define HLOSCOPE_CLI_MEMORY_LIMIT_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace hloscope::cli {

// The row of the option, for the array of OptionSpec of a command that runs nothing.
#define HLOSCOPE_FILE_LIMIT_OPTION                                                    \
  {                                                                                   \
    "memory-limit", OptionKind::kValue, "BYTES",                                      \
        "fail if a compressed file expands to more than this many bytes; K, M, G, T " \
        "(2G, or an eighth of the machine's memory)"                                  \
  }

// What to do about a limit, for the line below a message.
inline constexpr absl::string_view kMemoryLimitHelp =
    "  help: --memory-limit=BYTES raises the limit; --memory-limit=0 removes it\n";

// Whether so many bytes may be allocated; says on standard error what they are for if not. Limit 0 allows any.
bool IsWithinMemoryLimit(absl::string_view purpose, int64_t bytes, int64_t limit);

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_MEMORY_LIMIT_H_
