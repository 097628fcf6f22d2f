// SPDX-License-Identifier: Apache-2.0
#include "tests/support/op_page.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "tests/support/shared_files.h"

namespace hloscope {

std::string OpPage(Opcode opcode) {
  const std::string path = absl::StrCat(HLOSCOPE_SOURCE_DIR, "/resources/ops/", OpcodeName(opcode), ".md");
  if (std::filesystem::exists(path)) return ReadFileOrDie(path);
  ADD_FAILURE() << "no page " << path;
  return "";
}

std::string ExampleOfOpPage(Opcode opcode) {
  const std::string page = OpPage(opcode);
  const size_t open = page.find("```hlo\n");
  const size_t begin = open + 7, end = open == std::string::npos ? open : page.find("```", begin);
  if (end != std::string::npos) return page.substr(begin, end - begin);
  ADD_FAILURE() << OpcodeName(opcode) << ".md has no hlo block";
  return "";
}

DocumentOptions ExampleOptions() {
  DocumentOptions options;
  options.verify.replica_count = 2;
  return options;
}

}  // namespace hloscope
