// SPDX-License-Identifier: Apache-2.0
// Modules for fuzz targets: a random module without errors, then changed as the bytes of the fuzzer say.
#ifndef HLOSCOPE_TESTS_FUZZ_FUZZ_MODULE_H_
#define HLOSCOPE_TESTS_FUZZ_FUZZ_MODULE_H_

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/document/document.h"
#include "evaluator/engine/session.h"
#include "evaluator/tensor/fill.h"
#include "tests/support/module_generator.h"

namespace hloscope {

// Takes its decisions from the fuzzer's bytes; zeros when there are no more.
class FuzzBytes {
 public:
  FuzzBytes(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  bool empty() const { return size_ == 0; }
  uint8_t Byte() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }
  uint64_t Number(int bytes) {
    uint64_t number = 0;
    for (int k = 0; k < bytes; ++k) number = number << 8 | Byte();
    return number;
  }

 private:
  const uint8_t* data_;
  size_t size_;
};

// The text with up to 15 of its numbers changed to others, small, negative or huge.
inline std::string WithOtherNumbers(std::string text, FuzzBytes& bytes) {
  static const char* const kNumbers[] = {"0",          "1",          "2",          "-1",
                                         "3",          "17",         "1000",       "2147483647",
                                         "2147483648", "4294967295", "1000000000", "9223372036854775807"};
  for (int changes = bytes.Byte() % 16; changes > 0; --changes) {
    size_t at = bytes.Number(2) % text.size();
    while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) == 0) ++at;
    size_t end = at;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    text.replace(at, end - at, kNumbers[bytes.Byte() % std::size(kNumbers)]);
  }
  return text;
}

// A valid module of a few instructions, with other numbers.
inline std::string FuzzedModule(FuzzBytes& bytes, GeneratorOptions options = {}) {
  options.instruction_count = 1 + bytes.Byte() % 12;
  options.host_transfers = false;
  std::string text = RandomModule(bytes.Number(3), options);
  return WithOtherNumbers(std::move(text), bytes);
}

// Null for a module with errors or without an entry computation.
inline std::shared_ptr<const Document> FuzzedDocument(FuzzBytes& bytes, const GeneratorOptions& options = {}) {
  auto document = Document::Parse(SourceText::FromString("fuzz.hlo", FuzzedModule(bytes, options)));
  return document->has_errors() || !document->module().entry().has_value() ? nullptr : document;
}

// Limits that end every run soon.
inline evaluator::SessionOptions FuzzLimits() {
  evaluator::SessionOptions options;
  options.threads = 1;
  options.memory_limit_bytes = int64_t{64} << 20;
  options.step_limit = 20000;
  options.time_limit_seconds = 2;
  return options;
}

// The arguments of the entry computation; empty if they do not fit into the limit.
inline std::vector<evaluator::Value> FuzzArguments(const Module& module) {
  std::vector<evaluator::Value> arguments;
  for (const InstructionId parameter : module.computation(module.entry()).parameters) {
    if (module.shape(parameter).IsArray() && module.shape(parameter).ElementCount() > int64_t{1} << 20) return {};
    absl::StatusOr<evaluator::Value> value = evaluator::FillValue(module.shape(parameter), evaluator::FillKind::kRandom,
                                                                  1, static_cast<int64_t>(arguments.size()));
    if (!value.ok()) return {};
    arguments.push_back(*std::move(value));
  }
  return arguments;
}

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_FUZZ_FUZZ_MODULE_H_
