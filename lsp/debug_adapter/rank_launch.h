// SPDX-License-Identifier: Apache-2.0
// `launch` with `ranks`: starts `mpirun -n N hloscope run FILE --listen`, whose first process has the adapter of the
// devices of all, and passes messages on to it. The processes end with the session, and with this process.
#ifndef HLOSCOPE_LSP_DEBUG_ADAPTER_RANK_LAUNCH_H_
#define HLOSCOPE_LSP_DEBUG_ADAPTER_RANK_LAUNCH_H_

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "lsp/debug_adapter/attach_relay.h"
#include "lsp/debug_adapter/message_writer.h"
#include "lsp/debug_adapter/remote_run.h"
#include "nlohmann/json_fwd.hpp"
#include "reports/subprocess.h"

namespace hloscope::dap {

class RankLaunch final : public RemoteRun {
 public:
  // Whether the arguments of `launch` ask for several processes.
  static bool IsWanted(const nlohmann::json& arguments);
  // `beginning`: with the arguments of `launch`, which is answered when the processes are there or have failed. Errors
  // InvalidArgument: of the configuration. `client` outlives the object.
  static absl::StatusOr<std::unique_ptr<RankLaunch>> Start(MessageWriter& client, AttachRelay::Beginning beginning);
  ~RankLaunch() override;
  RankLaunch(const RankLaunch&) = delete;
  RankLaunch& operator=(const RankLaunch&) = delete;

  // RemoteRun:
  void Send(std::string payload) override;
  void Disconnect(const nlohmann::json& message) override;
  bool is_over() const override;

 private:
  RankLaunch(MessageWriter& client, AttachRelay::Beginning beginning, std::vector<std::string> command);
  // The thread of the processes: until they have ended.
  void RunProcesses(const std::vector<std::string>& command);
  void TakeOutput(absl::string_view chunk);
  void TakeLine(absl::string_view line);
  void Connect(int port);
  // The connection ended before the session.
  void TellLoss();
  bool WaitForEnd();
  // Why the run has not begun.
  absl::Status WhyNotBegun(const absl::StatusOr<reports::ProgramResult>& result) const;
  AttachRelay* relay() const;

  MessageWriter& client_;
  const AttachRelay::Beginning beginning_;
  std::string rest_;  // of a line of the output; as `said_`, of the thread of the processes
  std::string said_;  // before the run began

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> waiting_;     // for the connection
  std::unique_ptr<AttachRelay> relay_;   // stays once it is there
  std::optional<int> exit_status_;       // of mpirun
  std::atomic<bool> end_{false};         // the processes are to end
  std::atomic<bool> has_failed_{false};  // before the run began
  std::thread thread_;
};

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_RANK_LAUNCH_H_
