// SPDX-License-Identifier: Apache-2.0
// Random modules for property tests: valid by construction, over all opcodes and element types.
#ifndef HLOSCOPE_TESTS_SUPPORT_MODULE_GENERATOR_H_
#define HLOSCOPE_TESTS_SUPPORT_MODULE_GENERATOR_H_

#include <cstdint>
#include <string>
#include <vector>

namespace hloscope {

struct GeneratorOptions {
  int instruction_count = 25;  // of the entry computation, at least; operands that are made on the way come on top
  // Opcodes to choose from ("add", "reduce"); empty: all that the other options allow.
  std::vector<std::string> opcodes;
  bool asynchronous = true;     // *-start and *-done pairs
  bool random_numbers = true;   // rng, whose values depend on the run's seed
  bool collectives = true;      // on one device or more: groups are `replica_groups={}`
  bool host_transfers = false;  // infeed, outfeed, send, recv: such a module needs a host
  bool dynamic_sizes = true;
  bool mixed_precision = false;  // instructions that declare another floating-point type than their operands have
};

// The text of a module without errors: the same for the same seed and options. Arrays have at most some hundred
// elements. The entry computation returns a tuple of its last values, so that most instructions are needed.
std::string RandomModule(uint64_t seed, const GeneratorOptions& options = {});

// Spellings of the opcodes that RandomModule can make.
std::vector<std::string> GeneratedOpcodes();

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_MODULE_GENERATOR_H_
