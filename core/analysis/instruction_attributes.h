// SPDX-License-Identifier: Apache-2.0
// The attributes of an instruction as text, for comparing instructions of different modules.
#ifndef HLOSCOPE_CORE_ANALYSIS_INSTRUCTION_ATTRIBUTES_H_
#define HLOSCOPE_CORE_ANALYSIS_INSTRUCTION_ATTRIBUTES_H_

#include <string>
#include <utility>
#include <vector>

#include "core/ir/module.h"

namespace hloscope {

enum class AttributesCompared : uint8_t {
  kAll,     // but metadata and what refers to other instructions and computations
  kValues,  // those of them that the value of the instruction depends on
};

// By kind, in ascending order. An attribute at its default is no different from an absent one: neither is listed.
std::vector<std::pair<AttributeKind, std::string>> AttributeTexts(const Module& module, InstructionId id,
                                                                  AttributesCompared compared);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_ANALYSIS_INSTRUCTION_ATTRIBUTES_H_
