// SPDX-License-Identifier: Apache-2.0
#include "lsp/evaluation/evaluation_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <utility>

#include "absl/strings/str_cat.h"
#include "lsp/evaluation/value_json.h"
#include "lsp/protocol/json.h"
#include "lsp/transport/json_rpc.h"
#include "nlohmann/json.hpp"
#include "reports/subprocess.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;

// A child that cannot keep its own limit of time is killed so much later, and later yet for a text that takes long to
// read.
constexpr double kSecondsOfGrace = 5;
constexpr double kSecondsPerByte = 1e-7;
constexpr int kMillisecondsBetweenLooks = 20;

// Memory of the child that holds no values.
constexpr rlim_t kBytesOfProgram = rlim_t{1} << 30;
constexpr rlim_t kBytesPerByteOfText = 32;

// The lines that a child writes: any number of {"progress": text}, then {"result": ...} or {"error": ...}.
class LineReader {
 public:
  explicit LineReader(const std::function<void(const std::string&)>& report) : report_(report) {}

  void Add(absl::string_view chunk) {
    absl::StrAppend(&rest_, chunk);
    for (size_t end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n')) {
      TakeLine(rest_.substr(0, end));
      rest_.erase(0, end + 1);
    }
  }
  bool has_answer() const { return has_answer_; }
  absl::StatusOr<std::string> TakeAnswer() { return std::move(answer_); }

 private:
  void TakeLine(const std::string& line) {
    const std::optional<json> message = ParsePayload(line);
    if (!message.has_value()) return;
    if (const std::optional<std::string> progress = FindString(*message, {"progress"})) {
      report_(*progress);
    } else if (const json* result = FindPath(*message, {"result"})) {
      has_answer_ = true;
      answer_ = JsonText(*result);
    } else if (const std::optional<std::string> text = FindString(*message, {"error", "message"})) {
      has_answer_ = true;
      answer_ = absl::Status(static_cast<absl::StatusCode>(FindInt(*message, {"error", "code"}).value_or(13)), *text);
    }
  }

  const std::function<void(const std::string&)>& report_;
  std::string rest_;
  bool has_answer_ = false;
  absl::StatusOr<std::string> answer_ = absl::UnknownError("");
};

std::string WhyItEnded(int exit_status) {
  if (exit_status == 128 + SIGKILL) {
    return "the process that evaluates was killed, as the system does when it needs the memory; the text is not "
           "affected";
  }
  if (exit_status > 128) {
    return absl::StrCat("the process that evaluates crashed (signal ", exit_status - 128,
                        "); the text is not affected. Please report the module");
  }
  return absl::StrCat("the process that evaluates ended with status ", exit_status, " before it had the value");
}

// --- The child ---

int answer_fd = -1;  // where OutOfMemory, which can take no arguments, writes

void WriteLine(int fd, std::string line) {
  line += "\n";
  for (absl::string_view rest = line; !rest.empty();) {
    const ssize_t written = write(fd, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(1);  // nobody waits any more
    rest.remove_prefix(static_cast<size_t>(written));
  }
}

std::string ErrorLine(const absl::Status& status) {
  return JsonText({{"error", {{"code", static_cast<int>(status.code())}, {"message", std::string(status.message())}}}});
}

// There is no memory to make a message of. The first thread that lacks some ends all.
void OutOfMemory() {
  static std::atomic_flag is_reported;
  while (is_reported.test_and_set()) pause();
  static constexpr char kLine[] =
      "{\"error\":{\"code\":8,\"message\":\"the evaluation needs more memory than its limit allows; the setting "
      "evaluation.memoryLimit raises it\"}}\n";
  static_cast<void>(!write(answer_fd, kLine, sizeof(kLine) - 1));
  _exit(0);
}

void LimitMemory(int64_t bytes, size_t text_bytes) {
  // Of all processes this is the one to end.
  if (const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); fd >= 0) {
    static_cast<void>(!write(fd, "1000", 4));
    close(fd);
  }
  std::set_new_handler(OutOfMemory);
  if (bytes <= 0) return;
  const rlim_t values = static_cast<rlim_t>(bytes);
  const rlim_t all = values + values / 4 + kBytesOfProgram + kBytesPerByteOfText * static_cast<rlim_t>(text_bytes);
  const rlimit limit = {all, all};
  static_cast<void>(setrlimit(RLIMIT_DATA, &limit));
}

std::string ReadAll(int fd) {
  std::string all;
  char buffer[1 << 16];
  while (true) {
    const ssize_t count = read(fd, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return all;
    all.append(buffer, static_cast<size_t>(count));
  }
}

}  // namespace

absl::StatusOr<std::string> EvaluateInProcess(const std::string& program, const Document& document, uint32_t offset,
                                              const json& query, const EvaluationLimits& limits,
                                              const PreviewWatch& watch) {
  const json header = {{"parent", getpid()},
                       {"name", std::string(document.source().name())},
                       {"offset", offset},
                       {"seconds", limits.seconds},
                       {"bytes", limits.bytes},
                       {"layoutSensitive", document.options().verify.layout_sensitive},
                       {"allowMixedPrecision", document.options().verify.allow_mixed_precision},
                       {"query", query}};
  LineReader lines(watch.report);
  reports::ProgramWatch program_watch;
  program_watch.is_cancelled = watch.cancelled;
  program_watch.on_output = [&](absl::string_view chunk) { lines.Add(chunk); };
  program_watch.milliseconds_between_looks = kMillisecondsBetweenLooks;
  const double seconds =
      limits.seconds + kSecondsOfGrace + kSecondsPerByte * static_cast<double>(document.source().size());
  const absl::StatusOr<reports::ProgramResult> ended =
      reports::RunProgram({program, kEvaluateArgument}, absl::StrCat(JsonText(header), "\n", document.source().text()),
                          seconds, /*silent=*/false, program_watch);
  if (absl::IsCancelled(ended.status())) return absl::CancelledError("cancelled by the client");
  if (lines.has_answer()) return lines.TakeAnswer();
  if (absl::IsDeadlineExceeded(ended.status())) {
    return absl::DeadlineExceededError(absl::StrCat("the evaluation took longer than ", limits.seconds, " s"));
  }
  if (!ended.ok()) return ended.status();
  return absl::InternalError(WhyItEnded(ended->exit_status));
}

int RunEvaluation(int input_fd, int output_fd) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  answer_fd = output_fd;
  std::string input = ReadAll(input_fd);
  const size_t line_end = input.find('\n');
  const std::optional<json> header =
      line_end == std::string::npos ? std::nullopt : ParsePayload(input.substr(0, line_end));
  if (!header.has_value()) return 2;
  // The server may have ended before the child asked to be told.
  if (FindInt(*header, {"parent"}) != getppid()) return 1;
  const json* wanted = FindPath(*header, {"query"});
  absl::StatusOr<ValueQuery> query = ReadValueQuery(wanted != nullptr ? *wanted : json());
  if (!query.ok()) {
    WriteLine(output_fd, ErrorLine(query.status()));
    return 0;
  }
  const json* seconds = FindPath(*header, {"seconds"});
  query->seconds = seconds != nullptr && seconds->is_number() ? seconds->get<double>() : query->seconds;
  query->memory_bytes = FindInt(*header, {"bytes"}).value_or(query->memory_bytes);
  input.erase(0, line_end + 1);
  LimitMemory(query->memory_bytes, input.size());
  DocumentOptions options;
  options.verify.layout_sensitive = FindBool(*header, {"layoutSensitive"}).value_or(false);
  options.verify.allow_mixed_precision = FindBool(*header, {"allowMixedPrecision"}).value_or(false);
  const auto document =
      Document::Parse(SourceText::FromString(FindString(*header, {"name"}).value_or(""), std::move(input)), options);
  PreviewWatch watch;  // who cancels kills
  watch.report = [output_fd](const std::string& text) { WriteLine(output_fd, JsonText({{"progress", text}})); };
  const absl::StatusOr<ValuePreview> preview =
      PreviewValue(*document, static_cast<uint32_t>(FindInt(*header, {"offset"}).value_or(0)), *query, watch);
  WriteLine(output_fd, preview.ok() ? JsonText({{"result", ToJson(*preview)}}) : ErrorLine(preview.status()));
  return 0;
}

}  // namespace hloscope::lsp
