// SPDX-License-Identifier: Apache-2.0
// The debugger's commands for the console of an editor: what they say is collected.
#ifndef HLOSCOPE_LSP_DEBUG_ADAPTER_SESSION_CONSOLE_H_
#define HLOSCOPE_LSP_DEBUG_ADAPTER_SESSION_CONSOLE_H_

#include <memory>
#include <string>
#include <utility>

#include "lsp/debug_adapter/debug_session.h"
#include "reports/debug_console.h"

namespace hloscope::dap {

class DebugSession::Console final : public reports::DebugConsole {
 public:
  Console(std::shared_ptr<const Document> document, evaluator::Debugger& debugger)
      : reports::DebugConsole(std::move(document), debugger, reports::DebugLook()) {}

  // What was said since the last call.
  std::string TakeSaid() { return std::exchange(said_, std::string()); }
  std::string TakeProblems() { return std::exchange(problems_, std::string()); }

 private:
  void Say(absl::string_view text) override { said_.append(text.data(), text.size()); }
  void SayProblem(absl::string_view text) override { problems_.append(text.data(), text.size()); }

  std::string said_, problems_;
};

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_SESSION_CONSOLE_H_
