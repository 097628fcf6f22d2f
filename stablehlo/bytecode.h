// SPDX-License-Identifier: Apache-2.0
// StableHLO portable artifacts: MLIR bytecode to MLIR text (docs/stablehlo.md 7).
#ifndef HLOSCOPE_STABLEHLO_BYTECODE_H_
#define HLOSCOPE_STABLEHLO_BYTECODE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hloscope::stablehlo {

// Whether they are an artifact, or hold one as a file of jax.export does.
bool IsBytecode(absl::string_view bytes);
// The artifact itself.
absl::string_view BytecodeOf(absl::string_view bytes);

// The program of a portable artifact (operations of VHLO) as StableHLO text, operations in their generic form. Errors:
// InvalidArgument for damaged bytes, with their place; Unimplemented for bytecode of other dialects or of a newer
// format; ResourceExhausted if the text would be much longer than the bytecode.
absl::StatusOr<std::string> TextOfBytecode(absl::string_view bytes);

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_BYTECODE_H_
