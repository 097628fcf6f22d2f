// SPDX-License-Identifier: Apache-2.0
// `hloscope compile`: writes a module as a C++ program, builds it and runs it.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "cli/arguments.h"
#include "cli/cancel_on_signal.h"
#include "cli/command.h"
#include "cli/commands/object_cache.h"
#include "cli/commands/shipped_objects.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/prepared_run.h"
#include "cli/run_options.h"
#include "codegen/program.h"
#include "core/source/output_file.h"
#include "evaluator/engine/elided_constants.h"
#include "evaluator/tensor/npy.h"
#include "reports/subprocess.h"

namespace hloscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr OptionSpec kCompileOptions[] = {
    {"o", OptionKind::kValue, "DIR", "where the program goes; made if it does not exist"},
    {"library", OptionKind::kSwitch, "", "build the shared library libprogram.so too (hlo_main.h is its interface)"},
    {"build", OptionKind::kSwitch, "", "--build=off: write the sources only"},
    {"cxx", OptionKind::kValue, "COMPILER", "the C++20 compiler ($CXX, else c++, g++ or clang++)"},
    {"cache", OptionKind::kSwitch, "", "--cache=off: compile everything, and keep nothing for the next program"},
    {"jobs", OptionKind::kValue, "N", "compilers that run at the same time (one per core)"},
    {"run", OptionKind::kSwitch, "", "run the program on --arg, --args-dir or --fill"},
    {"arg", OptionKind::kValue, "N=PATH.npy", "value of parameter N, or N.I.J of a leaf of a tuple; repeatable"},
    {"args-dir", OptionKind::kValue, "DIR", "take arg0.npy, arg1.npy, ... from DIR or DIR.npz"},
    {"fill", OptionKind::kValue, "zeros|ones|iota|random",
     "make up the parameters that are not given, and constants whose text was left out"},
    {"seed", OptionKind::kValue, "S", "of --fill=random (0)"},
    {"out", OptionKind::kValue, "DIR", "where --run writes result0.npy, result1.npy, ... (the folder of -o)"},
    {"threads", OptionKind::kValue, "N", "threads of --run (one per core)"},
    {"repeat", OptionKind::kValue, "N", "run N times and print the shortest time in seconds"},
    {"time-limit", OptionKind::kValue, "SECONDS", "of building, and of running (3600)"},
};

int Fail(const std::string& message) {
  WriteError(absl::StrCat("hloscope: ", OneLine(message), "\n"));
  return kExitBadInput;
}

// Why another program did not end by itself.
int ReportProgram(const absl::Status& status) {
  return absl::IsDeadlineExceeded(status) ? (Fail(std::string(status.message())), kExitLimit) : ReportStatus(status);
}

// Whether a Makefile is one that this command wrote.
bool IsOwnMakefile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string line;
  return std::getline(in, line) && absl::StartsWith(line, "# Builds `program` and, with `make library`,");
}

// A program on the search path, as its path; empty if there is none.
std::string FindProgram(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const char* const path = std::getenv("PATH");
  for (absl::string_view folder : absl::StrSplit(path == nullptr ? "" : path, ':')) {
    std::string candidate = absl::StrCat(folder, "/", name);
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

std::string FindCompiler(const Arguments& arguments) {
  if (const auto wish = arguments.Value("cxx")) return FindProgram(*wish);
  if (const char* const wish = std::getenv("CXX"); wish != nullptr && *wish != '\0') return FindProgram(wish);
  for (const char* name : {"c++", "g++", "clang++"}) {
    if (std::string found = FindProgram(name); !found.empty()) return found;
  }
  return "";
}

bool HasContent(const std::string& path, absl::string_view content) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return false;
  const std::string old((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  return old == content;
}

// A folder that is removed in the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code ignored;
    path_ = (fs::temp_directory_path(ignored) / "hloscope-XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// A line on a terminal that counts what the compiler has made.
class BuildProgress {
 public:
  // `known`: objects that need not be made.
  BuildProgress(const codegen::Program& program, const std::string& folder, int known) : known_(known) {
    for (const codegen::ProgramFile& file : program.files) {
      if (!file.object.empty()) objects_.push_back(fs::path(folder) / file.object);
    }
  }
  // Called some times each second.
  void Show() {
    if (!IsTerminal(STDERR_FILENO)) return;
    const auto done = std::count_if(objects_.begin(), objects_.end(), [](const fs::path& object) {
      std::error_code error;
      return fs::exists(object, error);
    });
    if (std::exchange(shown_, done) == done) return;
    WriteError(absl::StrCat("\r\x1b[Kcompiling: ", done, " of ", objects_.size(), " files",
                            known_ > 0 ? absl::StrCat(", ", known_, " of them were compiled before") : ""));
  }
  void Clear() const {
    if (shown_ >= 0) WriteError("\r\x1b[K");
  }

 private:
  const int known_;
  std::vector<fs::path> objects_;
  std::ptrdiff_t shown_ = -1;
};

class CompileCommandImplementation {
 public:
  CompileCommandImplementation(const Arguments& arguments, evaluator::RunOptions options, RenderOptions render,
                               double seconds)
      : arguments_(arguments),
        options_(std::move(options)),
        render_(render),
        seconds_(seconds),
        folder_(*arguments.Value("o")) {}

  int Run() {
    if (const int status = ReadModules(); status != kExitGood) return status;
    if (const int status = WriteProgram(); status != kExitGood) return status;
    if (!arguments_.Switch("build", true)) return kExitGood;
    // Up to here a signal ends the process at once; from here on others have to be ended first.
    notice_.emplace();
    if (const int status = Build(); status != kExitGood) return status;
    return arguments_.Switch("run") ? RunBuilt() : kExitGood;
  }

 private:
  void ReportAt(const Document& document, InstructionId id, DiagnosticKind kind, std::string message) const {
    const Diagnostic diagnostic{kind, InfoOf(kind).severity, document.InstructionRange(id), {std::move(message)}, {},
                                {}};
    WriteError(RenderAtOrigin(document, diagnostic, render_));
  }

  int ReadModules() {
    for (const std::string& path : arguments_.operands()) {
      std::shared_ptr<const Document> document = OpenDocument(arguments_, path);
      if (document == nullptr) return StatusOfReading();
      if (!document->module().entry().has_value())
        return Fail(absl::StrCat(path, ": the module has no entry computation"));
      std::shared_ptr<const Module> module = document->shared_module();
      if (options_.fill) {
        absl::StatusOr<evaluator::FilledModule> filled =
            evaluator::FillElidedConstants(module, *options_.fill, options_.session.random_seed);
        if (!filled.ok()) return ReportStatus(filled.status());
        for (InstructionId id : filled->filled) {
          ReportAt(*document, id, DiagnosticKind::kElidedConstantFilled, std::string(module->InstructionName(id)));
        }
        module = filled->module;
      }
      modules_.push_back(std::move(module));
      documents_.push_back(std::move(document));
    }
    return kExitGood;
  }

  // Modules are called like their files; like the whole paths if that would not tell them apart.
  std::vector<std::string> ModuleNames() const {
    std::vector<std::string> names;
    for (const std::string& path : arguments_.operands()) names.push_back(fs::path(path).stem().string());
    std::vector<std::string> sorted = names;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return names;
    return std::vector<std::string>(arguments_.operands().begin(), arguments_.operands().end());
  }

  int WriteProgram() {
    const std::vector<std::string> names = ModuleNames();
    std::vector<codegen::ProgramModule> modules;
    for (size_t k = 0; k < modules_.size(); ++k) modules.push_back({modules_[k].get(), names[k]});
    program_ = codegen::GenerateProgram(modules);
    const codegen::Program& program = program_;
    if (!program.complete()) {
      size_t count = 0;
      for (size_t k = 0; k < modules_.size(); ++k) {
        for (const codegen::NotCompiled& diagnostic : program.not_compiled[k]) {
          if (++count > kMaxPrintedDiagnostics) break;
          const InstructionId id = diagnostic.instruction;
          ReportAt(*documents_[k], id, DiagnosticKind::kEvaluationFailed,
                   absl::StrCat("`", modules_[k]->InstructionName(id), "` (", OpcodeName(modules_[k]->opcode(id)),
                                ") cannot be compiled: ", diagnostic.reason));
        }
      }
      return kExitBadInput;
    }
    if (const std::string own = (fs::path(folder_) / "Makefile").string(); fs::exists(own) && !IsOwnMakefile(own)) {
      return Fail(absl::StrCat(own,
                               " is not from `hloscope compile`: it is left as it is, and nothing is written; "
                               "choose another folder with -o"));
    }
    OutputFilesTogether files;
    for (const codegen::ProgramFile& file : program.files) {
      const fs::path path = fs::path(folder_) / file.path;
      if (const absl::Status status = MakeFolders(path.parent_path().string()); !status.ok()) {
        return Fail(std::string(status.message()));
      }
      // What is unchanged is not compiled again.
      if (HasContent(path.string(), file.content)) continue;
      if (const absl::Status status = WriteFileAtomically(path.string(), file.content); !status.ok()) {
        return Fail(std::string(status.message()));
      }
    }
    if (!arguments_.Switch("build", true)) IgnoreSignals();  // nothing is left to do that could be interrupted
    if (const absl::Status status = files.Finish(); !status.ok()) return Fail(std::string(status.message()));
    return kExitGood;
  }

  int Build() const {
    const std::string make = FindProgram("make"), compiler = FindCompiler(arguments_);
    if (compiler.empty()) {
      return Fail(absl::StrCat("there is no C++ compiler: the sources are in ", folder_,
                               "; install g++ (Debian: apt install g++ make), or name a compiler with --cxx"));
    }
    if (make.empty()) {
      return Fail(absl::StrCat("there is no `make`: the sources are in ", folder_,
                               "; install it (Debian: apt install make), or run the commands of the Makefile"));
    }
    const absl::StatusOr<int64_t> jobs =
        arguments_.Int("jobs", std::max(1u, std::thread::hardware_concurrency()), 1, 1024);
    std::vector<std::string> command = {
        make, "-s", "-C", folder_, absl::StrCat("-j", *jobs), absl::StrCat("CXX=", compiler), "program"};
    if (arguments_.Switch("library")) command.push_back("library");
    std::optional<ObjectCache> cache;
    int known = 0;
    if (arguments_.Switch("cache", true)) {
      known = PlaceShippedObjects(program_, compiler, folder_);
      known += cache.emplace(program_, compiler, folder_).Restore();
    }
    BuildProgress progress(program_, folder_, known);
    const absl::StatusOr<reports::ProgramResult> built = reports::RunProgram(
        command, "", seconds_, /*silent=*/false, {&NoticeSignal::noticed(), [&] { progress.Show(); }});
    progress.Clear();
    if (!built.ok()) return ReportProgram(built.status());
    if (built->exit_status == 0 && cache.has_value()) cache->Keep();
    if (built->exit_status == 0) return kExitGood;
    return Fail(absl::StrCat("the compiler ", compiler, " could not build the program in ", folder_,
                             "; it needs C++20 (g++ 10, clang 12 or later)"));
  }

  // The program gets its arguments as files: the same ones for every way in which they can be given here.
  int RunBuilt() {
    if (modules_.size() != 1) return Fail("--run runs one module; the program itself runs any of several (--module)");
    const evaluator::DeviceGrid grid;
    evaluator::ArgumentLoader loader(*modules_[0], options_, grid);
    absl::StatusOr<std::vector<evaluator::Value>> values = loader.Arguments(0);
    if (!values.ok()) return ReportStatus(values.status());
    const TemporaryFolder inputs;
    if (inputs.path().empty()) return Fail("cannot make a temporary folder for the arguments");
    for (size_t k = 0; k < values->size(); ++k) {
      const absl::Status status = WriteLeaves((*values)[k], absl::StrCat(inputs.path(), "/arg", k));
      if (!status.ok()) return ReportStatus(status);
    }
    std::error_code ignored;
    const std::string program = fs::absolute(fs::path(folder_) / "program", ignored).string();
    std::vector<std::string> command = {program, "--args-dir", inputs.path(), "--out",
                                        arguments_.Value("out").value_or(folder_)};
    for (const char* option : {"threads", "repeat"}) {
      if (const auto value = arguments_.Value(option)) {
        command.push_back(absl::StrCat("--", option));
        command.push_back(*value);
      }
    }
    const absl::StatusOr<reports::ProgramResult> run =
        reports::RunProgram(command, "", seconds_, /*silent=*/false, {&NoticeSignal::noticed(), nullptr});
    if (!run.ok()) return ReportProgram(run.status());
    WriteOutput(run->output);
    return run->exit_status == 0 ? kExitGood : kExitBadInput;
  }

  static absl::Status WriteLeaves(const evaluator::Value& value, const std::string& stem) {
    if (value.IsTensor()) {
      return evaluator::WriteNpy(absl::StrCat(stem, ".npy"), value.tensor(), &NoticeSignal::noticed());
    }
    for (size_t k = 0; k < value.elements().size(); ++k) {
      if (absl::Status status = WriteLeaves(value.elements()[k], absl::StrCat(stem, ".", k)); !status.ok())
        return status;
    }
    return absl::OkStatus();
  }

  const Arguments& arguments_;
  const evaluator::RunOptions options_;
  const RenderOptions render_;
  const double seconds_;
  const std::string folder_;
  std::vector<std::shared_ptr<const Document>> documents_;
  std::vector<std::shared_ptr<const Module>> modules_;
  codegen::Program program_;
  std::optional<NoticeSignal> notice_;
};

int RunCompile(const Arguments& arguments) {
  const auto usage = [&](absl::string_view message) { return UsageError(arguments.command(), message); };
  if (!arguments.Has("o")) return usage("-o DIR is missing: where should the program go?");
  absl::StatusOr<evaluator::RunOptions> options = ReadRunOptions(arguments);
  if (!options.ok()) return usage(options.status().message());
  const absl::StatusOr<RenderOptions> render = ErrorRenderOptions(arguments);
  if (!render.ok()) return usage(render.status().message());
  const absl::StatusOr<int64_t> jobs = arguments.Int("jobs", 1, 1, 1024);
  if (!jobs.ok()) return usage(jobs.status().message());
  const absl::StatusOr<int64_t> repeat = arguments.Int("repeat", 1, 1, 1000000);
  if (!repeat.ok()) return usage(repeat.status().message());
  const absl::StatusOr<double> seconds = arguments.NonNegative("time-limit", 3600);
  if (!seconds.ok()) return usage(seconds.status().message());
  if (arguments.Switch("run") && !arguments.Switch("build", true)) return usage("--run needs a program that was built");
  if (arguments.Has("out") && !arguments.Switch("run")) return usage("--out goes with --run");
  return CompileCommandImplementation(arguments, *std::move(options), *render, *seconds).Run();
}

}  // namespace

const Command& CompileCommand() {
  static const std::string& description = *new std::string(absl::StrCat(
      "Writes a program that needs nothing but a C++20 compiler, make and the standard library: a function for each\n"
      "computation, elementwise instructions fused into loops, matrix products and convolutions by the evaluator's\n"
      "loops, and a Makefile; then builds it. DIR/program takes --args-dir, --arg and --out like `hloscope run` and\n"
      "computes what the evaluator computes. Several FILEs become one program: --module says which one it runs.\n"
      "The runtime comes compiled, for the compiler that HLOscope was built with; for others, compiled parts of it\n"
      "are kept in $XDG_CACHE_HOME/hloscope (~/.cache) for the next program. A Makefile in DIR that this command did\n"
      "not write is left alone.\n\n",
      codegen::NotCompiledHelp()));
  static const Command kCommand = {"compile",   "FILE...",       "write a module as a C++ program and build it",
                                   description, kCompileOptions, 1,
                                   -1,          RunCompile};
  return kCommand;
}

}  // namespace hloscope::cli
