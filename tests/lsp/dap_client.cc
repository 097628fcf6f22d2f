// SPDX-License-Identifier: Apache-2.0
#include "tests/lsp/dap_client.h"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "gtest/gtest.h"

namespace hloscope::dap {

using nlohmann::json;

DapClient::DapClient(const std::vector<std::string>& arguments) : ChildProcess(HLOSCOPE_DAP_BINARY, arguments) {
  static int number = 0;
  ++number;
  const std::string stem = "dap_" + std::to_string(getpid()) + "_" + std::to_string(number);
  program_ = ::testing::TempDir() + stem + ".hlo";
  if (const char* folder = std::getenv("HLOSCOPE_DAP_TRANSCRIPTS")) transcript_.open(std::string(folder) + "/" + stem);
  set_on_message([this](const std::string& text) {
    if (transcript_.is_open()) transcript_ << "< " << text << "\n" << std::flush;
  });
}

DapClient::~DapClient() { unlink(program_.c_str()); }

int DapClient::Send(const std::string& command, const json& arguments) {
  const int seq = next_seq_++;
  json message = {{"seq", seq}, {"type", "request"}, {"command", command}};
  if (!arguments.is_null()) message["arguments"] = arguments;
  if (transcript_.is_open()) transcript_ << "> " << message.dump() << "\n" << std::flush;
  SendBytes(lsp::EncodeFrame(message.dump()));
  return seq;
}

json DapClient::WaitResponse(int seq) {
  return Wait([seq](const json& message) { return message.value("request_seq", 0) == seq; });
}

json DapClient::Call(const std::string& command, const json& arguments) {
  json response = WaitResponse(Send(command, arguments));
  if (!response.is_null()) {
    EXPECT_EQ(response["command"], command);
  }
  return response;
}

json DapClient::Body(const std::string& command, const json& arguments) {
  const json response = Call(command, arguments);
  if (!response.value("success", false)) {
    ADD_FAILURE() << command << " " << arguments.dump() << ": " << response.dump();
    return json::object();
  }
  return response.value("body", json::object());
}

std::string DapClient::Error(const std::string& command, const json& arguments) {
  const json response = Call(command, arguments);
  if (response.value("success", true)) {
    ADD_FAILURE() << command << " succeeded: " << response.dump();
    return "";
  }
  EXPECT_EQ(response["body"]["error"]["format"], "{_message}");
  EXPECT_NE(response["body"]["error"]["variables"]["_message"], "");
  return response.value("message", "");
}

json DapClient::Event(const std::string& name) {
  return Wait([&](const json& message) { return message.value("event", "") == name; }).value("body", json());
}

std::string DapClient::Output(const std::string& category) {
  const json message = Wait([&](const json& one) {
    return one.value("event", "") == "output" && one["body"].value("category", "") == category;
  });
  return message.is_null() ? "" : message["body"].value("output", "");
}

void DapClient::Launch(const std::string& text, const json& more) {
  text_ = text;
  std::ofstream(program_) << text;
  Body("initialize", {{"clientID", "test"},
                      {"adapterID", "hlo"},
                      {"pathFormat", "path"},
                      {"linesStartAt1", true},
                      {"columnsStartAt1", true},
                      {"supportsVariableType", true},
                      {"supportsVariablePaging", true},
                      {"supportsMemoryReferences", true},
                      {"supportsProgressReporting", true},
                      {"supportsInvalidatedEvent", true},
                      {"supportsMemoryEvent", true}});
  json configuration = {{"program", program_}, {"fill", "iota"}, {"stopOnEntry", true}};
  configuration.update(more);
  Body("launch", configuration);
  Event("initialized");
}

json DapClient::Start() {
  Body("configurationDone");
  return Stopped();
}

json DapClient::Move(const std::string& command, json arguments) {
  if (!arguments.contains("threadId") && !arguments.contains("frameId")) arguments["threadId"] = 1;
  Body(command, arguments);
  return Stopped();
}

int DapClient::LineOf(const std::string& text) const {
  std::istringstream lines(text_);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.find(text) != std::string::npos) return number;
  }
  ADD_FAILURE() << "no line with " << text;
  return 0;
}

json DapClient::Top(int thread) {
  const json frames = Body("stackTrace", {{"threadId", thread}})["stackFrames"];
  return frames.empty() ? json::object() : frames[0];
}

std::string DapClient::At(int thread) {
  const int wanted = Top(thread).value("line", 0);
  std::istringstream lines(text_);
  std::string line;
  for (int number = 1; std::getline(lines, line) && number < wanted; ++number) {
  }
  std::istringstream words(line);
  std::string word;
  words >> word;
  if (word == "ROOT") words >> word;
  return word;
}

std::map<std::string, int> DapClient::Scopes(int thread) {
  std::map<std::string, int> references;
  const json scopes = Body("scopes", {{"frameId", Top(thread).value("id", 0)}});
  for (const json& scope : scopes["scopes"]) references[scope["name"]] = scope["variablesReference"];
  return references;
}

json DapClient::Variables(int reference, json more) {
  more["variablesReference"] = reference;
  return Body("variables", more)["variables"];
}

std::map<std::string, std::string> DapClient::Values(const std::string& scope, int thread) {
  std::map<std::string, std::string> values;
  const std::map<std::string, int> scopes = Scopes(thread);
  const auto found = scopes.find(scope);
  if (found == scopes.end()) {
    ADD_FAILURE() << "there is no scope " << scope;
    return values;
  }
  for (const json& variable : Variables(found->second)) values[variable["name"]] = variable["value"];
  return values;
}

std::string DapClient::Value(const std::string& expression, const std::string& context) {
  return Body("evaluate", {{"expression", expression}, {"context", context}}).value("result", "");
}

}  // namespace hloscope::dap
