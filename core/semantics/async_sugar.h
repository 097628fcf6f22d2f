// Opcodes that stand for an asynchronous chain around another instruction (spec/hlo-text.md 6.16).
#ifndef HLOSCOPE_CORE_SEMANTICS_ASYNC_SUGAR_H_
#define HLOSCOPE_CORE_SEMANTICS_ASYNC_SUGAR_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "core/ir/opcode.h"

namespace hloscope {

// `X-start`, `X-update`, `X-done` where X has no native pair.
struct AsyncSugar {
  Opcode link;     // kAsyncStart, kAsyncUpdate or kAsyncDone
  Opcode wrapped;  // X
};
// Nothing if the word is no such opcode.
std::optional<AsyncSugar> ParseAsyncSugar(absl::string_view word);

// Attributes that stand on a sugared link and are copied to the wrapped instruction too.
bool IsCopiedToWrapped(AttributeKind kind);

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_ASYNC_SUGAR_H_
