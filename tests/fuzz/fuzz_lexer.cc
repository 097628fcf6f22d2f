// SPDX-License-Identifier: Apache-2.0
// Any bytes as tokens: they cover the text in order without overlap, and every decoder takes every token.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/lex/lexer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto source = hloscope::SourceText::FromString("fuzz", std::string(reinterpret_cast<const char*>(data), size));
  hloscope::DiagnosticSink sink;
  const hloscope::TokenBuffer tokens = hloscope::Lex(*source, sink);
  if (tokens.size() == 0 || tokens.kind(tokens.size() - 1) != hloscope::TokenKind::kEndOfFile) __builtin_trap();
  uint32_t previous_end = 0;
  for (hloscope::TokenIndex i = 0; i < tokens.size(); ++i) {
    if (tokens.begin(i) < previous_end || tokens.end(i) < tokens.begin(i) || tokens.end(i) > size) __builtin_trap();
    previous_end = tokens.end(i);
    const absl::string_view text = source->text().substr(tokens.begin(i), tokens.end(i) - tokens.begin(i));
    if (tokens.kind(i) == hloscope::TokenKind::kString) hloscope::DecodeString(text);
    if (tokens.kind(i) == hloscope::TokenKind::kInteger) hloscope::DecodeInteger(text);
  }
  for (size_t i = 0; i < size; i += 1 + size / 8) {
    if (data[i] == '{') hloscope::RawBlockEnd(source->text(), i);
  }
  return 0;
}
