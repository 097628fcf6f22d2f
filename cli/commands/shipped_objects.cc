// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/shipped_objects.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cli/cancel_on_signal.h"
#include "cli/commands/object_files.h"
#include "core/resources/own_program.h"
#include "core/source/output_file.h"
#include "numerics/parallel/cpu_level.h"
#include "reports/subprocess.h"

namespace hloscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kQuestionSeconds = 10;

// Of the best architecture that this processor has and that the product brings objects for; empty if there is none.
std::string FolderForThisProcessor() {
  const std::string own = OwnProgram();
  if (own.empty()) return "";
  const fs::path folder = fs::path(own).parent_path().parent_path() / "lib/hloscope/runtime";
  for (const auto& [level, architecture] :
       {std::pair(numerics::CpuLevel::kAvx512, "x86-64-v4"), std::pair(numerics::CpuLevel::kAvx2, "x86-64-v3")}) {
    std::error_code error;
    if (numerics::HasCpuLevel(level) && fs::exists(folder / architecture / "fingerprint", error)) {
      return (folder / architecture).string();
    }
  }
  return "";
}

// What a compiler says of the machine it compiles for and of its version, as codegen/runtime_objects asks it.
std::string DescriptionOf(const std::string& compiler) {
  std::string description;
  for (const char* question : {"-dumpmachine", "-dumpversion"}) {
    const absl::StatusOr<reports::ProgramResult> answer =
        reports::RunProgram({compiler, question}, "", kQuestionSeconds, /*silent=*/true, {&NoticeSignal::noticed()});
    if (!answer.ok() || answer->exit_status != 0) return "";
    absl::StrAppend(&description, answer->output);
  }
  return description;
}

}  // namespace

int PlaceShippedObjects(const codegen::Program& program, const std::string& compiler, const std::string& folder) {
  for (const char* name : kCompilerVariables) {
    if (std::getenv(name) != nullptr) return 0;
  }
  const std::string shipped = FolderForThisProcessor();
  if (shipped.empty() || ContentOf(absl::StrCat(shipped, "/fingerprint")) != codegen::RuntimeFingerprint() ||
      ContentOf(absl::StrCat(shipped, "/compiler")) != DescriptionOf(compiler)) {
    return 0;
  }
  int count = 0;
  for (const codegen::ProgramFile& file : program.files) {
    if (!file.is_runtime() || file.object.empty()) continue;
    const std::string made = absl::StrCat(folder, "/", file.object);
    if (TimeOf(made) >= TimeOfSources(program, folder, file)) continue;
    const std::string object = ContentOf(absl::StrCat(shipped, "/", fs::path(file.object).filename().string()));
    std::error_code error;
    fs::create_directories(fs::path(made).parent_path(), error);
    if (!object.empty() && WriteFileAtomically(made, object).ok()) ++count;
  }
  return count;
}

}  // namespace hloscope::cli
