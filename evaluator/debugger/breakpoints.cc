// SPDX-License-Identifier: Apache-2.0
#include "evaluator/debugger/breakpoints.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "core/analysis/source_frames.h"
#include "core/diagnostics/suggestions.h"
#include "core/source/file_reader.h"
#include "core/source/output_file.h"

namespace hloscope::evaluator {
namespace {

constexpr absl::string_view kRecordHeader = "hloscope values 1";

bool HasWildcard(absl::string_view pattern) { return pattern.find_first_of("*?") != absl::string_view::npos; }

// The first instruction of a computation: a breakpoint there stops at its first step.
InstructionId FirstOf(const Module& module, ComputationId computation) {
  const std::vector<InstructionId>& instructions = module.computation(computation).instructions;
  return instructions.empty() ? InstructionId() : instructions.front();
}

template <typename Accepts>
std::vector<InstructionId> InstructionsThat(const Module& module, Accepts&& accepts) {
  std::vector<InstructionId> found;
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    if (accepts(InstructionId(i))) found.push_back(InstructionId(i));
  }
  return found;
}

absl::StatusOr<std::vector<InstructionId>> OfOpcode(const Module& module, absl::string_view spelling) {
  std::vector<InstructionId> found =
      InstructionsThat(module, [&](InstructionId id) { return OpcodeName(module.opcode(id)) == spelling; });
  if (!found.empty()) return found;
  std::vector<absl::string_view> spellings;
  for (size_t i = 0; i < module.instruction_count(); ++i)
    spellings.push_back(OpcodeName(module.opcode(InstructionId(i))));
  std::sort(spellings.begin(), spellings.end());
  spellings.erase(std::unique(spellings.begin(), spellings.end()), spellings.end());
  return absl::NotFoundError(
      absl::StrCat("the module has no `", spelling, "` instruction", DidYouMean(spelling, spellings)));
}

absl::StatusOr<std::vector<InstructionId>> OfOpName(const Module& module, absl::string_view pattern) {
  const bool wildcard = HasWildcard(pattern);
  std::vector<InstructionId> found = InstructionsThat(module, [&](InstructionId id) {
    const Metadata* metadata = module.MetadataOf(id);
    if (metadata == nullptr || !metadata->op_name.has_value()) return false;
    const absl::string_view op_name = module.string(metadata->op_name);
    return wildcard ? MatchesPattern(pattern, op_name) : absl::StrContains(op_name, pattern);
  });
  if (!found.empty()) return found;
  return absl::NotFoundError(
      absl::StrCat("no instruction has an op_name that ", wildcard ? "matches" : "contains", " `", pattern, "`"));
}

bool IsFile(absl::string_view path, absl::string_view wanted) {
  return path == wanted || absl::EndsWith(path, absl::StrCat("/", wanted));
}

absl::StatusOr<std::vector<InstructionId>> OfSourceLine(const Module& module, absl::string_view file, int32_t line) {
  bool file_seen = false;
  std::vector<InstructionId> found = InstructionsThat(module, [&](InstructionId id) {
    const Metadata* metadata = module.MetadataOf(id);
    if (metadata == nullptr) return false;
    bool here = false;
    for (const SourceFrame& frame : SourceFramesOf(module, *metadata)) {
      const bool same_file = IsFile(frame.file, file);
      file_seen |= same_file;
      here |= same_file && frame.line == line;
    }
    return here;
  });
  if (!found.empty()) return found;
  return absl::NotFoundError(file_seen ? absl::StrCat("no instruction comes from line ", line, " of ", file)
                                       : absl::StrCat("no instruction's metadata names a file `", file, "`"));
}

void AppendChecksum(const void* bytes, size_t count, uint64_t& hash) {
  const uint8_t* byte = static_cast<const uint8_t*>(bytes);
  for (size_t i = 0; i < count; ++i) hash = (hash ^ byte[i]) * 0x100000001b3u;
}

}  // namespace

bool MatchesPattern(absl::string_view pattern, absl::string_view text) {
  size_t p = 0, t = 0, star = absl::string_view::npos, retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || (pattern[p] == text[t] && pattern[p] != '*'))) {
      ++p;
      ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (star != absl::string_view::npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

absl::StatusOr<std::vector<InstructionId>> LocationsOf(const Module& module, const NameIndex& names,
                                                       absl::string_view place, ComputationId preferred) {
  absl::string_view rest = place;
  if (absl::ConsumePrefix(&rest, "opcode:")) return OfOpcode(module, rest);
  if (absl::ConsumePrefix(&rest, "op_name:")) return OfOpName(module, rest);
  if (place == "iteration") {
    std::vector<InstructionId> first;
    for (size_t i = 0; i < module.instruction_count(); ++i) {
      if (module.opcode(InstructionId(i)) != Opcode::kWhile) continue;
      const ComputationId body = module.ComputationAttribute(InstructionId(i), AttributeKind::kBody);
      if (body.has_value() && FirstOf(module, body).has_value()) first.push_back(FirstOf(module, body));
    }
    if (first.empty()) return absl::NotFoundError("the module has no loops");
    return first;
  }
  const absl::Span<const InstructionId> named = names.Instructions(place);
  if (!named.empty()) {
    for (InstructionId id : named) {
      if (module.instruction(id).computation == preferred) return std::vector<InstructionId>{id};
    }
    return std::vector<InstructionId>(named.begin(), named.end());
  }
  if (const ComputationId computation = names.FindComputation(place); computation.has_value()) {
    const InstructionId first = FirstOf(module, computation);
    if (!first.has_value()) return absl::NotFoundError(absl::StrCat("computation ", place, " is empty"));
    return std::vector<InstructionId>{first};
  }
  const size_t colon = place.rfind(':');
  int32_t line = 0;
  if (colon != absl::string_view::npos && colon > 0 && place[colon - 1] != ':' &&
      absl::SimpleAtoi(place.substr(colon + 1), &line)) {
    return OfSourceLine(module, place.substr(0, colon), line);
  }
  return absl::NotFoundError(
      absl::StrCat("there is no instruction or computation `", place, "`", names.SuggestInstruction(place)));
}

uint64_t ValueRecord::Checksum(const Value& value) {
  uint64_t hash = 0xcbf29ce484222325u;
  value.ForEachTensor([&](const Tensor& tensor) {
    const Tensor valid = tensor.WithRunTimeSizes();
    const uint8_t type = static_cast<uint8_t>(valid.element_type());
    AppendChecksum(&type, 1, hash);
    for (int64_t size : valid.dimensions()) AppendChecksum(&size, sizeof(size), hash);
    const absl::StatusOr<Tensor> dense = valid.Contiguous();
    if (dense.ok()) AppendChecksum(dense->data(), static_cast<size_t>(dense->byte_size()), hash);
  });
  return hash;
}

void ValueRecord::Add(int64_t device, const std::string& path, const Value& value) {
  checksums_[absl::StrCat(device, " ", path)] = Checksum(value);
}

std::optional<bool> ValueRecord::Agrees(int64_t device, const std::string& path, const Value& value) const {
  const auto found = checksums_.find(absl::StrCat(device, " ", path));
  if (found == checksums_.end()) return std::nullopt;
  return found->second == Checksum(value);
}

absl::Status ValueRecord::Write(const std::string& path) const {
  std::string text = absl::StrCat(kRecordHeader, "\n");
  for (const auto& [key, checksum] : checksums_) absl::StrAppendFormat(&text, "%016x %s\n", checksum, key);
  return WriteFileAtomically(path, text);
}

absl::StatusOr<ValueRecord> ValueRecord::Read(const std::string& path) {
  if (absl::Status status = CheckReadable(path); !status.ok()) return status;
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(absl::StrCat(path, ": cannot be read"));
  std::string line;
  if (!std::getline(file, line) || line != kRecordHeader) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": is not a record of values (`record values FILE` makes one)"));
  }
  ValueRecord record;
  for (int number = 2; std::getline(file, line); ++number) {
    uint64_t checksum;
    if (line.size() < 18 || line[16] != ' ' || !absl::SimpleHexAtoi(absl::string_view(line).substr(0, 16), &checksum)) {
      return absl::InvalidArgumentError(absl::StrCat(path, ":", number, ": is not a line of a record of values"));
    }
    record.checksums_[line.substr(17)] = checksum;
  }
  return record;
}

}  // namespace hloscope::evaluator
