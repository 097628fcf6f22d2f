// SPDX-License-Identifier: Apache-2.0
// hloscope-lsp: the language server, speaking LSP over standard input and output.
#include <signal.h>
#include <unistd.h>

#include <cstdio>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "core/resources/resources.h"
#include "lsp/evaluation/evaluation_process.h"
#include "lsp/large_json/large_json.h"
#include "lsp/server/server.h"
#include "lsp/transport/json_rpc.h"
#include "memory_policy/memory_policy.h"

namespace {

constexpr char kUsage[] =
    "usage: hloscope-lsp [--stdio]\n"
    "Language server (LSP 3.17) for XLA HLO text; an editor starts it and talks to it over standard input and output.\n"
    "  --version   print the version and stop\n"
    "  --help      print this text and stop\n";

}  // namespace

int main(int argc, char** argv) {
  bool evaluate = false;
  for (int i = 1; i < argc; ++i) {
    const absl::string_view argument = argv[i];
    if (argument == "--version") {
      std::printf("hloscope-lsp %s\n", HLOSCOPE_VERSION);
      return 0;
    }
    if (argument == "--help") {
      std::fputs(kUsage, stdout);
      return 0;
    }
    // What common LSP clients append to the command.
    if (argument == "--stdio" || absl::StartsWith(argument, "--clientProcessId=")) continue;
    if (argument == hloscope::lsp::kEvaluateArgument) {
      evaluate = true;  // by the server itself
      continue;
    }
    std::fprintf(stderr, "hloscope-lsp: unknown argument %s\n%s", argv[i], kUsage);
    return 2;
  }
  // A client that goes away shows as a failing write, not as a signal.
  signal(SIGPIPE, SIG_IGN);
  hloscope::memory_policy::SetUpMemory(hloscope::memory_policy::TextThreads::kAny);

  if (evaluate) return hloscope::lsp::RunEvaluation(STDIN_FILENO, STDOUT_FILENO);
  hloscope::lsp::SetLargePayloadReader(&hloscope::lsp::ParseLargeJson);
  hloscope::lsp::Connection connection(STDIN_FILENO, STDOUT_FILENO);
  hloscope::lsp::Server::Options options;
  options.version = HLOSCOPE_VERSION;
  options.resource_directory = hloscope::FindResourceDirectory();
  hloscope::lsp::Server server(connection, options);
  const int status = server.Run();
  server.CancelEverything();
  // Threads that still compute are not waited for; children end with this process.
  connection.Finish();
  _exit(status);
}
