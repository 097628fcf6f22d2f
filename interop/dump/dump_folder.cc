// SPDX-License-Identifier: Apache-2.0
#include "interop/dump/dump_folder.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace hloscope::interop {
namespace {

namespace fs = std::filesystem;

// Folders nest as DIR/MODULE/HOST_PID; links that lead back are not followed.
constexpr int kMaxDepth = 8;

using ModuleKey = std::tuple<std::string, std::string, int64_t, std::string>;  // folder, timestamp, id, name

// Stages before optimisation, those between passes in order, partitioning, and after optimisation.
std::pair<int, int64_t> PlaceOf(absl::string_view stage, int64_t number) {
  if (absl::StartsWith(stage, "before_optimization")) return {0, 0};
  if (number >= 0) return {1, number};
  if (absl::EndsWith(stage, "after_optimizations") || absl::EndsWith(stage, "after_optimization")) return {3, 0};
  return {2, 0};
}

// A proto never leaves out constants, a text may.
int RankOf(const DumpFile& file) {
  if (file.kind != "hlo") return 3;
  return absl::StrContains(file.path, ".hlo.pb") ? 0 : 1;
}

struct Collected {
  std::map<std::pair<std::pair<int, int64_t>, std::string>, DumpStage> stages;
  std::vector<DumpFile> others;
  uint64_t bytes = 0;
};

class Lister {
 public:
  explicit Lister(fs::path root) : root_(std::move(root)) {}

  absl::StatusOr<DumpFolder> List() {
    std::error_code error;
    const fs::file_status status = fs::status(root_, error);
    if (status.type() == fs::file_type::not_found) {
      return absl::NotFoundError(absl::StrCat(root_.string(), ": there is no such directory"));
    }
    if (!fs::is_directory(status)) {
      return absl::InvalidArgumentError(absl::StrCat(root_.string(), " is not a directory"));
    }
    if (!Enter(root_, "", 0)) {
      return absl::PermissionDeniedError(absl::StrCat(root_.string(), ": the directory cannot be read"));
    }
    for (auto& [key, collected] : modules_) AddModule(key, collected);
    std::sort(folder_.ignored.begin(), folder_.ignored.end());
    return std::move(folder_);
  }

 private:
  bool Enter(const fs::path& path, const std::string& below, int depth) {
    std::error_code error;
    fs::directory_iterator entries(path, error);
    if (error) return false;
    for (; entries != fs::directory_iterator(); entries.increment(error)) {
      if (error) return false;
      const std::string name = entries->path().filename().string();
      const std::string relative = below.empty() ? name : absl::StrCat(below, "/", name);
      std::error_code ignored;
      if (entries->is_directory(ignored)) {
        if (depth < kMaxDepth && !entries->is_symlink(ignored) && !Enter(entries->path(), relative, depth + 1)) {
          folder_.unreadable.push_back(relative);
        }
        continue;
      }
      // What would wait for somebody or never end when it is read.
      if (entries->exists(ignored) && !entries->is_regular_file(ignored)) {
        folder_.ignored.push_back(relative);
        continue;
      }
      const uint64_t size = entries->is_regular_file(ignored) ? entries->file_size(ignored) : 0;
      Add(below, name, {relative, "", ignored ? 0 : size});
    }
    return true;
  }

  void Add(const std::string& below, const std::string& name, DumpFile file) {
    std::optional<DumpName> parsed = ParseDumpName(name);
    if (!parsed) {
      folder_.ignored.push_back(file.path);
      return;
    }
    file.kind = parsed->kind;
    Collected& module = modules_[{below, parsed->timestamp, parsed->id, parsed->module}];
    module.bytes += file.bytes;
    if (parsed->stage.empty()) {
      module.others.push_back(std::move(file));
      return;
    }
    DumpStage& stage = module.stages[{PlaceOf(parsed->stage, parsed->order), parsed->stage}];
    stage.name = std::move(parsed->stage);
    stage.files.push_back(std::move(file));
  }

  void AddModule(const ModuleKey& key, Collected& collected) {
    DumpModule module;
    std::tie(module.folder, module.timestamp, module.id, module.name) = key;
    module.bytes = collected.bytes;
    module.others = std::move(collected.others);
    const auto by_path = [](const DumpFile& a, const DumpFile& b) { return a.path < b.path; };
    std::sort(module.others.begin(), module.others.end(), by_path);
    for (auto& [place, stage] : collected.stages) {
      stage.order = static_cast<int64_t>(module.stages.size());
      std::sort(stage.files.begin(), stage.files.end(), [](const DumpFile& a, const DumpFile& b) {
        return std::make_pair(RankOf(a), a.path) < std::make_pair(RankOf(b), b.path);
      });
      module.stages.push_back(std::move(stage));
    }
    folder_.modules.push_back(std::move(module));
  }

  const fs::path root_;
  std::map<ModuleKey, Collected> modules_;
  DumpFolder folder_;
};

}  // namespace

absl::StatusOr<DumpFolder> ListDumpFolder(const std::string& path) { return Lister(path).List(); }

}  // namespace hloscope::interop
