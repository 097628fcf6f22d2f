// SPDX-License-Identifier: Apache-2.0
#include "insight/passes/stages.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "interop/files/open_file.h"
#include "interop/files/parse_message.h"
#include "interop/proto/hlo.pb.h"

namespace hloscope::insight {
namespace {

absl::string_view LastComponent(absl::string_view path) { return path.substr(path.rfind('/') + 1); }

// Gives the stages the times of the passes that wrote them: by the names of the files, else by the names of the passes
// in order.
void AddTimes(const interop::proto::HloModuleMetadataProto& metadata, std::vector<Stage>* stages) {
  absl::flat_hash_map<std::string, int> pass_of_file;
  for (int i = 0; i < metadata.pass_metadata_size(); ++i) {
    for (const std::string& file : metadata.pass_metadata(i).dump_filenames()) {
      pass_of_file.emplace(std::string(LastComponent(file)), i);
    }
  }
  int next = 0;
  for (Stage& stage : *stages) {
    int found = -1;
    if (const auto it = pass_of_file.find(LastComponent(stage.file)); it != pass_of_file.end()) {
      found = it->second;
    } else if (!stage.pipeline.empty()) {
      for (int i = next; i < metadata.pass_metadata_size() && found < 0; ++i) {
        if (metadata.pass_metadata(i).pass_name() == stage.pass) found = i;
      }
    }
    if (found < 0) continue;
    next = std::max(next, found + 1);
    const int64_t begin = metadata.pass_metadata(found).start_timestamp_usec();
    const int64_t end = metadata.pass_metadata(found).end_timestamp_usec();
    if (begin > 0 && end >= begin) stage.seconds = static_cast<double>(end - begin) * 1e-6;
  }
}

void ReadTimes(const std::string& folder, const interop::DumpFile& file, size_t max_expanded_bytes,
               std::vector<Stage>* stages, std::vector<std::string>* notes) {
  const absl::StatusOr<std::string> bytes =
      interop::ReadFileBytes(absl::StrCat(folder, "/", file.path), max_expanded_bytes);
  absl::Status status = bytes.status();
  interop::proto::HloModuleMetadataProto metadata;
  std::vector<std::string> unknown;
  if (status.ok()) status = interop::ParseText(*bytes, &metadata, &unknown);
  if (status.ok()) {
    AddTimes(metadata, stages);
  } else {
    notes->push_back(absl::StrCat(file.path, ": ", status.message()));
  }
}

}  // namespace

StagePass PassOfStage(absl::string_view name) {
  const size_t dot = name.find('.');
  const bool is_numbered = dot != absl::string_view::npos && dot > 0 &&
                           std::all_of(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(dot),
                                       [](char c) { return c >= '0' && c <= '9'; });
  if (!is_numbered) return {std::string(name), ""};
  const absl::string_view rest = name.substr(dot + 1);
  const size_t after = rest.find(".after_"), before = rest.rfind(".before_");
  if (after != absl::string_view::npos && before != absl::string_view::npos && after < before) {
    const absl::string_view pass = rest.substr(after + 7, before - after - 7);
    return {std::string(pass), std::string(rest.substr(0, after))};
  }
  // A step inside of a pass.
  const absl::string_view pass = rest.substr(0, rest.find('.'));
  return {std::string(pass), std::string(pass)};
}

std::vector<Stage> StagesOf(const std::string& folder, const interop::DumpFolder& listed,
                            const interop::DumpModule& module, std::vector<std::string>* notes,
                            size_t max_expanded_bytes) {
  std::vector<Stage> stages;
  for (const interop::DumpStage& one : module.stages) {
    const auto form = std::find_if(one.files.begin(), one.files.end(),
                                   [](const interop::DumpFile& file) { return file.kind == "hlo"; });
    if (form == one.files.end()) continue;
    StagePass pass = PassOfStage(one.name);
    stages.push_back({one.order, one.name, std::move(pass.pass), std::move(pass.pipeline), form->path,
                      absl::StrCat(folder, "/", form->path), std::nullopt});
  }
  // The index of passes has the module's number in its name and not always the module's name.
  for (const interop::DumpModule& other : listed.modules) {
    if (other.id != module.id || other.folder != module.folder) continue;
    if (&other != &module && !other.name.empty()) continue;
    for (const interop::DumpFile& file : other.others) {
      if (file.kind == "pass-metadata") ReadTimes(folder, file, max_expanded_bytes, &stages, notes);
    }
  }
  return stages;
}

}  // namespace hloscope::insight
