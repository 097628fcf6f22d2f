// SPDX-License-Identifier: Apache-2.0
// One debug session: the requests of the protocol as functions on a run. Everything here happens on one thread; who
// reads messages and interrupts long runs is the Adapter.
#ifndef HLOSCOPE_LSP_DEBUG_ADAPTER_DEBUG_SESSION_H_
#define HLOSCOPE_LSP_DEBUG_ADAPTER_DEBUG_SESSION_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/document/document.h"
#include "evaluator/debugger/debug_launch.h"
#include "lsp/debug_adapter/attached_run.h"
#include "lsp/debug_adapter/breakpoint_store.h"
#include "lsp/debug_adapter/message_writer.h"
#include "lsp/debug_adapter/variable_tree.h"
#include "nlohmann/json_fwd.hpp"

namespace hloscope::dap {

// Something that moves the run after the response was sent.
struct Move {
  // Runs, or goes on after an interruption. Errors: the run is where it was.
  std::function<absl::StatusOr<evaluator::Stop>()> run;
  std::string reason;         // of the `stopped` event when nothing else stopped the run
  std::string title;          // for a progress report
  bool interruptible = true;  // may be paused to answer requests, and run again
  // All threads move with the one of the request, which neither the request nor its response says.
  bool moves_all_threads = false;
};

class DebugSession {
 public:
  // Called when there is a run that can be paused from other threads, and before it goes (null).
  using RunChanged = std::function<void(evaluator::DebugLaunch*)>;
  // `attached`: the run that `attach` means; null if there is none.
  DebugSession(MessageWriter& writer, std::string version, const AttachedRun* attached, RunChanged run_changed);
  ~DebugSession();

  // When a request may be made.
  enum class When : uint8_t { kAlways, kLaunched, kStopped };

  // Answers a request. `running`: a move is interrupted for it.
  void Handle(const RequestHead& request, const nlohmann::json& arguments, bool running);
  // What the last request started; it takes the place of a move that was interrupted.
  std::optional<Move> TakeMove() { return std::exchange(move_, std::nullopt); }
  // References to frames and variables end here. Tells the client of threads that it does not know to be moving.
  void BeginMove(const Move& move);
  // Tells the client where the run is. `paused`: the client asked for it.
  void EndMove(const Move& move, const absl::StatusOr<evaluator::Stop>& outcome);
  // The client wants no more of the run.
  bool terminated() const { return state_ == State::kTerminated; }
  bool reports_progress() const { return client_.progress; }

 private:
  void ForgetPlaces();
  using Method = absl::StatusOr<nlohmann::json> (DebugSession::*)(const nlohmann::json& arguments);
  struct Row {
    absl::string_view command;
    Method method;
    When when;
  };
  static absl::Span<const Row> Rows();
  enum class State : uint8_t { kNew, kInitialized, kLaunched, kStarted, kTerminated };

  // What the client said of itself.
  struct Client {
    bool lines_from_1 = true, columns_from_1 = true, uris = false;
    bool progress = false, invalidated = false, memory = false;
  };
  struct FrameReference {
    int64_t device = 0;
    size_t frame = 0;
  };
  class Console;

#define DAP_REQUEST(command, Method, when) absl::StatusOr<nlohmann::json> Method(const nlohmann::json& arguments);
#include "lsp/debug_adapter/requests.def"

  // --- Launching (launch_requests.cc) ---
  absl::Status Load(const nlohmann::json& arguments);
  void Unload();
  // Makes a run the session's.
  void Use(std::shared_ptr<const Document> document, std::shared_ptr<evaluator::DebugLaunch> launch);
  void TellLaunched(absl::string_view start_method);
  void Begin();
  void TellFinished();
  void TellAgreement();
  void Terminated(int exit_code);

  // --- Attaching, and devices that take no part any more (attach_requests.cc) ---
  // Where the run that was attached to is; goes on with it if the client does not want to stop there.
  void BeginAttached();
  bool HasEnded(int64_t device) const { return std::count(ended_.begin(), ended_.end(), device) > 0; }
  // Whether all devices, but for those that have ended, have finished.
  bool IsFinished() const;
  // The devices that have not ended, each as far as it gets.
  evaluator::Stop RunOthers();

  // --- Breakpoints (breakpoint_requests.cc) ---
  nlohmann::json BreakpointJson(const StoredBreakpoint& stored) const;
  absl::StatusOr<nlohmann::json> Replace(BreakpointRequest::Kind kind, const std::string& place,
                                         std::vector<BreakpointRequest> requests);
  void RenewBreakpoints();
  void DescribeStop(const Move& move, const evaluator::Stop& stop, nlohmann::json* body);

  // --- Moving (stepping_requests.cc) ---
  absl::StatusOr<int64_t> Device(const nlohmann::json& arguments) const;
  absl::StatusOr<nlohmann::json> StepUntil(const nlohmann::json& arguments, absl::string_view title,
                                           const std::function<evaluator::StopWhen(int64_t device)>& end);
  absl::Status CheckNotFinished(int64_t device) const;
  // Whether a step goes on, because the next instruction only prepares what an operation of the program gives.
  bool IsWithinOperation(int64_t device) const;
  // Goes to the latest earlier place that `wanted` accepts.
  Move BackMove(absl::string_view title, absl::string_view reason, std::function<absl::StatusOr<bool>()> go);

  // --- Places (source_requests.cc) ---
  nlohmann::json SourceJson() const;
  nlohmann::json PathJson(const std::string& path) const;
  void DescribePlace(InstructionId id, nlohmann::json* out) const;
  // References for `locations`: where an instruction is written, and the line that it was made from, if it says so.
  int64_t WrittenLocation(InstructionId id) const { return 2 * static_cast<int64_t>(id.index()) + 1; }
  std::optional<int64_t> OriginLocation(InstructionId id) const;
  nlohmann::json ModuleJson() const;
  std::string PathFrom(const nlohmann::json& source) const;
  int64_t LineToClient(int64_t line) const { return line + (client_.lines_from_1 ? 1 : 0); }
  int64_t LineFromClient(int64_t line) const { return line - (client_.lines_from_1 ? 1 : 0); }
  int64_t ColumnToClient(int64_t column) const { return column + (client_.columns_from_1 ? 1 : 0); }
  int64_t ColumnFromClient(int64_t column) const { return column - (client_.columns_from_1 ? 1 : 0); }
  bool IsProgram(absl::string_view path) const;

  // --- Frames and values (stack_requests.cc, variable_requests.cc) ---
  absl::StatusOr<FrameReference> FrameFrom(const nlohmann::json& arguments, absl::string_view name) const;
  InstructionId InstructionOf(const FrameReference& frame) const;
  nlohmann::json ValueVariable(const FrameReference& frame, InstructionId id);
  nlohmann::json LazyVariable(const FrameReference& frame, InstructionId id, bool is_unread);
  absl::StatusOr<nlohmann::json> ScopeOperands(const FrameReference& frame);
  absl::StatusOr<nlohmann::json> ScopeLocals(const FrameReference& frame, size_t begin, size_t end);
  absl::StatusOr<nlohmann::json> ScopeResults(const FrameReference& frame);
  absl::StatusOr<nlohmann::json> ScopeLoop(const FrameReference& frame, size_t loop);
  absl::StatusOr<nlohmann::json> ScopeRun();
  InstructionId LatestOf(const FrameReference& frame) const;
  // Evaluates an expression. Errors InvalidArgument show the place of the mistake.
  absl::StatusOr<evaluator::Value> EvaluateText(const std::string& text, const FrameReference& frame);
  // The frame that a request names, or else the one that was looked at last.
  absl::StatusOr<FrameReference> FrameOr(const nlohmann::json& arguments) const;
  absl::StatusOr<nlohmann::json> Set(const std::string& target, const std::string& value, const FrameReference& frame,
                                     ValueFormat format);
  void TellChangedValues();
  // What a command of the console says; nothing if the line begins with none.
  std::optional<absl::StatusOr<std::string>> SayInConsole(const std::string& line, const FrameReference& frame);
  FrameReference InnermostFrame(int64_t device) const;

  evaluator::Debugger& debugger() const { return launch_->debugger(); }
  evaluator::Timeline& timeline() const { return launch_->debugger().timeline(); }
  const Module& module() const { return document_->module(); }

  MessageWriter& writer_;
  const std::string version_;
  const RunChanged run_changed_;
  const AttachedRun* const attached_;
  State state_ = State::kNew;
  Client client_;
  std::shared_ptr<const nlohmann::json> launch_arguments_;
  bool stop_at_end_ = true, stop_on_entry_ = false, no_debug_ = false;
  std::shared_ptr<const Document> document_;
  bool is_in_file_ = true;  // the text that is shown; else the client asks for it
  std::string text_uri_;    // or has it under this name, if there is one
  std::vector<evaluator::Tensor> recorded_results_;
  std::shared_ptr<evaluator::DebugLaunch> launch_;
  std::unique_ptr<Console> console_;
  BreakpointStore breakpoints_;
  std::optional<Move> move_;
  std::vector<std::function<void()>> after_response_;  // events that must not come before it
  evaluator::Stop stop_;                               // the latest
  std::vector<int64_t> ended_;                         // devices that were terminated
  std::vector<FrameReference> frames_;                 // by reference - 1, until the run moves
  std::optional<FrameReference> latest_frame_;         // that variables were asked for
  VariableTree variables_;
};

}  // namespace hloscope::dap

#endif  // HLOSCOPE_LSP_DEBUG_ADAPTER_DEBUG_SESSION_H_
