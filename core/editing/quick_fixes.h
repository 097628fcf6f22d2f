// SPDX-License-Identifier: Apache-2.0
// What an editor offers against the errors at a place of a text, best first.
#ifndef HLOSCOPE_CORE_EDITING_QUICK_FIXES_H_
#define HLOSCOPE_CORE_EDITING_QUICK_FIXES_H_

#include <functional>
#include <string>
#include <vector>

#include "core/document/document.h"

namespace hloscope {

struct QuickFix {
  std::string title;
  std::vector<TextEdit> edits;  // sorted
  const Diagnostic* diagnostic =
      nullptr;  // of the document: the one that carries it; null for what was found by trying
  bool is_preferred = false;
};

// The fixes of the diagnostics that touch the range, and with `may_try` repairs of the line where it begins
// (core/editing/repairs.h), each edit once. With `may_try` they are also tried: those that leave fewer errors come
// first, and of them those that change less of what the text says. Nothing is tried once `cancelled` says so.
std::vector<QuickFix> FindQuickFixes(const Document& document, SourceRange range, bool may_try,
                                     const std::function<bool()>& cancelled);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_EDITING_QUICK_FIXES_H_
