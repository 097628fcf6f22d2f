// SPDX-License-Identifier: Apache-2.0
// hloscope-dap: the debug adapter, speaking the Debug Adapter Protocol over standard input and output or a socket.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "lsp/debug_adapter/adapter.h"
#include "lsp/debug_adapter/loopback_port.h"
#include "memory_policy/memory_policy.h"

namespace {

constexpr char kUsage[] =
    "usage: hloscope-dap [--port N]\n"
    "Debug adapter (Debug Adapter Protocol) for XLA HLO modules; an editor starts it and talks to it over standard\n"
    "input and output.\n"
    "  --port N    wait for one client at a port of this machine's loopback address instead; 0: any free port, which\n"
    "              is printed\n"
    "  --version   print the version and stop\n"
    "  --help      print this text and stop\n";

int Serve(int input_fd, int output_fd, int64_t parent) {
  auto connection = std::make_unique<hloscope::lsp::Connection>(input_fd, output_fd);
  hloscope::dap::Adapter::Options options;
  options.version = HLOSCOPE_VERSION;
  options.parent_process = parent;
  auto adapter = std::make_unique<hloscope::dap::Adapter>(*connection, options);
  adapter->Run();
  if (!adapter->Stop()) {
    // The worker does not come back; what waits for the client still goes out.
    connection.reset();
    std::_Exit(0);
  }
  adapter.reset();
  return 0;
}

// The one client of the port; others find nobody afterwards.
absl::StatusOr<int> AcceptOne(int port, int64_t parent) {
  absl::StatusOr<hloscope::dap::LoopbackListener> listener = hloscope::dap::LoopbackListener::Open(port);
  if (!listener.ok()) return listener.status();
  std::printf("hloscope-dap: listening on 127.0.0.1:%d\n", listener->port());
  std::fflush(stdout);
  return listener->Accept([parent] { return getppid() == parent; });
}

}  // namespace

int main(int argc, char** argv) {
  int port = -1;
  for (int i = 1; i < argc; ++i) {
    const absl::string_view argument = argv[i];
    if (argument == "--version") {
      std::printf("hloscope-dap %s\n", HLOSCOPE_VERSION);
      return 0;
    }
    if (argument == "--help") {
      std::fputs(kUsage, stdout);
      return 0;
    }
    if (argument == "--stdio") continue;
    if (argument == "--port" && i + 1 < argc && absl::SimpleAtoi(argv[i + 1], &port) && port >= 0 && port <= 65535) {
      ++i;
      continue;
    }
    std::fprintf(stderr, "hloscope-dap: %s %s\n%s",
                 argument == "--port" ? "expected a number from 0 to 65535 after" : "unknown argument", argv[i],
                 kUsage);
    return 2;
  }
  hloscope::memory_policy::SetUpMemory(hloscope::memory_policy::TextThreads::kAny);
  // A client that goes away shows as a failing write, not as a signal.
  signal(SIGPIPE, SIG_IGN);
  const int64_t parent = getppid();
  if (port < 0) return Serve(STDIN_FILENO, STDOUT_FILENO, parent);
  const absl::StatusOr<int> client = AcceptOne(port, parent);
  if (!client.ok()) {
    std::fprintf(stderr, "hloscope-dap: %s\n", std::string(client.status().message()).c_str());
    return 1;
  }
  return Serve(*client, *client, parent);
}
