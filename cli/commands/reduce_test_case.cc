// SPDX-License-Identifier: Apache-2.0
// `hloscope reduce-test-case`: the smallest module for which a program still fails.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/match.h"
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
#include "core/resources/own_program.h"
#include "core/source/output_file.h"
#include "core/transform/test_case_reduction.h"
#include "reports/subprocess.h"

namespace hloscope::cli {
namespace {

constexpr OptionSpec kReduceTestCaseOptions[] = {
    {"status", OptionKind::kValue, "N", "the exit status that counts as the fault (what PROGRAM returns for FILE)"},
    {"differs", OptionKind::kSwitch, "",
     "the fault is that two programs, PROGRAM... -- PROGRAM..., both end with 0 and print different texts"},
    {"nan", OptionKind::kSwitch, "",
     "the fault is a NaN in the results of `hloscope run --fill=random`; needs no PROGRAM"},
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

// A program of the user, on one text after the other.
class Judge {
 public:
  Judge(absl::Span<const std::string> command, const std::string& path, double timeout_seconds)
      : path_(path), timeout_seconds_(timeout_seconds) {
    for (const std::string& word : command) {
      names_file_ = names_file_ || word.find("{}") != std::string::npos;
      command_.push_back(absl::StrReplaceAll(word, {{"{}", path}}));
    }
  }

  absl::StatusOr<reports::ProgramResult> ResultFor(const std::string& text) const {
    if (names_file_) {
      if (const absl::Status written = WriteFileAtomically(path_, text); !written.ok()) return written;
    }
    return reports::RunProgram(command_, names_file_ ? "" : absl::string_view(text), timeout_seconds_,
                               /*silent=*/true, {&NoticeSignal::noticed(), nullptr});
  }

 private:
  std::vector<std::string> command_;
  const std::string path_;
  const double timeout_seconds_;
  bool names_file_ = false;
};

// What counts as the fault.
class Fault {
 public:
  // Error InvalidArgument, for the user: wrong usage.
  static absl::StatusOr<Fault> Read(const Arguments& arguments, const std::string& path) {
    const absl::StatusOr<int64_t> status = arguments.Int("status", -1, 0, 255);
    if (!status.ok()) return status.status();
    const absl::StatusOr<double> timeout = arguments.NonNegative("timeout", 30);
    if (!timeout.ok()) return timeout.status();
    absl::Span<const std::string> words = arguments.operands().subspan(1);
    Fault fault;
    fault.status_ = static_cast<int>(*status);
    fault.is_nan_ = arguments.Switch("nan");
    fault.is_difference_ = arguments.Switch("differs");
    if (fault.is_nan_ + fault.is_difference_ + (*status >= 0) > 1) {
      return absl::InvalidArgumentError("--nan, --differs and --status are different faults");
    }
    if (fault.is_nan_) {
      if (!words.empty()) return absl::InvalidArgumentError("--nan runs the module itself: it takes no PROGRAM");
      fault.judges_.emplace_back(std::vector<std::string>{OwnProgram(), "run", "--fill=random", "--print", "{}"}, path,
                                 *timeout);
      return fault;
    }
    if (fault.is_difference_) {
      const auto dashes = std::find(words.begin(), words.end(), "--");
      const size_t first = static_cast<size_t>(dashes - words.begin());
      if (first == 0 || first + 1 >= words.size()) {
        return absl::InvalidArgumentError("--differs needs two programs: FILE -- PROGRAM... -- PROGRAM...");
      }
      fault.judges_.emplace_back(words.subspan(0, first), path, *timeout);
      words.remove_prefix(first + 1);
    }
    if (words.empty()) return absl::InvalidArgumentError("expected FILE -- PROGRAM");
    fault.judges_.emplace_back(words, path, *timeout);
    return fault;
  }

  // Nothing if the whole module has the fault; what is there instead, for people. Without --status the fault is the
  // status of this text.
  absl::StatusOr<std::optional<std::string>> WhyNot(const std::string& text) {
    if (!is_nan_ && !is_difference_ && status_ < 0) {
      const absl::StatusOr<reports::ProgramResult> result = judges_[0].ResultFor(text);
      if (!result.ok()) return result.status();
      if (result->exit_status != 0) {
        status_ = result->exit_status;
        return std::nullopt;
      }
      return "the program ends with status 0 for this module, which is not the fault";
    }
    const absl::StatusOr<bool> shows = Shows(text);
    if (!shows.ok()) return shows.status();
    if (*shows) return std::nullopt;
    if (is_nan_) return "the results of this module with --fill=random hold no NaN";
    if (is_difference_) return "the programs do not both end with status 0 and print different texts for this module";
    return absl::StrCat("the program ends with status ", last_status_, " for this module, which is not the fault (",
                        status_, ")");
  }

  absl::StatusOr<bool> Shows(const std::string& text) {
    std::vector<std::string> outputs;
    for (const Judge& judge : judges_) {
      absl::StatusOr<reports::ProgramResult> result = judge.ResultFor(text);
      if (!result.ok()) return result.status();
      last_status_ = result->exit_status;
      if (last_status_ != (is_nan_ || is_difference_ ? 0 : status_)) return false;
      outputs.push_back(std::move(result->output));
    }
    if (is_difference_) return outputs[0] != outputs[1];
    return !is_nan_ || absl::StrContains(outputs[0], "nan");
  }

 private:
  Fault() = default;
  std::vector<Judge> judges_;
  int status_ = -1, last_status_ = 0;
  bool is_nan_ = false, is_difference_ = false;
};

int Fail(absl::string_view message) {
  WriteError(absl::StrCat("hloscope: ", message, "\n"));
  return kExitBadInput;
}

int RunReduceTestCase(const Arguments& arguments) {
  const auto usage = [&](const absl::Status& status) { return UsageError(arguments.command(), status.message()); };
  const absl::StatusOr<int64_t> max_candidates = arguments.Int("max-candidates", 2000, 1, 1000000);
  if (!max_candidates.ok()) return usage(max_candidates.status());
  if (const auto color = ErrorRenderOptions(arguments); !color.ok()) return usage(color.status());
  // How the command was called comes before what the file holds.
  if (const auto usable = Fault::Read(arguments, ""); !usable.ok()) return usage(usable.status());
  const std::shared_ptr<const Document> document = OpenDocument(arguments, arguments.operands()[0]);
  if (document == nullptr) return StatusOfReading();
  // First this, so that a signal leaves no file behind.
  const NoticeSignal notice;
  const TemporaryFile file;
  if (file.path().empty()) return Fail("cannot make a temporary file");
  absl::StatusOr<Fault> fault = Fault::Read(arguments, file.path());
  if (!fault.ok()) return usage(fault.status());

  // The fault has to be there in the form in which candidates are written.
  const std::optional<std::string> first = CheckedModuleText(document->module(), *document, /*explain=*/true);
  if (!first) return Fail("the module cannot be printed and read again");
  const absl::StatusOr<std::optional<std::string>> why_not = fault->WhyNot(*first);
  if (!why_not.ok()) return ReportStatus(why_not.status());
  if (why_not->has_value()) return Fail(**why_not);
  ReductionOptions options;
  options.max_candidates = static_cast<int>(*max_candidates);
  std::string smallest = *first;
  options.is_cancelled = [] { return NoticeSignal::noticed().load(); };
  options.shows_fault = [&](const Module& candidate) {
    std::optional<std::string> text = CheckedModuleText(candidate, *document, /*explain=*/false);
    if (!text) return false;
    const absl::StatusOr<bool> shows = fault->Shows(*text);
    if (!shows.ok() || !*shows) return false;
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
      "FILE [-- PROGRAM [ARGUMENT...]]",
      "the smallest module for which a program still fails",
      "Takes out of the module what can go while PROGRAM still ends with the same exit status (128 + N if signal N "
      "ended\n"
      "it), and prints what is left. `{}` in the arguments is the name of a file with the candidate; without it the\n"
      "candidate is PROGRAM's standard input. Candidates have no errors, but other parameters than FILE has, and\n"
      "smaller arrays:\n"
      "hloscope reduce-test-case model.hlo -- my-compiler --crash {}",
      kReduceTestCaseOptions,
      1,
      -1,
      RunReduceTestCase};
  return kCommand;
}

}  // namespace hloscope::cli
