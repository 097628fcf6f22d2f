// SPDX-License-Identifier: Apache-2.0
// What jax.export's Exported.serialize() writes: a FlatBuffer that holds a portable artifact (docs/stablehlo.md 7).
#ifndef HLOSCOPE_STABLEHLO_EXPORTED_PROGRAM_H_
#define HLOSCOPE_STABLEHLO_EXPORTED_PROGRAM_H_

#include "absl/strings/string_view.h"

namespace hloscope::stablehlo {

// The artifact in the bytes; empty if they are no such file.
absl::string_view ArtifactOfExported(absl::string_view bytes);

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_EXPORTED_PROGRAM_H_
