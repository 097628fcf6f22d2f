#include "cli/cancel_on_signal.h"

#include <atomic>
#include <csignal>

namespace hloscope {
namespace {

std::atomic<Session*> session_to_cancel{nullptr};

// Session::Cancel only stores to an atomic, which a signal handler may do.
void Cancel(int) {
  Session* const session = session_to_cancel.load();
  if (session != nullptr) session->Cancel();
}

}  // namespace

CancelOnSignal::CancelOnSignal(Session& session) {
  session_to_cancel = &session;
  std::signal(SIGINT, Cancel);
  std::signal(SIGTERM, Cancel);
}

CancelOnSignal::~CancelOnSignal() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  session_to_cancel = nullptr;
}

}  // namespace hloscope
