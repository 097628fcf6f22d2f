// SPDX-License-Identifier: Apache-2.0
// One number for what a module says.
#ifndef HLOSCOPE_INSIGHT_FINGERPRINT_FINGERPRINT_H_
#define HLOSCOPE_INSIGHT_FINGERPRINT_FINGERPRINT_H_

#include <vector>

#include "core/ir/module.h"
#include "insight/fingerprint/stable_hash.h"

namespace hloscope::insight {

// What does not count besides what never does.
struct FingerprintOptions {
  bool ignore_shapes = false;          // sizes of arrays; their element types count
  bool ignore_layouts = false;         // of arrays and of the entry computation
  bool ignore_backend_config = false;  // backend_config of instructions
};

// Equal for modules that differ in names, metadata (also of shardings, origins and statistics), the order of
// independent instructions and computations, or the spelling of defaults only; different, but for chance, for all
// others. The same in every process and on every machine, and in later versions as long as the HLO means the same to
// them. O(n).
Fingerprint FingerprintOf(const Module& module, const FingerprintOptions& options = {});

// The same of each computation, with what it calls, by index.
std::vector<Fingerprint> ComputationFingerprints(const Module& module, const FingerprintOptions& options = {});

}  // namespace hloscope::insight

#endif  // HLOSCOPE_INSIGHT_FINGERPRINT_FINGERPRINT_H_
