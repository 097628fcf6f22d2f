// SPDX-License-Identifier: Apache-2.0
#include "stablehlo/bytecode_container.h"

#include <array>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"

namespace hloscope::stablehlo {
namespace {

// Numbers of the sections.
constexpr uint8_t kStrings = 0, kDialects = 1, kElements = 2, kElementOffsets = 3, kProperties = 8;
constexpr size_t kSections = 9;
// What changed with the versions of the format.
constexpr uint64_t kDialectVersions = 1, kOperationCount = 4, kRegisteredOperations = 5, kNewestVersion = 6;

constexpr std::array<absl::string_view, kSections> kSectionNames = {
    "strings",    "dialects",  "attributes and types", "offsets of attributes and types",
    "operations", "resources", "resource offsets",     "dialect versions",
    "properties"};

using Sections = std::array<std::optional<ByteReader>, kSections>;

Sections ReadSections(ByteReader& reader) {
  Sections sections;
  while (!reader.AtEnd()) {
    const size_t begin = reader.position();
    const BytecodeSection section = ReadSection(reader);
    if (!reader.ok()) break;
    if (section.id >= kSections || sections[section.id]) {
      reader = ByteReader(reader.file(), begin, reader.file().size());
      reader.Fail(absl::StrCat(section.id >= kSections ? "an unknown section " : "a second section ", section.id));
      break;
    }
    sections[section.id] = section.data;
  }
  return sections;
}

// The lengths are those of the strings from the last to the first, each with its final zero.
void ReadStrings(ByteReader reader, BytecodeContainer& container, absl::Status& status) {
  std::vector<uint64_t> lengths(reader.Count());
  for (size_t i = lengths.size(); i > 0; --i) lengths[i - 1] = reader.Varint();
  for (const uint64_t length : lengths) {
    const absl::string_view string = reader.Bytes(length);
    if (reader.ok() && string.empty()) reader.Fail("a string without its final zero");
    if (!reader.ok()) break;
    container.strings.push_back(string.substr(0, string.size() - 1));
  }
  status.Update(reader.status());
}

void ReadDialects(ByteReader reader, BytecodeContainer& container, absl::Status& status) {
  const size_t count = reader.Count();
  for (size_t i = 0; i < count && reader.ok(); ++i) {
    uint64_t name = reader.Varint();
    const bool has_version = container.version >= kDialectVersions && (name & 1) != 0;
    if (container.version >= kDialectVersions) name >>= 1;
    if (name >= container.strings.size()) reader.Fail("a dialect without a name");
    if (!reader.ok()) break;
    container.dialects.push_back(container.strings[name]);
    if (has_version) ReadSection(reader);
  }
  if (container.version >= kOperationCount) reader.Varint();
  while (!reader.AtEnd()) {
    const size_t dialect = reader.Index(container.dialects.size(), "dialect");
    const size_t operations = reader.Count();
    for (size_t i = 0; i < operations && reader.ok(); ++i) {
      uint64_t name = reader.Varint();
      if (container.version >= kRegisteredOperations) name >>= 1;
      if (name >= container.strings.size()) reader.Fail("an operation without a name");
      if (reader.ok()) container.operations.push_back({container.dialects[dialect], container.strings[name]});
    }
  }
  status.Update(reader.status());
}

void ReadElements(ByteReader offsets, ByteReader data, BytecodeContainer& container, absl::Status& status) {
  const uint64_t attributes = offsets.Varint();
  const uint64_t types = offsets.Varint();
  for (uint64_t read = 0; !offsets.AtEnd();) {
    const size_t dialect = offsets.Index(container.dialects.size(), "dialect");
    const size_t count = offsets.Count();
    for (size_t i = 0; i < count && offsets.ok(); ++i, ++read) {
      const uint64_t size = offsets.Varint();
      const size_t begin = data.position();
      data.Bytes(size >> 1);
      if (!data.ok()) break;
      (read < attributes ? container.attributes : container.types)
          .push_back({static_cast<uint32_t>(dialect), (size & 1) != 0, begin, data.position()});
    }
    if (!data.ok()) break;
  }
  status.Update(offsets.status());
  status.Update(data.status());
  if (status.ok() && (container.attributes.size() != attributes || container.types.size() != types)) {
    status.Update(absl::InvalidArgumentError("the numbers of attributes and types are not those of their offsets"));
  }
}

void ReadProperties(ByteReader reader, BytecodeContainer& container, absl::Status& status) {
  const size_t count = reader.Count();
  for (size_t i = 0; i < count && reader.ok(); ++i) container.properties.push_back(reader.Part(reader.Varint()));
  status.Update(reader.status());
}

}  // namespace

BytecodeSection ReadSection(ByteReader& reader) {
  const uint8_t id = reader.Byte();
  const uint64_t size = reader.Varint();
  if ((id & 0x80) != 0) {
    const uint64_t alignment = reader.Varint();
    // Zero divides nothing, and padding cannot be longer than the file.
    if (alignment == 0 || alignment > reader.file().size()) reader.Fail("an alignment that cannot be");
    while (reader.ok() && reader.position() % alignment != 0) reader.Byte();
  }
  return {static_cast<uint8_t>(id & 0x7F), reader.Part(size)};
}

BytecodeHeader ReadBytecodeHeader(absl::string_view file) {
  ByteReader reader(file, 0, file.size());
  reader.Bytes(kBytecodeMagic.size());
  BytecodeHeader header;
  header.version = reader.Varint();
  header.producer = reader.ZeroTerminated();
  return header;
}

absl::StatusOr<BytecodeContainer> ReadContainer(absl::string_view file) {
  ByteReader reader(file, 0, file.size());
  reader.Bytes(kBytecodeMagic.size());
  BytecodeContainer container{.ir = ByteReader(file, 0, 0)};
  container.version = reader.Varint();
  container.producer = reader.ZeroTerminated();
  if (!reader.ok()) return reader.status();
  if (container.version > kNewestVersion) {
    return absl::UnimplementedError(absl::StrCat("format version ", container.version,
                                                 " of MLIR bytecode is newer than ", kNewestVersion,
                                                 ", the last that is known here"));
  }
  Sections sections = ReadSections(reader);
  if (!reader.ok()) return reader.status();
  for (const uint8_t needed : {kStrings, kDialects, kElements, kElementOffsets, kIrSection}) {
    if (!sections[needed]) {
      return absl::InvalidArgumentError(absl::StrCat("the bytecode has no section of ", kSectionNames[needed]));
    }
  }
  absl::Status status;
  ReadStrings(*sections[kStrings], container, status);
  if (status.ok()) ReadDialects(*sections[kDialects], container, status);
  if (status.ok()) ReadElements(*sections[kElementOffsets], *sections[kElements], container, status);
  if (status.ok() && sections[kProperties]) ReadProperties(*sections[kProperties], container, status);
  if (!status.ok()) return status;
  container.ir = *sections[kIrSection];
  return container;
}

}  // namespace hloscope::stablehlo
