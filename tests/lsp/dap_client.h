// SPDX-License-Identifier: Apache-2.0
// A scripted client of the real hloscope-dap process, over pipes.
#ifndef HLOSCOPE_TESTS_LSP_DAP_CLIENT_H_
#define HLOSCOPE_TESTS_LSP_DAP_CLIENT_H_

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "tests/lsp/child_process.h"

namespace hloscope::dap {

// Messages in both directions are appended to a file of their own in the folder HLOSCOPE_DAP_TRANSCRIPTS, if there is
// one: "> JSON" to the adapter, "< JSON" from it. SendBytes is not recorded.
class DapClient : public lsp::ChildProcess {
 public:
  explicit DapClient(const std::vector<std::string>& arguments = {});
  ~DapClient();

  // Sends a request; returns its number.
  int Send(const std::string& command, const nlohmann::json& arguments = nlohmann::json());
  // The whole response.
  nlohmann::json WaitResponse(int seq);
  nlohmann::json Call(const std::string& command, const nlohmann::json& arguments = nlohmann::json());
  // The body of a response; fails the test if it is an error.
  nlohmann::json Body(const std::string& command, const nlohmann::json& arguments = nlohmann::json());
  // The text of an error; fails the test if the request succeeds.
  std::string Error(const std::string& command, const nlohmann::json& arguments = nlohmann::json());
  // The body of the next such event.
  nlohmann::json Event(const std::string& name);
  // The text of the next output of that category.
  std::string Output(const std::string& category);
  nlohmann::json Stopped() { return Event("stopped"); }

  // Writes the module to a file and launches it, up to the point where breakpoints can be set. `more` is added to the
  // launch configuration, which fills parameters with iota.
  void Launch(const std::string& text, const nlohmann::json& more = nlohmann::json::object());
  // configurationDone; returns the first stop.
  nlohmann::json Start();
  // A request that moves the run; returns where it stops.
  nlohmann::json Move(const std::string& command, nlohmann::json arguments = nlohmann::json::object());
  const std::string& program() const { return program_; }
  nlohmann::json source() const { return {{"path", program_}}; }
  // Numbers of lines from 1, of the line of the program that contains the text.
  int LineOf(const std::string& text) const;

  // The innermost frame of a device; reads the stack.
  nlohmann::json Top(int thread = 1);
  // The name of the instruction that the innermost frame is at, from its line.
  std::string At(int thread = 1);
  // Scope to reference, of the innermost frame.
  std::map<std::string, int> Scopes(int thread = 1);
  nlohmann::json Variables(int reference, nlohmann::json more = nlohmann::json::object());
  // Name to value of one scope of the innermost frame.
  std::map<std::string, std::string> Values(const std::string& scope, int thread = 1);
  // The result of an expression.
  std::string Value(const std::string& expression, const std::string& context = "watch");

 private:
  std::string program_;
  std::string text_;
  int next_seq_ = 1;
  std::ofstream transcript_;
};

}  // namespace hloscope::dap

#endif  // HLOSCOPE_TESTS_LSP_DAP_CLIENT_H_
