// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/object_cache.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "cli/cancel_on_signal.h"
#include "cli/commands/object_files.h"
#include "codegen/fingerprint.h"
#include "core/source/output_file.h"
#include "reports/subprocess.h"

namespace hloscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMaxBytes = uint64_t{256} << 20;
constexpr double kVersionSeconds = 10;

// The model and the instruction sets of the first processor.
std::string ProcessorText() {
  std::string text;
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line) && !line.empty();) {
    for (const char* wanted : {"model", "flags", "Features", "CPU", "vendor_id"}) {
      if (absl::StartsWith(line, wanted)) absl::StrAppend(&text, line, "\n");
    }
  }
  return text;
}

std::string CacheFolder() {
  const char* const wished = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  if (wished != nullptr && wished[0] == '/') return absl::StrCat(wished, "/hloscope/objects");
  return home == nullptr || home[0] != '/' ? "" : absl::StrCat(home, "/.cache/hloscope/objects");
}

void RemoveOldest(const std::string& folder) {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  uint64_t bytes = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const uint64_t size = entry.file_size(error);
    if (error) continue;
    bytes += size;
    files.emplace_back(entry.last_write_time(error), entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& [time, path] : files) {
    if (bytes <= kMaxBytes) return;
    const uint64_t size = fs::file_size(path, error);
    if (!error && fs::remove(path, error)) bytes -= std::min(bytes, size);
  }
}

}  // namespace

ObjectCache::ObjectCache(const codegen::Program& program, const std::string& compiler, const std::string& folder) {
  std::string cache = CacheFolder();
  if (cache.empty()) return;
  const absl::StatusOr<reports::ProgramResult> version =
      reports::RunProgram({compiler, "--version"}, "", kVersionSeconds, /*silent=*/true, {&NoticeSignal::noticed()});
  if (!version.ok() || version->exit_status != 0) return;
  codegen::Fingerprint common;
  common.Add(compiler);
  common.Add(version->output);
  common.Add(ProcessorText());
  common.Add(program.build_rules);
  for (const char* name : kCompilerVariables) {
    const char* const value = std::getenv(name);
    common.Add(value == nullptr ? "" : value);
  }
  for (const codegen::ProgramFile& file : program.files) {
    if (!file.is_runtime() || !file.object.empty()) continue;
    common.Add(file.path);
    common.Add(file.content);
  }
  std::error_code error;
  fs::create_directories(cache, error);
  if (error || chmod(cache.c_str(), 0700) != 0) return;
  cache_ = std::move(cache);
  for (const codegen::ProgramFile& file : program.files) {
    if (!file.is_runtime() || file.object.empty()) continue;
    codegen::Fingerprint fingerprint = common;
    fingerprint.Add(file.path);
    fingerprint.Add(file.options);
    fingerprint.Add(file.content);
    const std::string made = absl::StrCat(folder, "/", file.object);
    // What is older than its source is not what would be made of it.
    const int64_t time = TimeOf(made);
    objects_.push_back({made, absl::StrCat(cache_, "/", fingerprint.Text(), ".o"),
                        time < TimeOfSources(program, folder, file) ? -1 : time});
  }
}

int ObjectCache::Restore() const {
  int count = 0;
  for (const Object& object : objects_) {
    if (object.time_before >= 0 || TimeOf(object.kept) < 0) continue;
    std::error_code error;
    fs::create_directories(fs::path(object.made).parent_path(), error);
    if (!WriteFileAtomically(object.made, ContentOf(object.kept)).ok()) continue;
    fs::last_write_time(object.kept, fs::file_time_type::clock::now(), error);  // it is among the newest again
    ++count;
  }
  return count;
}

void ObjectCache::Keep() const {
  bool is_changed = false;
  for (const Object& object : objects_) {
    if (TimeOf(object.made) <= object.time_before || TimeOf(object.kept) >= 0) continue;
    is_changed |= WriteFileAtomically(object.kept, ContentOf(object.made)).ok();
  }
  if (is_changed) RemoveOldest(cache_);
}

}  // namespace hloscope::cli
