// SPDX-License-Identifier: Apache-2.0
// What `hloscope serve` does: modules that stay open, and runs of them, for scripts (docs/serve.md).
#ifndef HLOSCOPE_CLI_SERVE_SERVICE_H_
#define HLOSCOPE_CLI_SERVE_SERVICE_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "cli/serve/message_stream.h"
#include "core/document/document.h"
#include "evaluator/debugger/debug_launch.h"

namespace hloscope::cli {

// Answers one request after the other; not thread-safe but for Cancel.
class Service {
 public:
  using Json = nlohmann::ordered_json;

  Service();
  ~Service();

  // One request, and the frames of its answer. Methods return InvalidArgument for wrong parameters, NotFound for a
  // handle or run that is not open, Cancelled, ResourceExhausted for limits; others as the library under them.
  struct Call {
    const Json& params;
    const std::vector<std::string>& frames;
    std::vector<std::string> answer_frames;
  };
  absl::StatusOr<Json> Handle(absl::string_view method, Call& call);
  bool HasMethod(absl::string_view method) const;

  // From any thread: what is being computed ends with Cancelled.
  void Cancel();
  // Before a request that may be cancelled.
  void ClearCancel() { cancelled_ = false; }

 private:
  using Method = absl::StatusOr<Json> (Service::*)(Call&);
  struct MethodRow {
    absl::string_view name;
    Method method;
  };
  static absl::Span<const MethodRow> Methods();

  struct OpenModule {
    std::shared_ptr<const Document> document;
    std::vector<Diagnostic> of_program;
    bool has_errors = false;
    std::vector<std::string> obstacles;      // why it must not be executed
    std::vector<evaluator::Value> recorded;  // arguments of a snapshot
  };
  class Collector;
  struct OpenRun {
    std::shared_ptr<const Document> document;
    std::unique_ptr<evaluator::DebugLaunch> launch;
    std::unique_ptr<Collector> collector;
  };

  absl::StatusOr<Json> Version(Call& call);
  absl::StatusOr<Json> Open(Call& call);
  absl::StatusOr<Json> Check(Call& call);
  absl::StatusOr<Json> Text(Call& call);
  absl::StatusOr<Json> Cost(Call& call);
  absl::StatusOr<Json> Run(Call& call);
  absl::StatusOr<Json> NanOrigin(Call& call);
  absl::StatusOr<Json> Start(Call& call);
  absl::StatusOr<Json> Next(Call& call);
  absl::StatusOr<Json> Command(Call& call);
  absl::StatusOr<Json> Close(Call& call);

  absl::StatusOr<OpenModule*> ModuleOf(Call& call);
  absl::StatusOr<std::unique_ptr<evaluator::DebugLaunch>> Launch(Call& call, OpenModule& module,
                                                                 evaluator::RunOptions options,
                                                                 const evaluator::TimelineOptions& timeline);
  absl::StatusOr<evaluator::RunOptions> OptionsOf(Call& call, const OpenModule& module);
  // Runs to the end; the status of the run.
  absl::Status RunToEnd(evaluator::DebugLaunch& launch);
  // Appends the leaves of the value as frames: [{"shape", "type", "frame"}].
  static absl::StatusOr<Json> ValueJson(const evaluator::Value& value, Call& call);

  std::map<int64_t, OpenModule> modules_;
  std::map<int64_t, OpenRun> runs_;
  int64_t next_ = 1;
  std::atomic<bool> cancelled_ = false;
  std::mutex running_mutex_;
  evaluator::DebugLaunch* running_ = nullptr;  // guarded by running_mutex_
};

}  // namespace hloscope::cli

#endif  // HLOSCOPE_CLI_SERVE_SERVICE_H_
