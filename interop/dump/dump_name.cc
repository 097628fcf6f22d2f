// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "interop/dump/dump_folder.h"

namespace hloscope::interop {
namespace {

bool AllDigits(absl::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return absl::ascii_isdigit(c); });
}

// Extensions, longest first where one ends in another.
constexpr absl::string_view kExtensions[] = {"hlo_unoptimized_snapshot.txt",
                                             "hlo_unoptimized_snapshot.pb",
                                             "hlo_snapshot.pb",
                                             "top_level.html",
                                             "hlo.pb.gz",
                                             "hlo.pb",
                                             "metadata.textproto",
                                             "textproto",
                                             "mlir-passes.log",
                                             "ttir.txt",
                                             "txt.gz",
                                             "hlo.gz",
                                             "schedule.txt",
                                             "schedule.pb",
                                             "fdo_profile",
                                             "riegeli",
                                             "pb.gz",
                                             "pbtxt",
                                             "txtpb",
                                             "html",
                                             "mlir",
                                             "json",
                                             "ptx",
                                             "dot",
                                             "url",
                                             "txt",
                                             "hlo",
                                             "log",
                                             "pyz",
                                             "pb",
                                             "ll",
                                             "o"};

// What follows the name of a stage, with what it is. Stages are those whose file is a module.
struct Suffix {
  absl::string_view text, kind;
};
constexpr Suffix kSuffixes[] = {{"-buffer-assignment-values", "buffer-assignment-values"},
                                {"-buffer-assignment", "buffer-assignment"},
                                {"-memory-usage-report", "memory-usage-report"},
                                {"-live-range", "live-range"}};

// Names of whole files that belong to a module and are no stage of it.
constexpr Suffix kOthers[] = {{"config", "config"},
                              {"debug_options", "debug-options"},
                              {"autotune_results", "autotune-results"},
                              {"gpu_target_config", "target-config"},
                              {"thunk_sequence", "thunks"},
                              {"thunk_sequence_after_thunk_passes", "thunks"},
                              {"thunk_metadata", "thunks"},
                              {"priority_fusion_dump", "fusion-decisions"},
                              {"ir-no-opt", "llvm-ir"},
                              {"ir-with-opt", "llvm-ir"}};

constexpr absl::string_view kNamedStages[] = {"before_optimizations",   "before_optimization",
                                              "after_optimizations",    "after_optimization",
                                              "after_spmd_partitioner", "before_config_assignment"};

bool IsAfterOptimizations(absl::string_view stage) {
  return absl::EndsWith(stage, "after_optimizations") || absl::EndsWith(stage, "after_optimization");
}

// Whether a module stops where `rest` begins: the name of a stage or of another file is there.
bool BeginsSuffix(absl::string_view rest) {
  const absl::string_view first = rest.substr(0, rest.find('.'));
  const absl::string_view stem = first.substr(0, first.find('-'));
  for (absl::string_view stage : kNamedStages) {
    if (stem == stage) return true;
  }
  for (const Suffix& other : kOthers) {
    if (first == other.text) return true;
  }
  if (first.size() == 4 && AllDigits(first) && rest.size() > 5) return true;
  // sm_9.0_gpu_after_optimizations: the name of the processor has a dot.
  if (absl::StartsWith(first, "sm_") && AllDigits(first.substr(3))) {
    const absl::string_view next = rest.substr(std::min(rest.size(), first.size() + 1));
    return IsAfterOptimizations(next.substr(0, next.find_first_of(".-")));
  }
  return IsAfterOptimizations(stem) || absl::StartsWith(first, "execution_") || absl::StartsWith(first, "autotuner_") ||
         first == "ptx" || absl::StartsWith(first, "obj-file");
}

absl::string_view KindByExtension(absl::string_view extension) {
  if (absl::StrContains(extension, "snapshot")) return "snapshot";
  if (extension == "ll") return "llvm-ir";
  if (extension == "ptx") return "assembly";
  if (extension == "o") return "object";
  if (extension == "mlir" || extension == "ttir.txt") return "mlir";
  if (extension == "dot" || extension == "html" || extension == "url" || extension == "top_level.html") return "graph";
  if (extension == "hlo" || extension == "txt" || extension == "hlo.gz" || extension == "txt.gz" ||
      absl::StartsWith(extension, "hlo.pb")) {
    return "hlo";
  }
  return "other";
}

// Takes the extension off; `debug_options` has none.
std::string TakeExtension(absl::string_view* text) {
  for (absl::string_view extension : kExtensions) {
    if (absl::EndsWith(*text, extension) && text->size() > extension.size() &&
        (*text)[text->size() - extension.size() - 1] == '.') {
      text->remove_suffix(extension.size() + 1);
      return std::string(extension);
    }
    if (*text == extension) {
      *text = "";
      return std::string(extension);
    }
  }
  return "";
}

void ReadSuffix(absl::string_view rest, DumpName* name) {
  name->extension = TakeExtension(&rest);
  name->stage = std::string(rest);
  name->kind = std::string(KindByExtension(name->extension));
  for (const Suffix& other : kOthers) {
    if (rest == other.text || absl::EndsWith(rest, absl::StrCat(".", other.text))) {
      name->stage.clear();
      name->kind = std::string(other.kind);
      return;
    }
  }
  for (const Suffix& suffix : kSuffixes) {
    if (absl::ConsumeSuffix(&rest, suffix.text)) {
      name->stage = std::string(rest);
      name->kind = std::string(suffix.kind);
      break;
    }
  }
  const absl::string_view first = rest.substr(0, rest.find('.'));
  if (first.size() == 4 && AllDigits(first) && !absl::SimpleAtoi(first, &name->order)) name->order = -1;
  const bool is_named = std::find(std::begin(kNamedStages), std::end(kNamedStages), rest) != std::end(kNamedStages);
  const bool is_stage = name->order >= 0 || is_named || IsAfterOptimizations(rest);
  if (!is_stage) name->stage.clear();
}

}  // namespace

std::optional<DumpName> ParseDumpName(absl::string_view file) {
  DumpName name;
  // [PREFIX.]module_ID4[.MODULE].SUFFIX; a module may hold dots, so its end is where a suffix begins.
  size_t at = 0;
  while (true) {
    at = file.find("module_", at);
    if (at == file.npos) return std::nullopt;
    if (at == 0 || file[at - 1] == '.') break;
    ++at;
  }
  if (at > 0) name.timestamp = std::string(file.substr(0, at - 1));
  absl::string_view rest = file.substr(at + 7);
  const absl::string_view id = rest.substr(0, rest.find('.'));
  if (id.size() >= 4 && AllDigits(id) && absl::SimpleAtoi(id, &name.id)) {
    rest.remove_prefix(std::min(rest.size(), id.size() + 1));
  } else if (id.empty() || !absl::StrContains(rest, ".execution_")) {
    return std::nullopt;
  }
  if (rest == "metadata.textproto") {
    name.kind = "pass-metadata";
    name.extension = "textproto";
    return name;
  }
  size_t end = 0;
  while (!BeginsSuffix(rest.substr(end))) {
    const size_t dot = rest.find('.', end);
    if (dot == rest.npos) {
      // No suffix that is known: the last part is taken for one.
      end = rest.rfind('.');
      end = end == rest.npos ? 0 : end + 1;
      break;
    }
    end = dot + 1;
  }
  if (end > 0) name.module = std::string(rest.substr(0, end - 1));
  ReadSuffix(rest.substr(end), &name);
  return name;
}

}  // namespace hloscope::interop
