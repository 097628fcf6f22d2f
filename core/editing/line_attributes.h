// SPDX-License-Identifier: Apache-2.0
// The attributes of a line that may be wrong in any way.
#ifndef HLOSCOPE_CORE_EDITING_LINE_ATTRIBUTES_H_
#define HLOSCOPE_CORE_EDITING_LINE_ATTRIBUTES_H_

#include <string>
#include <vector>

#include "core/editing/repair_line.h"

namespace hloscope {

// An attribute as it is written: its value may be in any brackets, or in none.
struct WrittenAttribute {
  size_t name = 0;   // token
  size_t value = 0;  // first token of the value
  size_t last = 0;   // last one
  std::string key;   // without `=`, `:`
};

// In the order of the line. A value goes on to the comma before the next name, or to the end of the line.
std::vector<WrittenAttribute> AttributesOf(const RepairLine& line);

// The value in place of the attribute's.
void WriteValue(RepairLine& line, const WrittenAttribute& attribute, std::string value);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_LINE_ATTRIBUTES_H_
