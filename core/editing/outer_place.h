// SPDX-License-Identifier: Apache-2.0
// What is at a position of a text that is in no instruction: header, tables, signatures.
#ifndef HLOSCOPE_CORE_EDITING_OUTER_PLACE_H_
#define HLOSCOPE_CORE_EDITING_OUTER_PLACE_H_

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "core/document/document.h"

namespace hloscope {

struct OuterPlace {
  enum class Kind : uint8_t {
    kNone,
    kModuleKeyword,       // HloModule
    kHeaderAttribute,     // `word` is its name
    kTableHeading,        // of table `table`
    kTableRow,            // `row`, from 1, of table `table`
    kEntryKeyword,        // ENTRY of `computation`
    kSignatureParameter,  // `word` is the name; `parameter` the instruction, if there is one
    kSignatureResult,     // of `computation`
    kExecutionThread,     // of `computation`
  };
  Kind kind = Kind::kNone;
  SourceRange range;       // of the word, row, parameter with its shape, ...
  absl::string_view word;  // a part of the text
  size_t table = 0;        // as TextMap::tables
  size_t row = 0;
  ComputationId computation;
  InstructionId parameter;
};

// O(computations + tokens of the signature or of the table up to there).
OuterPlace OuterPlaceAt(const Document& document, uint32_t offset);

// Where a row, from 1, of a table is; empty if there is none. Rows count by position (docs/text-format.md 2.8).
SourceRange TableRowRange(const Document& document, size_t table, size_t row);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_OUTER_PLACE_H_
