// SPDX-License-Identifier: Apache-2.0
// The C++ text of whatever has no errors, or why there is none. With HLOSCOPE_FUZZ_BUILD=1, for long runs, the text is
// built too (some seconds a module), and must compile without warnings that its Makefile asks for.
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "codegen/program.h"
#include "tests/fuzz/fuzz_module.h"

namespace {

// Whether make builds the program in a folder that is gone afterwards.
bool Builds(const hloscope::codegen::Program& program) {
  std::string folder = (std::filesystem::temp_directory_path() / "hloscope-fuzz-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) std::abort();
  for (const hloscope::codegen::ProgramFile& file : program.files) {
    const std::filesystem::path path = std::filesystem::path(folder) / file.path;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << file.content;
  }
  const bool good = std::system(("make -s -C '" + folder + "' OPTIMISE=-O0 program >&2").c_str()) == 0;
  std::filesystem::remove_all(folder);
  return good;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hloscope;
  FuzzBytes bytes(data, size);
  const std::shared_ptr<const Document> document = FuzzedDocument(bytes);
  if (document == nullptr) return 0;
  const codegen::ProgramModule module = {&document->module(), "fuzz"};
  const codegen::Program program = codegen::GenerateProgram({&module, 1});
  static const bool build = std::getenv("HLOSCOPE_FUZZ_BUILD") != nullptr;
  if (!build || !program.complete() || Builds(program)) return 0;
  std::fprintf(stderr, "the program cannot be built\n%s\n", document->source().text().data());
  __builtin_trap();
}
