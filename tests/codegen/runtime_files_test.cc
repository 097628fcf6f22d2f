// SPDX-License-Identifier: Apache-2.0
// What compiled programs carry along depends on nothing else: the runtime (resources/compile) and numerics include
// themselves and the standard library.
#include "codegen/runtime_files.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"

namespace hloscope::codegen {
namespace {

struct Includes {
  std::set<std::string> quoted, bracketed;
};

Includes IncludesOf(absl::string_view content) {
  Includes includes;
  for (absl::string_view line : absl::StrSplit(content, '\n')) {
    line = absl::StripAsciiWhitespace(line);
    if (!absl::ConsumePrefix(&line, "#")) continue;
    line = absl::StripLeadingAsciiWhitespace(line);
    if (!absl::ConsumePrefix(&line, "include")) continue;
    line = absl::StripLeadingAsciiWhitespace(line);
    const bool is_quoted = absl::StartsWith(line, "\"");
    const std::vector<absl::string_view> parts = absl::StrSplit(line, absl::ByAnyChar("\"<>"));
    if (parts.size() < 2) continue;
    (is_quoted ? includes.quoted : includes.bracketed).insert(std::string(parts[1]));
  }
  return includes;
}

bool IsNumerics(absl::string_view path) { return absl::StartsWith(path, "numerics/"); }

// "contraction" of "numerics/contraction/gemm.h".
std::string FolderOf(absl::string_view path) {
  const std::vector<std::string> parts = absl::StrSplit(path, '/');
  return parts.size() > 2 ? parts[1] : "";
}

TEST(RuntimeFilesTest, IncludeNothingButEachOtherAndTheStandardLibrary) {
  std::set<std::string> paths;
  for (const RuntimeFile& file : RuntimeFiles()) paths.insert(std::string(file.path));
  ASSERT_TRUE(paths.contains("numerics/elements/elementwise_functions.h"));
  ASSERT_TRUE(paths.contains("hlo_runtime.cc"));
  int checked = 0;
  for (const RuntimeFile& file : RuntimeFiles()) {
    const Includes includes = IncludesOf(file.content);
    for (const std::string& include : includes.quoted) {
      EXPECT_TRUE(paths.contains(include)) << file.path << " includes " << include;
      EXPECT_TRUE(!IsNumerics(file.path) || IsNumerics(include)) << file.path << " includes " << include;
      ++checked;
    }
    for (const std::string& include : includes.bracketed) {
      // Headers of the language, of the processor's intrinsics and, outside of numerics but for its memory and the
      // place of its threads, of the system.
      const bool asks_system = !IsNumerics(file.path) || FolderOf(file.path) == "memory";
      const bool places_threads = file.path == "numerics/parallel/thread_placement.cc";
      const bool is_system = ((absl::StartsWith(include, "sys/") || include == "malloc.h") && asks_system) ||
                             ((include == "pthread.h" || include == "sched.h") && places_threads);
      const bool is_intrinsic = include == "immintrin.h" || include == "xmmintrin.h";
      EXPECT_TRUE(is_system || is_intrinsic || !absl::StrContains(include, '/'))
          << file.path << " includes " << include;
      EXPECT_TRUE(is_system || is_intrinsic || !absl::EndsWith(include, ".h")) << file.path << " includes " << include;
      ++checked;
    }
  }
  EXPECT_GT(checked, 200);
}

TEST(RuntimeFilesTest, FoldersOfNumericsDependOnEachOtherWithoutCycles) {
  std::map<std::string, std::set<std::string>> uses;
  for (const RuntimeFile& file : RuntimeFiles()) {
    if (!IsNumerics(file.path)) continue;
    for (const std::string& include : IncludesOf(file.content).quoted) {
      if (FolderOf(include) != FolderOf(file.path)) uses[FolderOf(file.path)].insert(FolderOf(include));
    }
  }
  EXPECT_TRUE(uses["convolution"].contains("contraction"));
  EXPECT_TRUE(uses["elements"].empty());
  EXPECT_TRUE(uses["parallel"].empty());
  std::vector<std::string> path;
  std::set<std::string> done;
  const std::function<void(const std::string&)> visit = [&](const std::string& folder) {
    for (const std::string& on_path : path) ASSERT_NE(on_path, folder) << "numerics/" << folder << " includes itself";
    if (!done.insert(folder).second) return;
    path.push_back(folder);
    for (const std::string& used : uses[folder]) visit(used);
    path.pop_back();
  };
  std::vector<std::string> folders;
  for (const auto& [folder, used] : uses) folders.push_back(folder);
  for (const std::string& folder : folders) visit(folder);
}

}  // namespace
}  // namespace hloscope::codegen
