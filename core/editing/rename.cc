// SPDX-License-Identifier: Apache-2.0
#include "core/editing/rename.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/print/unique_names.h"

namespace hloscope {

absl::Status CheckName(absl::string_view name) {
  if (name.empty()) return absl::InvalidArgumentError("a name needs at least one letter");
  const auto is_start = [](char c) { return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  if (!is_start(name[0])) {
    return absl::InvalidArgumentError(absl::StrCat("`", name, "` does not begin with a letter or `_`"));
  }
  for (char c : name) {
    if (is_start(c) || absl::ascii_isdigit(static_cast<unsigned char>(c)) || c == '.' || c == '-') continue;
    return absl::InvalidArgumentError(
        absl::StrCat("`", name, "`: names are made of letters, digits, `_`, `.` and `-`"));
  }
  if (ElementTypeFromName(name).has_value()) {
    return absl::InvalidArgumentError(absl::StrCat("`", name, "` is an element type, so nothing can be called that"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<TextEdit>> Rename(const Document& document, const Occurrences& occurrences,
                                             absl::string_view new_name) {
  const Module& module = document.module();
  absl::ConsumePrefix(&new_name, "%");
  if (const absl::Status status = CheckName(new_name); !status.ok()) return status;
  if (occurrences.instruction.has_value()) {
    const ComputationId computation = module.instruction(occurrences.instruction).computation;
    const InstructionId other = module.FindInstruction(computation, new_name);
    if (other.has_value() && other != occurrences.instruction) {
      return absl::AlreadyExistsError(
          absl::StrCat("`", module.ComputationName(computation), "` has an instruction `", new_name, "` already"));
    }
  } else if (occurrences.computation.has_value()) {
    const ComputationId other = module.FindComputation(new_name);
    if (other.has_value() && other != occurrences.computation) {
      return absl::AlreadyExistsError(absl::StrCat("there is a computation `", new_name, "` already"));
    }
  } else {
    return absl::InvalidArgumentError("nothing that can be renamed is here");
  }
  const absl::string_view text = document.source().text();
  std::vector<TextEdit> edits;
  for (SourceRange place : occurrences.places) {
    const bool has_percent = place.begin > 0 && text[place.begin - 1] == '%';
    edits.push_back({place, absl::StrCat(NeedsPercent(new_name) && !has_percent ? "%" : "", new_name)});
  }
  const auto renamed = document.WithEdit(edits);
  if (renamed->error_count() > document.error_count() ||
      renamed->module().instruction_count() != module.instruction_count()) {
    return absl::InternalError(absl::StrCat("with the name `", new_name, "` the module could not be read any more"));
  }
  return edits;
}

}  // namespace hloscope
