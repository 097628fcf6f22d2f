// SPDX-License-Identifier: Apache-2.0
// Texts made from fragments, and the codes of the diagnostics they give.
#ifndef HLOSCOPE_TESTS_SUPPORT_FORMAT_ROWS_H_
#define HLOSCOPE_TESTS_SUPPORT_FORMAT_ROWS_H_

#include <string>
#include <vector>

namespace hloscope {

// One fragment of HLO text and where it is.
struct FormatRow {
  const char* where;  // a text with `$` in the place of the fragment
  const char* fragment;
  const char* codes = "";  // of the errors of the text, in order; "" if it is accepted
};

// Codes of the errors (and hints, if wanted) that reading gives, without the verifier's.
std::string CodesOfReading(const std::string& text, bool hints = false);
// `where` with the fragment.
std::string FillIn(const char* where, const std::string& fragment);
// Expects exactly the codes of each row from reading its text.
void ExpectCodes(const std::vector<FormatRow>& rows);
// The same from a complete check, which ends with the verifier.
void ExpectCodesOfCheck(const std::vector<FormatRow>& rows);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_FORMAT_ROWS_H_
