#include "tests/lsp/lsp_client.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace hloscope::lsp {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience(30);

int MillisecondsUntil(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
  return left.count() < 0 ? 0 : static_cast<int>(left.count());
}

}  // namespace

LspClient::LspClient() {
  signal(SIGPIPE, SIG_IGN);
  int input[2], output[2];
  if (pipe(input) != 0 || pipe(output) != 0) std::abort();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  for (int fd : {input[0], input[1], output[0], output[1]}) posix_spawn_file_actions_addclose(&actions, fd);
  std::string program = HLOSCOPE_LSP_BINARY, argument = "--stdio";
  char* arguments[] = {program.data(), argument.data(), nullptr};
  if (posix_spawn(&pid_, program.c_str(), &actions, nullptr, arguments, environ) != 0) {
    ADD_FAILURE() << "cannot start " << program;
    pid_ = -1;
  }
  posix_spawn_file_actions_destroy(&actions);
  close(input[0]);
  close(output[1]);
  to_server_ = input[1];
  from_server_ = output[0];
}

LspClient::~LspClient() {
  CloseInput();
  CloseOutput();
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
}

void LspClient::SendBytes(const std::string& bytes) {
  size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t n = write(to_server_, bytes.data() + written, bytes.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // the server is gone; the next wait reports it
    written += static_cast<size_t>(n);
  }
}

void LspClient::Send(const json& message) { SendBytes(EncodeFrame(message.dump())); }

int LspClient::Request(const std::string& method, const json& params) {
  const int id = next_id_++;
  Send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
  return id;
}

void LspClient::Notify(const std::string& method, const json& params) {
  Send({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
}

bool LspClient::ReadMore(int timeout_milliseconds) {
  pollfd ready = {from_server_, POLLIN, 0};
  if (poll(&ready, 1, timeout_milliseconds) <= 0) return false;
  std::array<char, 65536> chunk;
  const ssize_t n = read(from_server_, chunk.data(), chunk.size());
  if (n <= 0) return false;
  framer_.Append(absl::string_view(chunk.data(), static_cast<size_t>(n)));
  while (auto event = framer_.Next()) {
    if (event->kind == MessageFramer::Event::Kind::kError) ADD_FAILURE() << "the server sent garbage: " << event->text;
    received_.push_back(std::move(event->text));
  }
  return true;
}

json LspClient::Wait(const std::function<bool(const json&)>& matches) {
  const Clock::time_point deadline = Clock::now() + kPatience;
  size_t seen = 0;
  while (true) {
    for (; seen < received_.size(); ++seen) {
      json message = json::parse(received_[seen]);
      if (!matches(message)) continue;
      received_.erase(received_.begin() + static_cast<ptrdiff_t>(seen));
      return message;
    }
    if (!ReadMore(MillisecondsUntil(deadline))) {
      ADD_FAILURE() << "the awaited message did not come";
      return json();
    }
  }
}

json LspClient::WaitAnswer(int id) {
  return Wait([id](const json& message) { return !message.contains("method") && message.value("id", json()) == id; });
}

json LspClient::Call(const std::string& method, const json& params) { return WaitAnswer(Request(method, params)); }

json LspClient::Result(const std::string& method, const json& params) {
  json answer = Call(method, params);
  if (!answer.contains("result")) {
    ADD_FAILURE() << method << ": " << answer.dump();
    return json();
  }
  return answer["result"];
}

json LspClient::WaitDiagnostics(const std::string& uri, int version) {
  const json message = Wait([&](const json& m) {
    return m.value("method", "") == "textDocument/publishDiagnostics" && m["params"].value("uri", "") == uri &&
           m["params"].value("version", -1) == version;
  });
  return message.is_null() ? json::array() : message["params"]["diagnostics"];
}

json LspClient::Initialize(const std::string& encoding) {
  const json text_document = {
      {"publishDiagnostics", {{"relatedInformation", true}, {"tagSupport", {{"valueSet", {1, 2}}}}}},
      {"hover", {{"contentFormat", {"markdown", "plaintext"}}}},
      {"documentSymbol", {{"hierarchicalDocumentSymbolSupport", true}}},
      {"codeAction", {{"codeActionLiteralSupport", json::object()}, {"isPreferredSupport", true}}}};
  json result =
      Result("initialize",
             {{"processId", nullptr},
              {"rootUri", nullptr},
              {"capabilities",
               {{"general", {{"positionEncodings", json::array({encoding})}}}, {"textDocument", text_document}}}});
  Notify("initialized", json::object());
  return result;
}

void LspClient::Open(const std::string& uri, const std::string& text, int version) {
  Notify("textDocument/didOpen",
         {{"textDocument", {{"uri", uri}, {"languageId", "hlo"}, {"version", version}, {"text", text}}}});
}

void LspClient::Change(const std::string& uri, int version, const json& content_changes) {
  Notify("textDocument/didChange",
         {{"textDocument", {{"uri", uri}, {"version", version}}}, {"contentChanges", content_changes}});
}

json LspClient::AskAt(const std::string& method, const std::string& uri, uint32_t line, uint32_t character) {
  return Result(method, {{"textDocument", {{"uri", uri}}}, {"position", {{"line", line}, {"character", character}}}});
}

void LspClient::CloseInput() {
  if (to_server_ >= 0) close(std::exchange(to_server_, -1));
}

void LspClient::CloseOutput() {
  if (from_server_ >= 0) close(std::exchange(from_server_, -1));
}

int LspClient::WaitExit() {
  const Clock::time_point deadline = Clock::now() + kPatience;
  while (Clock::now() < deadline) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return -1;
}

}  // namespace hloscope::lsp
