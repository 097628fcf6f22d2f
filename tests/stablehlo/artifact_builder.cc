// SPDX-License-Identifier: Apache-2.0
#include "tests/stablehlo/artifact_builder.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"

namespace hloscope::stablehlo {
namespace {

// The dialects of an artifact: an attribute whose first byte is this is an unknown location, the one of builtin.
constexpr char kUnknownLocation = static_cast<char>(15 << 1 | 1);

std::string List(const std::vector<size_t>& numbers) {
  std::string bytes = Varint(numbers.size());
  for (const size_t number : numbers) bytes += Varint(number);
  return bytes;
}

}  // namespace

std::string Varint(uint64_t value) {
  int following = 0;
  while (following < 8 && value >> (7 * (following + 1)) != 0) ++following;
  std::string bytes;
  if (following == 8) {
    bytes.push_back('\0');
  } else {
    value = (value << 1 | 1) << following;
  }
  const int count = following == 8 ? 8 : following + 1;
  for (int i = 0; i < count; ++i) bytes.push_back(static_cast<char>(value >> (8 * i)));
  return bytes;
}

std::string SignedVarint(int64_t value) {
  return Varint(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
}

std::string Section(uint8_t id, const std::string& data, size_t alignment, size_t position) {
  std::string bytes;
  bytes.push_back(static_cast<char>(alignment > 1 ? id | 0x80 : id));
  bytes += Varint(data.size());
  if (alignment > 1) {
    bytes += Varint(alignment);
    while ((position + bytes.size()) % alignment != 0) bytes.push_back('\xCB');
  }
  return bytes + data;
}

size_t ArtifactBuilder::Add(std::vector<std::string>& elements, std::string bytes) {
  const auto found = absl::c_find(elements, bytes);
  if (found != elements.end()) return static_cast<size_t>(found - elements.begin());
  elements.push_back(std::move(bytes));
  return elements.size() - 1;
}

size_t ArtifactBuilder::StringNumber(const std::string& text) { return Add(strings_, text); }

size_t ArtifactBuilder::Unknown() { return AddAttribute(std::string(1, kUnknownLocation)); }

size_t ArtifactBuilder::FileRange(const std::string& file, const std::vector<uint64_t>& numbers) {
  std::string bytes = Varint(22) + Varint(String(file)) + Varint(numbers.size());
  for (const uint64_t number : numbers) bytes += Varint(number);
  return AddAttributeOf(0, bytes);
}

size_t ArtifactBuilder::AddAttributeOf(uint64_t dialect, std::string bytes) {
  const size_t number = AddAttribute(std::move(bytes));
  dialect_of_[number] = dialect;
  return number;
}

size_t ArtifactBuilder::Tensor(const std::vector<int64_t>& dimensions, size_t element) {
  std::string bytes = Varint(20) + Varint(dimensions.size());
  for (const int64_t size : dimensions) bytes += SignedVarint(size);
  return AddType(bytes + Varint(element));
}

size_t ArtifactBuilder::Function(const std::vector<size_t>& operands, const std::vector<size_t>& results) {
  return AddType(Varint(8) + List(operands) + List(results));
}

size_t ArtifactBuilder::Dense(size_t type, const std::string& data) {
  return AddAttribute(Varint(15) + Varint(type) + Varint(data.size()) + data);
}

size_t ArtifactBuilder::Integers(const std::vector<int64_t>& values) {
  std::string data;
  for (const int64_t value : values) {
    for (int i = 0; i < 8; ++i) data.push_back(static_cast<char>(static_cast<uint64_t>(value) >> (8 * i)));
  }
  return Dense(Tensor({static_cast<int64_t>(values.size())}, Scalar(14)), data);
}

size_t ArtifactBuilder::Array(const std::vector<size_t>& items) { return AddAttribute(Varint(1) + List(items)); }

size_t ArtifactBuilder::Dictionary(const Named& entries) {
  std::string bytes = Varint(6) + Varint(entries.size());
  for (const auto& [name, value] : entries) bytes += Varint(String(name)) + Varint(value);
  return AddAttribute(bytes);
}

std::string ArtifactBuilder::Region(const Block& block) {
  std::string bytes = Varint(1) + Varint(block.values);
  bytes += Varint(block.operations.size() << 1 | (block.arguments.empty() ? 0 : 1));
  if (!block.arguments.empty()) {
    bytes += Varint(block.arguments.size());
    for (const size_t type : block.arguments)
      bytes += version_ >= 4 ? Varint(type << 1) : Varint(type) + Varint(Unknown());
    if (version_ >= 3) bytes.push_back('\0');
  }
  for (const std::string& operation : block.operations) bytes += operation;
  return bytes;
}

std::string ArtifactBuilder::Operation(const std::string& name, const std::vector<uint64_t>& operands,
                                       const std::vector<size_t>& results, const Named& own,
                                       const std::vector<Block>& regions, bool is_isolated) {
  const bool has_properties = version_ >= 5 && !own.empty();
  uint8_t mask = regions.empty() ? 0 : 0x10;
  if (!own.empty()) mask |= has_properties ? 0x40 : 0x01;
  if (!results.empty()) mask |= 0x02;
  if (!operands.empty()) mask |= 0x04;
  std::string bytes = Varint(Add(operations_, name));
  bytes.push_back(static_cast<char>(mask));
  bytes += Varint(location_.has_value() ? *location_ : Unknown());
  if (has_properties) {
    std::string entry;
    for (const auto& attribute : own) entry += Varint(attribute.second);
    bytes += Varint(Add(properties_, entry));
  } else if (!own.empty()) {
    bytes += Varint(Dictionary(own));
  }
  if (!results.empty()) bytes += List(results);
  if (!operands.empty()) bytes += List(operands);
  if (regions.empty()) return bytes;
  bytes += Varint(regions.size() << 1 | (is_isolated ? 1 : 0));
  std::string all;
  for (const Block& block : regions) all += Region(block);
  return bytes + (is_isolated && version_ >= 2 ? Section(4, all) : all);
}

std::string ArtifactBuilder::Function(const std::string& name, size_t type, const Block& body) {
  return Operation("vhlo.func_v1", {}, {},
                   {{"arg_attrs", Array({})},
                    {"function_type", TypeOf(type)},
                    {"res_attrs", Array({})},
                    {"sym_name", String(name)},
                    {"sym_visibility", String("")}},
                   {body}, true);
}

std::string ArtifactBuilder::Finish(const std::vector<std::string>& functions) {
  Block block;
  block.operations = functions;
  const std::string module = Operation("builtin.module", {}, {}, {}, {block}, true);
  const std::string ir = Varint(1 << 1) + module;

  std::string dialects = Varint(3);
  for (const absl::string_view name : {"builtin", "vhlo", "sdy"}) {
    const uint64_t number = StringNumber(std::string(name));
    dialects += Varint(version_ >= 1 ? number << 1 : number);
  }
  if (version_ >= 4) dialects += Varint(operations_.size());
  // Numbers run through the groups, here one for each operation.
  for (const std::string& operation : operations_) {
    const size_t dot = operation.find('.');
    const uint64_t number = StringNumber(operation.substr(dot + 1));
    dialects +=
        Varint(operation.substr(0, dot) == "vhlo" ? 1 : 0) + Varint(1) + Varint(version_ >= 5 ? number << 1 : number);
  }

  std::string offsets = Varint(attributes_.size()) + Varint(types_.size()), elements;
  for (const std::vector<std::string>* list : {&attributes_, &types_}) {
    for (size_t k = 0; k < list->size(); ++k) {
      const std::string& bytes = (*list)[k];
      uint64_t dialect = 1;
      if (list == &attributes_ && bytes.size() == 1 && bytes[0] == kUnknownLocation) dialect = 0;
      if (list == &attributes_ && dialect_of_.contains(k)) dialect = dialect_of_[k];
      offsets += Varint(dialect) + Varint(1) + Varint(bytes.size() << 1 | 1);
      elements += bytes;
    }
  }
  std::string lengths, text;
  for (auto string = strings_.rbegin(); string != strings_.rend(); ++string) lengths += Varint(string->size() + 1);
  for (const std::string& string : strings_) text += string + '\0';

  std::string file = "ML\xEFR" + Varint(version_) + "StableHLO_v1.8.0" + '\0';
  file += Section(1, dialects);
  file += Section(2, elements, 16, file.size());
  file += Section(3, offsets);
  file += Section(4, ir);
  file += Section(0, Varint(strings_.size()) + lengths + text);
  if (version_ < 5) return file;
  std::string properties = Varint(properties_.size());
  for (const std::string& entry : properties_) properties += Varint(entry.size()) + entry;
  return file + Section(8, properties);
}

}  // namespace hloscope::stablehlo
