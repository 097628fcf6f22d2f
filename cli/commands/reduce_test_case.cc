// `hloscope reduce-test-case`: the smallest module for which a program still fails.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "cli/arguments.h"
#include "cli/cancel_on_signal.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/module_text.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "core/diagnostics/count_text.h"
#include "core/source/output_file.h"
#include "core/transform/test_case_reduction.h"
#include "reports/subprocess.h"

namespace hloscope::cli {
namespace {

constexpr OptionSpec kReduceTestCaseOptions[] = {
    {"status", OptionKind::kValue, "N", "the exit status that counts as the fault (what PROGRAM returns for FILE)"},
    {"timeout", OptionKind::kValue, "SECONDS", "how long PROGRAM may take; longer is no fault (30)"},
    {"max-candidates", OptionKind::kValue, "N", "how many modules are tried at most (2000)"},
    {"output", OptionKind::kValue, "FILE", "where the smallest module goes (standard output)"},
};

// A file that is removed in the end.
class TemporaryFile {
 public:
  TemporaryFile() {
    std::error_code ignored;
    path_ = (std::filesystem::temp_directory_path(ignored) / "hloscope-XXXXXX.hlo").string();
    const int file = mkstemps(path_.data(), 4);
    if (file < 0) {
      path_.clear();
    } else {
      close(file);
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!path_.empty()) unlink(path_.c_str());
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The program of the user, on one text after the other.
class Judge {
 public:
  Judge(absl::Span<const std::string> command, const std::string& path, double timeout_seconds)
      : path_(path), timeout_seconds_(timeout_seconds) {
    for (const std::string& word : command) {
      names_file_ = names_file_ || word.find("{}") != std::string::npos;
      command_.push_back(absl::StrReplaceAll(word, {{"{}", path}}));
    }
  }

  absl::StatusOr<int> ExitStatusFor(const std::string& text) const {
    if (names_file_) {
      if (const absl::Status written = WriteFileAtomically(path_, text); !written.ok()) return written;
    }
    const auto result = reports::RunProgram(command_, names_file_ ? "" : absl::string_view(text), timeout_seconds_,
                                            /*silent=*/true, {&NoticeSignal::noticed(), nullptr});
    if (!result.ok()) return result.status();
    return result->exit_status;
  }

 private:
  std::vector<std::string> command_;
  const std::string& path_;
  const double timeout_seconds_;
  bool names_file_ = false;
};

int Fail(absl::string_view message) {
  WriteError(absl::StrCat("hloscope: ", message, "\n"));
  return kExitBadInput;
}

int RunReduceTestCase(const Arguments& arguments) {
  const auto usage = [&](const absl::Status& status) { return UsageError(arguments.command(), status.message()); };
  const absl::StatusOr<int64_t> wanted = arguments.Int("status", -1, 0, 255);
  if (!wanted.ok()) return usage(wanted.status());
  const absl::StatusOr<double> timeout = arguments.NonNegative("timeout", 30);
  if (!timeout.ok()) return usage(timeout.status());
  const absl::StatusOr<int64_t> max_candidates = arguments.Int("max-candidates", 2000, 1, 1000000);
  if (!max_candidates.ok()) return usage(max_candidates.status());
  if (const auto color = ErrorRenderOptions(arguments); !color.ok()) return usage(color.status());
  const std::shared_ptr<const Document> document = OpenDocument(arguments, arguments.operands()[0]);
  if (document == nullptr) return kExitBadInput;
  const TemporaryFile file;
  if (file.path().empty()) return Fail("cannot make a temporary file");
  const NoticeSignal notice;
  const Judge judge(arguments.operands().subspan(1), file.path(), *timeout);

  // The fault has to be there in the form in which candidates are written.
  const std::optional<std::string> first = CheckedModuleText(document->module(), document->options(), /*explain=*/true);
  if (!first) return Fail("the module cannot be printed and read again");
  const absl::StatusOr<int> status = judge.ExitStatusFor(*first);
  if (!status.ok()) return ReportStatus(status.status());
  const int fault = *wanted >= 0 ? static_cast<int>(*wanted) : *status;
  if (*wanted >= 0 ? *status != fault : fault == 0) {
    return Fail(absl::StrCat("the program ends with status ", *status, " for this module, which is not the fault",
                             *wanted >= 0 ? absl::StrCat(" (", fault, ")") : ""));
  }
  ReductionOptions options;
  options.max_candidates = static_cast<int>(*max_candidates);
  std::string smallest = *first;
  options.shows_fault = [&](const Module& candidate) {
    if (NoticeSignal::noticed()) return false;
    std::optional<std::string> text = CheckedModuleText(candidate, document->options(), /*explain=*/false);
    if (!text) return false;
    const absl::StatusOr<int> result = judge.ExitStatusFor(*text);
    if (!result.ok() || *result != fault) return false;
    smallest = *std::move(text);
    return true;
  };
  const ReductionResult result = ReduceTestCase(document->module(), options);
  if (NoticeSignal::noticed()) return ReportStatus(absl::CancelledError("interrupted"));
  WriteError(absl::StrCat("hloscope: ", document->module().instruction_count(), " -> ",
                          CountOf(result.module.instruction_count(), "instruction"), " after ",
                          CountOf(result.candidates, "candidate"), result.complete ? "" : ", which is the limit",
                          "\n"));
  if (const auto path = arguments.Value("output")) {
    const absl::Status written = WriteFileAtomically(*path, smallest);
    return written.ok() ? kExitGood : Fail(written.message());
  }
  WriteOutput(smallest);
  return kExitGood;
}

}  // namespace

const Command& ReduceTestCaseCommand() {
  static constexpr Command kCommand = {
      "reduce-test-case",
      "FILE -- PROGRAM [ARGUMENT...]",
      "the smallest module for which a program still fails",
      "Takes out of the module what can go while PROGRAM still ends with the same exit status (128 + N if signal N "
      "ended\n"
      "it), and prints what is left. `{}` in the arguments is the name of a file with the candidate; without it the\n"
      "candidate is PROGRAM's standard input. Candidates have no errors, but other parameters than FILE has:\n"
      "hloscope reduce-test-case model.hlo -- my-compiler --crash {}",
      kReduceTestCaseOptions,
      2,
      -1,
      RunReduceTestCase};
  return kCommand;
}

}  // namespace hloscope::cli
