// SPDX-License-Identifier: Apache-2.0
// Shardings of a program as HLO writes them (docs/stablehlo.md 6).
#ifndef HLOSCOPE_STABLEHLO_SHARDINGS_H_
#define HLOSCOPE_STABLEHLO_SHARDINGS_H_

#include <string>
#include <vector>

#include "stablehlo/program.h"

namespace hloscope::stablehlo {

// The HLO text of `mhlo.sharding` (HLO text, or a serialized OpSharding), or of one sharding of Shardy on a mesh of the
// program. Empty if there is none; then `why` says why, unless there is nothing to say.
std::string HloSharding(const Program& program, const AttributeValue& value, std::string& why);

// The shardings that an operation gives its `count` results: `mhlo.sharding` (a tuple of them for several), or
// `sdy.sharding`. Empty strings if it cannot be translated; `why` says why.
std::vector<std::string> ResultShardings(const Program& program, const AttributeValue& value, size_t count,
                                         std::string& why);

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_SHARDINGS_H_
