// SPDX-License-Identifier: Apache-2.0
#include "interop/modules/open_modules.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/diagnostics/render.h"
#include "stablehlo/import.h"

namespace hloscope::interop {
namespace {

// At least this many modules are named where one has to be chosen.
constexpr size_t kNamedModules = 20;

bool IsWanted(const std::string& wanted, const OpenedModule& module, size_t index) {
  size_t number = 0;
  return absl::SimpleAtoi(wanted, &number) ? number == index + 1 : module.name == wanted;
}

}  // namespace

HloSource HloSourceOf(std::shared_ptr<const SourceText> text, const stablehlo::ImportOptions& options) {
  if (text->maker() != nullptr || !stablehlo::IsProgram(text->text())) return {std::move(text), {}, false};
  stablehlo::ImportedProgram program = stablehlo::ImportProgram(std::move(text), options);
  return {std::move(program.hlo), std::move(program.diagnostics), program.has_errors};
}

std::string ModuleList(absl::Span<const OpenedModule> modules) {
  std::string list;
  for (size_t i = 0; i < modules.size() && i < kNamedModules; ++i) {
    absl::StrAppend(&list, i > 0 ? ", " : "", i + 1, " ", OneLine(modules[i].name));
  }
  if (modules.size() > kNamedModules) absl::StrAppend(&list, ", ...");
  return list;
}

namespace {

absl::StatusOr<OpenedModules> Choose(const std::string& path, absl::StatusOr<OpenedFile> opened,
                                     const std::optional<std::string>& wanted,
                                     const stablehlo::ImportOptions& program = {}) {
  if (!opened.ok()) return opened.status();
  OpenedModules result;
  for (size_t i = 0; i < opened->modules.size(); ++i) {
    const OpenedModule& module = opened->modules[i];
    if (wanted && !IsWanted(*wanted, module, i)) continue;
    result.modules.push_back(HloSourceOf(module.text, program));
  }
  if (result.modules.empty()) {
    return absl::NotFoundError(
        absl::StrCat(path, ": no module '", OneLine(wanted.value_or("")), "'; there is ", ModuleList(opened->modules)));
  }
  result.file = std::make_shared<const OpenedFile>(*std::move(opened));
  return result;
}

}  // namespace

absl::StatusOr<OpenedModules> OpenModules(const std::string& path, const OpenFileOptions& options,
                                          const std::optional<std::string>& wanted,
                                          const stablehlo::ImportOptions& program) {
  return Choose(path, OpenFile(path, options), wanted, program);
}

absl::StatusOr<OpenedModules> OpenModulesOfBytes(const std::string& name, std::string bytes,
                                                 const OpenFileOptions& options,
                                                 const std::optional<std::string>& wanted) {
  return Choose(name, OpenBytes(name, std::move(bytes), options), wanted);
}

}  // namespace hloscope::interop
