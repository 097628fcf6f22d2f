// SPDX-License-Identifier: Apache-2.0
// Portable artifacts for tests, written from docs/stablehlo.md 7.
#ifndef HLOSCOPE_TESTS_STABLEHLO_ARTIFACT_BUILDER_H_
#define HLOSCOPE_TESTS_STABLEHLO_ARTIFACT_BUILDER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace hloscope::stablehlo {

std::string Varint(uint64_t value);
std::string SignedVarint(int64_t value);
// A section of bytecode; with an alignment other than 1 its data begins at a multiple of it, if the section does at
// `position` of the file.
std::string Section(uint8_t id, const std::string& data, size_t alignment = 1, size_t position = 0);

// A module of VHLO, part by part. Attributes and types are numbers that later parts name.
class ArtifactBuilder {
 public:
  explicit ArtifactBuilder(uint64_t version) : version_(version) {}

  // Types.
  size_t Scalar(uint64_t code) { return AddType(Varint(code)); }
  size_t Tensor(const std::vector<int64_t>& dimensions, size_t element);
  size_t Function(const std::vector<size_t>& operands, const std::vector<size_t>& results);
  size_t AddType(std::string bytes) { return Add(types_, std::move(bytes)); }

  // Attributes.
  size_t String(const std::string& text) { return AddAttribute(Varint(14) + Varint(StringNumber(text))); }
  size_t Bool(bool value) { return AddAttribute(Varint(2) + Varint(value ? 1 : 0)); }
  size_t Integer(size_t type, int64_t value) { return AddAttribute(Varint(9) + Varint(type) + SignedVarint(value)); }
  size_t Enumerator(uint64_t code, uint64_t value) { return AddAttribute(Varint(code) + Varint(value)); }
  size_t Dense(size_t type, const std::string& data);
  size_t Integers(const std::vector<int64_t>& values);  // tensor<nxi64>
  size_t Array(const std::vector<size_t>& items);
  size_t Dictionary(const std::vector<std::pair<std::string, size_t>>& entries);
  size_t TypeOf(size_t type) { return AddAttribute(Varint(17) + Varint(type)); }
  size_t AddAttribute(std::string bytes) { return Add(attributes_, std::move(bytes)); }
  size_t Unknown();  // location
  // One of another dialect than VHLO: 0 builtin, 2 sdy.
  size_t AddAttributeOf(uint64_t dialect, std::string bytes);
  // A location of up to four numbers: line, column, last line, last column.
  size_t FileRange(const std::string& file, const std::vector<uint64_t>& numbers);
  // Of the operations that follow.
  void LocateAt(size_t location) { location_ = location; }

  using Named = std::vector<std::pair<std::string, size_t>>;
  struct Block {
    std::vector<size_t> arguments;  // types
    uint64_t values = 0;            // defined in it
    std::vector<std::string> operations;
  };
  // The bytes of an operation. Own attributes are properties from format version 5 on, where they must be sorted.
  std::string Operation(const std::string& name, const std::vector<uint64_t>& operands,
                        const std::vector<size_t>& results, const Named& own = {},
                        const std::vector<Block>& regions = {}, bool is_isolated = false);
  std::string Function(const std::string& name, size_t type, const Block& body);
  // The file with these functions in one module.
  std::string Finish(const std::vector<std::string>& functions);

 private:
  static size_t Add(std::vector<std::string>& elements, std::string bytes);
  size_t StringNumber(const std::string& text);
  std::string Region(const Block& block);

  uint64_t version_;
  std::optional<size_t> location_;
  std::map<size_t, uint64_t> dialect_of_;  // of attributes that are not of VHLO, besides unknown locations
  std::vector<std::string> strings_, attributes_, types_, operations_, properties_;
};

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_TESTS_STABLEHLO_ARTIFACT_BUILDER_H_
