// SPDX-License-Identifier: Apache-2.0
// What VHLO calls the attributes of an operation, as StableHLO writes them (docs/stablehlo.md 7).
#ifndef HLOSCOPE_STABLEHLO_BYTECODE_ATTRIBUTES_H_
#define HLOSCOPE_STABLEHLO_BYTECODE_ATTRIBUTES_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "stablehlo/bytecode_elements.h"

namespace hloscope::stablehlo {

using NamedElements = std::vector<std::pair<absl::string_view, size_t>>;  // names and numbers of attributes

// The own attributes of an operation ("add", without dialect and version) from its entry among the properties, one
// attribute for each name in alphabetical order. Fails in `table` if the entry does not hold as many.
NamedElements ReadProperties(ElementTable& table, absl::string_view operation, ByteReader entry);

// The attributes between braces: numbers of dimensions are put together into structures, channels into handles, names
// become symbols, and what says that an attribute is absent is left out. Empty if nothing remains.
std::string PropertiesText(ElementTable& table, absl::string_view operation, const NamedElements& attributes);

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_BYTECODE_ATTRIBUTES_H_
