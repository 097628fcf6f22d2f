// SPDX-License-Identifier: Apache-2.0
// What each word of a text is, for colours.
#ifndef HLOSCOPE_CORE_EDITING_TOKEN_CLASSES_H_
#define HLOSCOPE_CORE_EDITING_TOKEN_CLASSES_H_

#include <cstdint>
#include <vector>

#include "core/document/document.h"

namespace hloscope {

enum class TokenClass : uint8_t {
  kComment,
  kKeyword,
  kType,
  kOpcode,
  kAttribute,
  kValue,      // the name of an instruction
  kParameter,  // of an instruction that is a parameter
  kComputation,
  kModule,
  kWord,  // of an enumeration
  kNumber,
  kString,
};

struct ClassifiedText {
  SourceRange range;
  TokenClass token_class;
  bool is_definition = false;
};

// In text order, what begins or ends inside `range`. Punctuation and what cannot be read is left out. Costs the tokens
// of the range and a look at every instruction.
std::vector<ClassifiedText> ClassifyText(const Document& document, SourceRange range);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_TOKEN_CLASSES_H_
