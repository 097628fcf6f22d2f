// SPDX-License-Identifier: Apache-2.0
// Opcodes that stand for an asynchronous chain around another instruction (docs/text-format.md 6.16).
#ifndef HLOSCOPE_CORE_OPS_SUGARED_OPCODES_H_
#define HLOSCOPE_CORE_OPS_SUGARED_OPCODES_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/ir/module.h"
#include "core/ir/opcode.h"

namespace hloscope {

// `X-start`, `X-update`, `X-done` where X has no native pair.
struct AsyncSugar {
  Opcode link;     // kAsyncStart, kAsyncUpdate or kAsyncDone
  Opcode wrapped;  // X
};
// Nothing if the word is no such opcode.
std::optional<AsyncSugar> ParseAsyncSugar(absl::string_view word);

// Names of the computation that sugar stands for, of its parameters and of the X in it: the text has none.
constexpr absl::string_view kAsyncComputationName = "async_wrapped", kAsyncOperationName = "async_op";
std::string AsyncParameterName(size_t number);

// An attribute of `X-start` that X has itself belongs to X, what every instruction may have to the start; some of that
// is copied to X too.
bool BelongsToWrapped(AttributeKind kind, Opcode wrapped);
bool IsCopiedToWrapped(AttributeKind kind);

// Parameters and result of the computation that sugar stands for. Operands may be bound late, so that only the whole
// chain tells them.
class WrappedSignature {
 public:
  // The signature that `X-start` of this shape, ((operands...), result, ...), gives it. Of `call` and `fusion`, that of
  // the callee.
  WrappedSignature(const Module& module, InstructionId wrapped, const Shape& start);

  // Adds what an update or done of this shape binds.
  void Bind(Opcode link, const Shape& shape);

  const std::vector<Shape>& parameters() const { return parameters_; }
  const Shape& result() const { return result_; }

 private:
  std::vector<Shape> parameters_;
  Shape result_;
  bool is_callees_ = false;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_OPS_SUGARED_OPCODES_H_
