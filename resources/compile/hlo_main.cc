// SPDX-License-Identifier: Apache-2.0
// The command line of a compiled program.
#include "hlo_main.h"

#include <sys/stat.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "hlo_npy.h"

namespace hlo {
namespace {

constexpr const char* kUsage =
    "usage: program [--args-dir DIR] [--arg N=PATH.npy]... [--out DIR] [--module NAME] [--threads N] [--repeat N]\n"
    "               [--batch FILE] [--list]\n"
    "  --args-dir   takes arg0.npy, arg1.npy, ... (arg0.1.npy for a leaf of a tuple) from DIR\n"
    "  --out        writes result0.npy, result1.npy, ... into DIR\n"
    "  --repeat     runs N times and prints the shortest time in seconds\n"
    "  --batch      runs a list of `MODULE ARGS_DIR OUT_DIR` lines\n"
    "  --list       prints modules, parameters and results\n";

[[noreturn]] void UsageError(const std::string& message) {
  std::fprintf(stderr, "program: %s\n%s", message.c_str(), kUsage);
  std::exit(2);
}

struct Request {
  std::string module, arguments, out;
  std::map<std::string, std::string> paths;  // by leaf
  int repeat = 0;
};

const CompiledModule& FindModule(const std::string& name) {
  for (int k = 0; k < kModuleCount; ++k) {
    if (name.empty() || name == kModules[k].name) return kModules[k];
  }
  UsageError("there is no module `" + name + "`; --list shows them");
}

std::vector<Array> ReadArguments(const CompiledModule& module, const Request& request) {
  std::vector<Array> arguments;
  for (int k = 0; k < module.parameter_count; ++k) {
    const Leaf& leaf = module.parameters[k];
    if (leaf.bytes == 0) {  // a token
      arguments.emplace_back();
      continue;
    }
    std::string path;
    if (const auto found = request.paths.find(leaf.label); found != request.paths.end()) {
      path = found->second;
    } else if (!request.arguments.empty()) {
      path = request.arguments + "/arg" + leaf.label + ".npy";
    } else {
      UsageError(std::string("parameter ") + leaf.label + " (" + leaf.shape + ") is not given");
    }
    arguments.push_back(ReadNpy(path, leaf));
  }
  return arguments;
}

void Run(const Request& request) {
  const CompiledModule& module = FindModule(request.module);
  for (const auto& [label, path] : request.paths) {
    bool known = false;
    for (int k = 0; k < module.parameter_count; ++k) known = known || label == module.parameters[k].label;
    if (!known) UsageError("--arg " + label + " names no parameter");
  }
  const std::vector<Array> arguments = ReadArguments(module, request);
  std::vector<Array> results;
  double best = 0;
  for (int n = 0; n < (request.repeat > 0 ? request.repeat : 1); ++n) {
    std::vector<Array> in = arguments;
    results.assign(static_cast<size_t>(module.result_count) + 1, Array());
    const auto start = std::chrono::steady_clock::now();
    module.run(in.data(), results.data());
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (n == 0 || seconds < best) best = seconds;
  }
  if (request.repeat > 0) std::printf("%.9f\n", best);
  if (request.out.empty()) return;
  mkdir(request.out.c_str(), 0777);
  for (int k = 0; k < module.result_count; ++k) {
    const Leaf& leaf = module.results[k];
    if (leaf.bytes == 0) continue;
    WriteNpy(request.out + "/result" + leaf.label + ".npy", leaf, results[static_cast<size_t>(k)]);
  }
}

void List() {
  for (int k = 0; k < kModuleCount; ++k) {
    std::printf("module %s\n", kModules[k].name);
    for (int p = 0; p < kModules[k].parameter_count; ++p) {
      std::printf("  parameter %s %s\n", kModules[k].parameters[p].label, kModules[k].parameters[p].shape);
    }
    for (int r = 0; r < kModules[k].result_count; ++r) {
      std::printf("  result %s %s\n", kModules[k].results[r].label, kModules[k].results[r].shape);
    }
  }
}

// "N=PATH".
void ReadArgument(const std::string& text, Request* request) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) UsageError("--arg needs N=PATH.npy, got `" + text + "`");
  request->paths[text.substr(0, equals)] = text.substr(equals + 1);
}

int Number(const std::string& option, const std::string& text) {
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 10);
  if (end == text.c_str() || *end != '\0' || value < 0 || value > 1000000) {
    UsageError(option + " needs a number, got `" + text + "`");
  }
  return static_cast<int>(value);
}

void RunBatch(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "r");
  if (file == nullptr) UsageError("cannot read " + path);
  char module[1024], arguments[4096], out[4096];
  while (std::fscanf(file, "%1023s %4095s %4095s", module, arguments, out) == 3) {
    Request request;
    request.module = module;
    request.arguments = arguments;
    request.out = out;
    Run(request);
  }
  std::fclose(file);
}

}  // namespace
}  // namespace hlo

int hlo_run(const char* module, const void* const* parameters, void* const* results) {
  for (int m = 0; m < hlo::kModuleCount; ++m) {
    const hlo::CompiledModule& compiled = hlo::kModules[m];
    if (module != nullptr && std::strcmp(module, compiled.name) != 0) continue;
    std::vector<hlo::Array> in, out(static_cast<size_t>(compiled.result_count) + 1);
    for (int k = 0; k < compiled.parameter_count; ++k) {
      const hlo::Leaf& leaf = compiled.parameters[k];
      in.push_back(hlo::Array::Of(parameters[k], leaf.count() * leaf.bytes));
    }
    in.emplace_back();
    compiled.run(in.data(), out.data());
    for (int k = 0; k < compiled.result_count; ++k) {
      const hlo::Leaf& leaf = compiled.results[k];
      if (leaf.bytes > 0)
        std::memcpy(results[k], out[static_cast<size_t>(k)].data(), static_cast<size_t>(leaf.count() * leaf.bytes));
    }
    return 0;
  }
  return 1;
}

// A library has no use for it, and does no harm with it.
int main(int count, char** words) {
#ifdef __GLIBC__
  // What a loop takes for a line it takes again for the next one: the system need not clear it each time.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
  hlo::Request request;
  std::string batch;
  bool list = false;
  for (int k = 1; k < count; ++k) {
    std::string option = words[k], value;
    const size_t equals = option.find('=');
    if (option == "--list") {
      list = true;
      continue;
    }
    if (equals != std::string::npos) {
      value = option.substr(equals + 1);
      option.resize(equals);
    } else if (k + 1 < count) {
      value = words[++k];
    } else {
      hlo::UsageError(option == "--help" ? "how to run it" : "unknown option or missing value: " + option);
    }
    if (option == "--args-dir") {
      request.arguments = value;
    } else if (option == "--arg") {
      hlo::ReadArgument(value, &request);
    } else if (option == "--out") {
      request.out = value;
    } else if (option == "--module") {
      request.module = value;
    } else if (option == "--threads") {
      hlo::SetThreadCount(hlo::Number(option, value));
    } else if (option == "--repeat") {
      request.repeat = hlo::Number(option, value);
    } else if (option == "--batch") {
      batch = value;
    } else {
      hlo::UsageError("unknown option " + option);
    }
  }
  if (list) {
    hlo::List();
  } else if (!batch.empty()) {
    hlo::RunBatch(batch);
  } else {
    hlo::Run(request);
  }
  return 0;
}
