// SPDX-License-Identifier: Apache-2.0
#include "codegen/program.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "codegen/cpp_types.h"
#include "codegen/explicit_precision.h"
#include "codegen/fingerprint.h"
#include "codegen/runtime_files.h"

namespace hloscope::codegen {
namespace {

// Bytes of generated text that are compiled together.
constexpr size_t kFileBytes = 48 << 10;
constexpr absl::string_view kThisProcessor = "native";

// The folders of numerics and the files of resources/compile that a part needs, besides those that all programs need.
struct PartSources {
  RuntimePart part;
  std::vector<absl::string_view> sources;
};
const std::vector<PartSources>& SourcesOfParts() {
  static const std::vector<PartSources>& parts = *new std::vector<PartSources>{
      {RuntimePart::kCopies, {"numerics/data_movement/", "hlo_copy.cc"}},
      {RuntimePart::kReduction, {"numerics/reduction/"}},
      {RuntimePart::kRows, {"numerics/rows/"}},
      {RuntimePart::kProducts, {"numerics/contraction/", "hlo_product.cc"}},
      {RuntimePart::kConvolution,
       {"numerics/contraction/", "numerics/convolution/", "numerics/windows/", "numerics/data_movement/",
        "hlo_product.cc", "hlo_convolution.cc"}},
      {RuntimePart::kPooling, {"numerics/pooling/", "numerics/windows/", "numerics/reduction/", "hlo_pooling.cc"}},
      {RuntimePart::kSorting, {"numerics/sorting/", "numerics/data_movement/", "hlo_sort.cc"}},
      {RuntimePart::kRandom, {"numerics/random/", "hlo_random.cc"}},
      {RuntimePart::kLinearAlgebra, {"numerics/fourier/", "hlo_linear_algebra.cc"}},
      {RuntimePart::kNormalization, {"numerics/normalization/", "numerics/reduction/", "hlo_normalization.cc"}},
  };
  return parts;
}

bool IsIn(absl::string_view path, const PartSources& part) {
  return std::any_of(part.sources.begin(), part.sources.end(),
                     [&](absl::string_view source) { return absl::StartsWith(path, source); });
}

bool BelongsToPart(absl::string_view path) {
  return std::any_of(SourcesOfParts().begin(), SourcesOfParts().end(),
                     [&](const PartSources& part) { return IsIn(path, part); });
}

// Whether a program compiles a source file of the runtime: it belongs to one of its parts, or to none.
bool IsNeeded(absl::string_view path, const std::set<RuntimePart>& parts) {
  return !BelongsToPart(path) ||
         std::any_of(SourcesOfParts().begin(), SourcesOfParts().end(),
                     [&](const PartSources& part) { return parts.contains(part.part) && IsIn(path, part); });
}

std::string ObjectOf(absl::string_view source) {
  std::string name(source.substr(0, source.size() - 3));
  std::replace(name.begin(), name.end(), '/', '_');
  return absl::StrCat("objects/", name, ".o");
}

// Inner loops of products may fuse multiplications and additions, and are compiled for each instruction set, as in the
// evaluator.
absl::string_view OptionsOf(absl::string_view path) {
  // Transpositions in 128-bit vectors take half of the time that they take in wider ones.
  if (absl::EndsWith(path, "gemm_micro_baseline.cc") || absl::EndsWith(path, "strided_copy.cc")) return "$(BASELINE)";
  if (absl::EndsWith(path, "gemm_micro_avx2.cc")) return "$(AVX2)";
  if (absl::EndsWith(path, "gemm_micro_avx512.cc")) return "$(AVX512)";
  if (absl::EndsWith(path, "gemm_micro_bf16.cc")) return "$(AVX512BF16)";
  if (absl::EndsWith(path, "depthwise_lanes.cc")) return "$(CLONES)";
  return "";
}

// A computation of thousands of instructions is one function that calls loops: what is optimised in it takes long and
// gains nothing. A file of that size is one function.
absl::string_view OptionsOfComputations(absl::string_view content) {
  return content.size() > 2 * kFileBytes ? "$(LARGE)" : "";
}

// The file that a source file of the runtime is compiled as a part of. Most of the time that they take apart is spent
// on the headers of the standard library: the files of a folder are compiled together, if their options are the same,
// and so are those that all programs need.
std::string CompiledFile(absl::string_view path) {
  if (!OptionsOf(path).empty()) return std::string(path);
  if (absl::StartsWith(path, "numerics/")) return absl::StrCat(path.substr(0, path.rfind('/')), ".cc");
  return BelongsToPart(path) ? std::string(path) : "hlo.cc";
}

// A program is compiled while somebody waits, the runtime that is shipped once.
constexpr absl::string_view kProgramLevel = "-O2", kShippedLevel = "-O3";

// The options of every file. `architecture` is one of the compiler's for -march, `level` how much it optimises.
std::string BuildRules(absl::string_view architecture, absl::string_view level) {
  return absl::StrCat(
      "# Builds `program` and, with `make library`, `libprogram.so`. CXX and OPTIMISE can be set on the command "
      "line.\n"
      "CXX ?= c++\n"
      "# An option that GCC alone has: clang takes loops of any length anyway.\n"
      "DYNAMIC := $(shell $(CXX) -fvect-cost-model=dynamic -E -x c++ /dev/null > /dev/null 2>&1 \\\n"
      "             && echo -fvect-cost-model=dynamic)\n"
      "# The program is built for the processor it is built on; numbers do not depend on that.\n"
      "OPTIMISE ?= ",
      level, " -ftree-vectorize $(DYNAMIC) -march=", architecture,
      "\n"
      "FLAGS = -std=c++20 -fPIC -pthread -fno-math-errno -fno-trapping-math -ffp-contract=off -fwrapv \\\n"
      "        -fvisibility=hidden -w -Iruntime -I. -DHLOSCOPE_ONE_PROCESSOR $(OPTIMISE)\n"
      "# Functions with thousands of calls.\n"
      "LARGE = -O1\n"
      "CLONES = -O3 -ffp-contract=fast\n"
      "MACHINE := $(shell uname -m)\n"
      "ifeq ($(MACHINE),x86_64)\n"
      "BASELINE = -O3 -march=x86-64\n"
      "CLONES += -march=x86-64 -UHLOSCOPE_ONE_PROCESSOR\n"
      "AVX2 = -O3 -march=x86-64-v3 -ffp-contract=fast\n"
      "AVX512 = -O3 -march=x86-64-v4 -mprefer-vector-width=512 -ffp-contract=fast\n"
      "AVX512BF16 = -O3 -march=x86-64-v4 -mprefer-vector-width=512 -mavx512bf16\n"
      "endif\n\n");
}

constexpr absl::string_view kProgramGoals =
    "program: $(OBJECTS)\n\t$(CXX) -pthread -o $@ $(OBJECTS) $(LINK)\n\n"
    "library: libprogram.so\nlibprogram.so: $(OBJECTS)\n\t$(CXX) -pthread -shared -o $@ $(OBJECTS) $(LINK)\n\n"
    "clean:\n\trm -rf objects program libprogram.so\n\n.PHONY: library clean\n\n";

// `sources` have objects.
std::string Makefile(absl::string_view rules, absl::Span<const ProgramFile> sources, absl::string_view goals) {
  std::string text(rules);
  std::vector<std::string> objects;
  for (const ProgramFile& source : sources) objects.push_back(source.object);
  absl::StrAppend(&text, "OBJECTS = ", absl::StrJoin(objects, " \\\n          "), "\n\n", goals,
                  "RUNTIME = $(wildcard runtime/*.h runtime/numerics/*/*.h runtime/numerics/*/*.def)\n"
                  "HEADERS = $(wildcard *.h) $(RUNTIME)\n\n");
  for (const ProgramFile& source : sources) {
    absl::StrAppend(&text, source.object, ": ", source.path, source.is_runtime() ? " $(RUNTIME)" : " $(HEADERS)",
                    source.path == "constants.cc" ? " constants.bin" : "", "\n\t@mkdir -p objects\n\t$(CXX) $(FLAGS) ",
                    source.options, " -c -o $@ ", source.path, "\n");
  }
  return text;
}

std::string Declarations(const ProgramText& text) {
  std::string header =
      "// What the files of this program share.\n#ifndef HLO_PROGRAM_H_\n#define HLO_PROGRAM_H_\n\n#include "
      "<utility>\n\n"
      "#include \"hlo_runtime.h\"\n";
  const std::set<RuntimePart>& parts = text.parts();
  if (parts.contains(RuntimePart::kComplex)) header += "#include \"numerics/elements/complex_functions.h\"\n";
  if (parts.contains(RuntimePart::kCopies)) header += "#include \"hlo_copy.h\"\n";
  if (parts.contains(RuntimePart::kReduction)) {
    header += "#include \"numerics/reduction/vector_folds.h\"\n#include \"numerics/reduction/vector_sums.h\"\n";
  }
  if (parts.contains(RuntimePart::kRows)) {
    header += "#include \"numerics/rows/result_table.h\"\n#include \"numerics/rows/row_functions.h\"\n";
  }
  if (parts.contains(RuntimePart::kProducts) || parts.contains(RuntimePart::kConvolution)) {
    header += "#include \"hlo_product.h\"\n";
  }
  if (parts.contains(RuntimePart::kConvolution)) header += "#include \"hlo_convolution.h\"\n";
  if (parts.contains(RuntimePart::kPooling)) header += "#include \"hlo_pooling.h\"\n";
  if (parts.contains(RuntimePart::kSorting)) header += "#include \"hlo_sort.h\"\n";
  if (parts.contains(RuntimePart::kRandom)) header += "#include \"hlo_random.h\"\n";
  if (parts.contains(RuntimePart::kLinearAlgebra)) header += "#include \"hlo_linear_algebra.h\"\n";
  if (parts.contains(RuntimePart::kNormalization)) header += "#include \"hlo_normalization.h\"\n";
  header += "\nnamespace hlo {\n\n";
  if (!text.constants().empty()) {
    header +=
        "// The bytes of constants.bin.\nextern \"C\" const unsigned char hlo_constants[];\n"
        "inline const unsigned char* const constants = hlo_constants;\n\n";
  }
  header += "// --- Computations ---\n\n";
  for (const FunctionText& function : text.computations()) absl::StrAppend(&header, function.declaration, "\n");
  header += "\n// --- Computations of scalars ---\n\n";
  for (const std::string& function : text.scalar_functions()) absl::StrAppend(&header, function, "\n");
  header += "// --- Loops ---\n\n";
  for (const FunctionText& function : text.loops()) absl::StrAppend(&header, function.declaration, "\n");
  return absl::StrCat(header, "\n}  // namespace hlo\n\n#endif  // HLO_PROGRAM_H_\n");
}

// What a program compiles of the runtime.
std::vector<ProgramFile> RuntimeSources(absl::FunctionRef<bool(absl::string_view path)> is_needed) {
  std::map<std::string, ProgramFile> files;
  for (const RuntimeFile& file : RuntimeFiles()) {
    if (!absl::EndsWith(file.path, ".cc") || !is_needed(file.path)) continue;
    const std::string path = absl::StrCat("runtime/", CompiledFile(file.path));
    ProgramFile& compiled = files[path];
    compiled.path = path;
    compiled.options = std::string(OptionsOf(file.path));
    absl::StrAppend(&compiled.content, compiled.content.empty() ? "" : "\n", "// ", file.path, "\n", file.content);
  }
  std::vector<ProgramFile> result;
  for (auto& [path, file] : files) {
    file.object = ObjectOf(path);
    result.push_back(std::move(file));
  }
  return result;
}

// What sources of the runtime include.
void AddRuntimeHeaders(std::vector<ProgramFile>* files) {
  for (const RuntimeFile& file : RuntimeFiles()) {
    if (absl::EndsWith(file.path, ".cc")) continue;
    files->push_back({absl::StrCat("runtime/", file.path), std::string(file.content)});
  }
}

// Functions in files of about kFileBytes; larger ones have files of their own.
void AddSplit(absl::Span<const FunctionText> functions, absl::string_view stem, std::vector<ProgramFile>* files) {
  std::string content;
  int number = 0;
  const auto flush = [&] {
    if (content.empty()) return;
    files->push_back({absl::StrCat(stem, "_", number++, ".cc"),
                      absl::StrCat("#include \"program.h\"\n\nnamespace hlo {\n\n", content, "}  // namespace hlo\n")});
    content.clear();
  };
  for (const FunctionText& function : functions) {
    if (function.definition.size() > kFileBytes) flush();
    absl::StrAppend(&content, function.definition, "\n");
    if (content.size() > kFileBytes) flush();
  }
  flush();
}

void AppendLeafNames(const Shape& shape, const std::string& name, std::vector<std::string>* names) {
  if (!shape.IsTuple()) {
    names->push_back(name);
    return;
  }
  for (int64_t k = 0; k < shape.tuple_size(); ++k) AppendLeafNames(shape.element(k), absl::StrCat(name, ".", k), names);
}

// How .npy files call the type that an element has there (docs/ops/elementwise.md 1.5).
std::string NpyType(ElementType type) {
  switch (KindOf(type)) {
    case ElementKind::kPredicate:
      return "|b1";
    case ElementKind::kSigned:
      return absl::StrCat(BitWidth(type) < 8 ? "|u" : BitWidth(type) == 8 ? "|i" : "<i", StorageBytes(type));
    case ElementKind::kUnsigned:
      return absl::StrCat(BitWidth(type) <= 8 ? "|u" : "<u", StorageBytes(type));
    case ElementKind::kFloat:
      return type == ElementType::kF16 || type == ElementType::kF32 || type == ElementType::kF64
                 ? absl::StrCat("<f", StorageBytes(type))
                 : absl::StrCat(StorageBytes(type) == 1 ? "|u" : "<u", StorageBytes(type));
    case ElementKind::kComplex:
      return absl::StrCat("<c", StorageBytes(type));
    case ElementKind::kOther:
      break;
  }
  return "";
}

std::string LeafTable(absl::string_view name, absl::Span<const Shape> leaves, absl::Span<const std::string> labels) {
  std::string text, dimensions;
  for (size_t k = 0; k < leaves.size(); ++k) {
    if (leaves[k].rank() > 0) {
      absl::StrAppend(&dimensions, "const int64_t ", name, "_", k, "[] = ", BracedList(leaves[k].dimensions()), ";\n");
    }
  }
  absl::StrAppend(&text, dimensions, "const Leaf ", name, "[] = {\n");
  for (size_t k = 0; k < leaves.size(); ++k) {
    const ElementType type = leaves[k].element_type();
    absl::StrAppend(&text, "    {", Quoted(labels[k]), ", ", Quoted(leaves[k].ToString(false)), ", ",
                    Quoted(NpyType(type)), ", ", StorageBytes(type), ", ", BitWidth(type), ", ",
                    IsSigned(type) ? "true" : "false", ", ", leaves[k].IsArray() ? leaves[k].rank() : 0, ", ",
                    leaves[k].rank() > 0 ? absl::StrCat(name, "_", k) : "nullptr", "},\n");
  }
  if (leaves.empty()) text += "    {nullptr, nullptr, nullptr, 0, 0, false, 0, nullptr},\n";
  return absl::StrCat(text, "};\n\n");
}

// What the command line of the program needs to know of its modules.
std::string ModuleTable(absl::Span<const ProgramModule> modules, absl::Span<const std::string> entries) {
  std::string text = "#include \"hlo_main.h\"\n#include \"program.h\"\n\nnamespace hlo {\nnamespace {\n\n";
  std::string table;
  for (size_t m = 0; m < modules.size(); ++m) {
    const Module& module = *modules[m].module;
    const Computation& entry = module.computation(module.entry());
    std::vector<Shape> leaves;
    std::vector<std::string> labels;
    for (size_t p = 0; p < entry.parameters.size(); ++p) {
      const Shape& shape = module.shape(entry.parameters[p]);
      for (Shape& leaf : LeavesOf(shape)) leaves.push_back(std::move(leaf));
      AppendLeafNames(shape, absl::StrCat(p), &labels);
    }
    const std::vector<Shape> results = LeavesOf(module.shape(entry.root));
    std::vector<std::string> result_labels;
    result_labels.reserve(results.size());
    int64_t number = 0;  // tokens are left out
    for (const Shape& leaf : results) result_labels.push_back(leaf.IsArray() ? absl::StrCat(number++) : "");
    absl::StrAppend(&text, LeafTable(absl::StrCat("parameters_", m), leaves, labels),
                    LeafTable(absl::StrCat("results_", m), results, result_labels));
    absl::StrAppend(&table, "    {", Quoted(modules[m].name), ", ", entries[m], ", parameters_", m, ", ", leaves.size(),
                    ", results_", m, ", ", results.size(), "},\n");
  }
  absl::StrAppend(&text, "}  // namespace\n\nconst CompiledModule kModules[] = {\n", table,
                  "};\nconst int kModuleCount = ", modules.size(), ";\n\n}  // namespace hlo\n");
  return text;
}

}  // namespace

bool ProgramFile::is_runtime() const { return absl::StartsWith(path, "runtime/"); }

bool Program::complete() const {
  return std::all_of(not_compiled.begin(), not_compiled.end(), [](const auto& list) { return list.empty(); });
}

Program GenerateProgram(absl::Span<const ProgramModule> modules) {
  Program program;
  ProgramText text;
  std::vector<std::string> entries;
  for (const ProgramModule& m : modules) {
    const std::optional<Module> explicit_module = WithExplicitPrecision(*m.module);
    ModuleWriter writer(explicit_module ? *explicit_module : *m.module, text);
    writer.Write();
    entries.push_back(writer.FunctionOf(m.module->entry()));
    program.not_compiled.push_back(writer.not_compiled());
  }
  if (!program.complete()) return program;

  std::vector<ProgramFile>& files = program.files;
  AddSplit(text.computations(), "computations", &files);
  for (ProgramFile& file : files) file.options = std::string(OptionsOfComputations(file.content));
  AddSplit(text.loops(), "loops", &files);
  files.push_back({"modules.cc", ModuleTable(modules, entries)});
  if (!text.constants().empty()) {
    files.push_back({"constants.cc",
                     "// The bytes of constants.bin as a part of the program.\n"
                     "__asm__(\".section .rodata\\n.balign 64\\n.hidden hlo_constants\\n.global hlo_constants\\n\"\n"
                     "        \"hlo_constants:\\n.incbin \\\"constants.bin\\\"\\n.previous\\n\");\n"});
  }
  for (ProgramFile& file : files) file.object = ObjectOf(file.path);
  const auto is_needed = [&](absl::string_view path) { return IsNeeded(path, text.parts()); };
  for (ProgramFile& file : RuntimeSources(is_needed)) files.push_back(std::move(file));
  program.build_rules = BuildRules(kThisProcessor, kProgramLevel);
  std::string makefile = Makefile(program.build_rules, files, kProgramGoals);
  files.push_back({"Makefile", std::move(makefile)});
  files.push_back({"program.h", Declarations(text)});
  if (!text.constants().empty()) files.push_back({"constants.bin", text.constants()});
  AddRuntimeHeaders(&files);
  return program;
}

Program GenerateRuntime(absl::string_view architecture) {
  Program program;
  program.files = RuntimeSources([](absl::string_view) { return true; });
  program.build_rules = BuildRules(architecture, kShippedLevel);
  std::string makefile = Makefile(program.build_rules, program.files, "compiled: $(OBJECTS)\n\n.PHONY: compiled\n\n");
  program.files.push_back({"Makefile", std::move(makefile)});
  AddRuntimeHeaders(&program.files);
  return program;
}

std::string RuntimeFingerprint() {
  Fingerprint fingerprint;
  fingerprint.Add(BuildRules(kThisProcessor, kProgramLevel));
  fingerprint.Add(kShippedLevel);
  for (const RuntimeFile& file : RuntimeFiles()) {
    fingerprint.Add(file.path);
    fingerprint.Add(file.content);
    fingerprint.Add(absl::EndsWith(file.path, ".cc") ? CompiledFile(file.path) : "");
    fingerprint.Add(OptionsOf(file.path));
  }
  return fingerprint.Text();
}

std::string NotCompiledHelp() {
  return "What cannot be compiled is said at the instruction: several devices (collectives, partition-id,\n"
         "replica-id), what talks to a host (infeed, outfeed, send, recv), custom calls that compute, rng and\n"
         "rng-get-and-update-state (their numbers come from the state of a run), structured sparsity, block\n"
         "scaling, sizes that are only known at run time, bitcasts between packed or tiled layouts.";
}

}  // namespace hloscope::codegen
