// SPDX-License-Identifier: Apache-2.0
#include "lsp/debug_adapter/rank_launch.h"

#include <chrono>
#include <limits>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/resources/own_program.h"
#include "lsp/debug_adapter/launch_configuration.h"
#include "lsp/debug_adapter/request_arguments.h"
#include "lsp/transport/json_rpc.h"
#include "nlohmann/json.hpp"

namespace hloscope::dap {
namespace {

using nlohmann::json;

constexpr int64_t kMaxRanks = 1024;
// How long processes may take to end by themselves, once nobody needs them.
constexpr std::chrono::seconds kProcessesEnd(10);
// What `hloscope run --listen` says when it listens.
constexpr absl::string_view kListens = "hloscope: debuggers can attach at port ";

// A number or a text, as an option of the command line has it.
std::optional<std::string> TextOf(const json& arguments, absl::string_view name) {
  const json* const member = Member(arguments, name);
  if (member == nullptr) return std::nullopt;
  if (const auto* text = member->get_ptr<const json::string_t*>()) return *text;
  return member->is_number_integer() ? std::optional<std::string>(member->dump()) : std::nullopt;
}

void AddPairs(const json& arguments, absl::string_view name, absl::string_view option,
              std::vector<std::string>* words) {
  const json* const pairs = Member(arguments, name);
  if (pairs == nullptr || !pairs->is_object()) return;
  for (const auto& [key, value] : pairs->items()) {
    if (const auto* text = value.get_ptr<const json::string_t*>()) {
      words->push_back(absl::StrCat("--", option, "=", key, "=", *text));
    }
  }
}

std::string HloscopeProgram() {
  const std::string own = OwnProgram();
  return absl::StrCat(own.substr(0, own.rfind('/') + 1), "hloscope");
}

// The command that runs what `launch` asks for. Errors InvalidArgument, for the user.
absl::StatusOr<std::vector<std::string>> CommandOf(const json& arguments, bool uris) {
  const absl::StatusOr<std::optional<int64_t>> ranks = OptionalInteger(arguments, "ranks");
  if (!ranks.ok() || ranks->value_or(0) < 1 || **ranks > kMaxRanks) {
    return absl::InvalidArgumentError(absl::StrCat("`ranks` is a number of processes from 1 to ", kMaxRanks));
  }
  const absl::StatusOr<LaunchConfiguration> launch = ReadLaunch(arguments, uris);
  if (!launch.ok()) return launch.status();
  // One process moves at a time, so they may share processors. Standard output has the results, which the debugger
  // tells.
  std::vector<std::string> words = {
      "/bin/sh", "-c", "exec \"$@\" 2>&1 > /dev/null", "sh", "mpirun", "--oversubscribe", "--bind-to", "none"};
  for (const json& word : ListOf(arguments, "mpirunArguments")) {
    if (const auto* text = word.get_ptr<const json::string_t*>()) words.push_back(*text);
  }
  words.insert(words.end(), {"-n", absl::StrCat(**ranks), HloscopeProgram(), "run", launch->program, "--listen=0",
                             "--wait-for-debugger"});
  constexpr std::pair<absl::string_view, absl::string_view> kOptions[] = {{"module", "module"},
                                                                          {"argumentsDirectory", "args-dir"},
                                                                          {"infeedDirectory", "infeed"},
                                                                          {"fill", "fill"},
                                                                          {"seed", "seed"},
                                                                          {"replicas", "replicas"},
                                                                          {"partitions", "partitions"},
                                                                          {"threads", "threads"},
                                                                          {"memoryLimit", "memory-limit"},
                                                                          {"historyLimit", "history-limit"},
                                                                          {"devicesPerRank", "devices-per-rank"},
                                                                          {"deviceRanks", "device-ranks"}};
  for (const auto& [name, option] : kOptions) {
    const std::optional<std::string> text = TextOf(arguments, name);
    if (text.has_value() && !text->empty()) words.push_back(absl::StrCat("--", option, "=", *text));
  }
  AddPairs(arguments, "shapes", "shape", &words);
  AddPairs(arguments, "arguments", "arg", &words);
  AddPairs(arguments, "customCalls", "custom-call", &words);
  for (const std::string& plugin : launch->run.plugins) words.push_back(absl::StrCat("--custom-calls=", plugin));
  if (launch->run.session.run_dead_instructions) words.push_back("--run-dead-code");
  return words;
}

}  // namespace

bool RankLaunch::IsWanted(const json& arguments) {
  return Member(arguments, "ranks") != nullptr && IntegerOr(arguments, "ranks", 0) != 1;
}

absl::StatusOr<std::unique_ptr<RankLaunch>> RankLaunch::Start(MessageWriter& client, AttachRelay::Beginning beginning) {
  json& arguments = beginning.attach_arguments;
  absl::StatusOr<std::vector<std::string>> command =
      CommandOf(arguments, StringOr(beginning.initialize_arguments, "pathFormat", "path") == "uri");
  if (!command.ok()) return command.status();
  arguments["stopOnEntry"] = BoolOr(arguments, "stopOnEntry", false);
  return std::unique_ptr<RankLaunch>(new RankLaunch(client, std::move(beginning), *std::move(command)));
}

RankLaunch::RankLaunch(MessageWriter& client, AttachRelay::Beginning beginning, std::vector<std::string> command)
    : client_(client),
      beginning_(std::move(beginning)),
      thread_([this, command = std::move(command)] { RunProcesses(command); }) {}

RankLaunch::~RankLaunch() {
  if (AttachRelay* const run = relay(); run != nullptr && !run->is_over()) {
    // The client is gone without a word.
    run->Send(lsp::JsonText(
        {{"seq", 0}, {"type", "request"}, {"command", "disconnect"}, {"arguments", {{"terminateDebuggee", true}}}}));
    WaitForEnd();
  }
  end_ = true;
  thread_.join();
  relay_.reset();
}

AttachRelay* RankLaunch::relay() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return relay_.get();
}

bool RankLaunch::is_over() const {
  const AttachRelay* const run = relay();
  return has_failed_ || (run != nullptr && run->is_over());
}

void RankLaunch::RunProcesses(const std::vector<std::string>& command) {
  reports::ProgramWatch watch;
  watch.interrupted = &end_;
  watch.on_output = [this](absl::string_view chunk) { TakeOutput(chunk); };
  const absl::StatusOr<reports::ProgramResult> result =
      reports::RunProgram(command, "", std::numeric_limits<int32_t>::max(), /*silent=*/false, watch);
  if (!rest_.empty()) TakeLine(std::exchange(rest_, ""));
  if (relay_ == nullptr) {
    // First, so that what the client asks when it knows is no longer for these processes.
    has_failed_ = true;
    client_.RespondError(beginning_.start, WhyNotBegun(result), true);
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    exit_status_ = result.ok() ? result->exit_status : 1;
  }
  changed_.notify_all();
}

absl::Status RankLaunch::WhyNotBegun(const absl::StatusOr<reports::ProgramResult>& result) const {
  constexpr int kNoSuchCommand = 127;
  if (result.ok() && result->exit_status == kNoSuchCommand) {
    return absl::NotFoundError("`ranks` needs mpirun of Open MPI (openmpi-bin of Debian), which is not there");
  }
  // mpirun frames its own words, which say less than those of the processes before them.
  absl::string_view said = said_;
  const size_t frame = said.find("\n----------");
  if (frame != absl::string_view::npos) said = said.substr(0, frame);
  said = absl::StripTrailingAsciiWhitespace(said);
  absl::ConsumePrefix(&said, "hloscope: ");
  if (!said.empty()) return absl::InvalidArgumentError(said);
  if (!result.ok()) return result.status();
  return absl::InternalError(
      absl::StrCat("the processes ended with status ", result->exit_status, " before the run began"));
}

void RankLaunch::TakeOutput(absl::string_view chunk) {
  absl::StrAppend(&rest_, chunk);
  size_t begin = 0;
  for (size_t end; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    TakeLine(absl::string_view(rest_).substr(begin, end - begin));
  }
  rest_.erase(0, begin);
}

void RankLaunch::TakeLine(absl::string_view line) {
  int port = 0;
  absl::string_view number = line;
  const bool has_begun = relay_ != nullptr;
  if (!has_begun && absl::ConsumePrefix(&number, kListens) && absl::SimpleAtoi(number, &port)) return Connect(port);
  const std::string text = absl::StrCat(InLaunchWording(std::string(line)), "\n");
  if (!has_begun) said_ += text;
  client_.Output("stderr", text);
}

void RankLaunch::Connect(int port) {
  absl::StatusOr<std::unique_ptr<AttachRelay>> relay =
      AttachRelay::Connect(port, client_, beginning_, [this] { TellLoss(); });
  if (!relay.ok()) {
    absl::StrAppend(&said_, relay.status().message());
    end_ = true;
    return;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  relay_ = *std::move(relay);
  for (std::string& payload : std::exchange(waiting_, {})) relay_->Send(std::move(payload));
}

bool RankLaunch::WaitForEnd() {
  std::unique_lock<std::mutex> lock(mutex_);
  return changed_.wait_for(lock, kProcessesEnd, [this] { return exit_status_.has_value(); });
}

void RankLaunch::TellLoss() {
  // What mpirun says of a process that is gone comes before the end.
  if (!WaitForEnd()) end_ = true;
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return exit_status_.has_value(); });
  client_.Event("exited", {{"exitCode", *exit_status_}});
}

void RankLaunch::Send(std::string payload) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (relay_ == nullptr) {
    waiting_.push_back(std::move(payload));
  } else {
    relay_->Send(std::move(payload));
  }
}

void RankLaunch::Disconnect(const json& message) {
  AttachRelay* const run = relay();
  if (run == nullptr) {
    client_.Respond({IntegerOr(message, "seq", 0), "disconnect"}, json());
    return;
  }
  // The processes are the session's.
  json ending = message;
  ending["arguments"]["terminateDebuggee"] = true;
  ending["arguments"]["suspendDebuggee"] = false;
  run->Disconnect(ending);
  WaitForEnd();
}

}  // namespace hloscope::dap
