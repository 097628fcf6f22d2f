// SPDX-License-Identifier: Apache-2.0
// A TextMate grammar for HLO text, as VS Code and other editors read it.
#ifndef HLOSCOPE_LSP_TEXTMATE_GRAMMAR_H_
#define HLOSCOPE_LSP_TEXTMATE_GRAMMAR_H_

#include <string>

namespace hloscope::lsp {

// The grammar as JSON, scope `source.hlo`. Opcodes, attributes, element types, keywords and the words of enumerated
// attributes come from the tables of core, so a new row is highlighted without further work. The regular expressions
// keep to what Oniguruma and ECMAScript have in common: no look-behind.
//
// Raw brace blocks (docs/text-format.md 1.9) are the only thing that depends on what comes before: the grammar knows
// the attributes that take them (section 10).
std::string TextMateGrammar();

}  // namespace hloscope::lsp

#endif  // HLOSCOPE_LSP_TEXTMATE_GRAMMAR_H_
