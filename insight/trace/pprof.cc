// SPDX-License-Identifier: Apache-2.0
#include "insight/trace/pprof.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/analysis/source_frames.h"
#include "insight/trace/call_ways.h"

namespace hloscope::insight {
namespace {

// The wire format, as far as this message needs it.
class Message {
 public:
  void Number(uint32_t field, uint64_t value) {
    if (value == 0) return;
    Varint(field << 3);
    Varint(value);
  }
  void Bytes(uint32_t field, absl::string_view bytes) {
    Varint(field << 3 | 2);
    Varint(bytes.size());
    absl::StrAppend(&bytes_, bytes);
  }
  void Packed(uint32_t field, const std::vector<uint64_t>& values) {
    Message packed;
    for (uint64_t value : values) packed.Varint(value);
    Bytes(field, packed.bytes_);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void Varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>(value | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }
  std::string bytes_;
};

class PprofWriter {
 public:
  PprofWriter(const Module& module, const evaluator::RunTrace& trace) : module_(module), trace_(trace), ways_(trace) {
    String("");
  }

  std::string Write() {
    Unit(kSampleType, "steps", "count");
    Unit(kSampleType, "time", "nanoseconds");
    for (uint32_t n = 1; n < trace_.nodes().size(); ++n) {
      const evaluator::RunTrace::Node& node = trace_.nodes()[n];
      if (node.steps == 0) continue;
      const CallWays::Way way = ways_.To(n);
      std::vector<uint64_t> locations;
      for (size_t k = 0; k < way.nodes.size(); ++k) {
        if (k == CallWays::kOuter && way.left_out > 0) locations.push_back(LocationOfCallsLeftOut());
        locations.push_back(Location(trace_.nodes()[way.nodes[k]].instruction));
      }
      std::reverse(locations.begin(), locations.end());  // the innermost first
      Message sample;
      sample.Packed(1, locations);
      sample.Packed(2, {static_cast<uint64_t>(node.steps), static_cast<uint64_t>(node.nanoseconds)});
      profile_.Bytes(kSample, sample.bytes());
    }
    Unit(kPeriodType, "time", "nanoseconds");
    profile_.Number(kPeriod, 1);
    profile_.Number(kDefaultSampleType, String("time"));
    for (const std::string& text : strings_) profile_.Bytes(kStringTable, text);
    return profile_.bytes();
  }

 private:
  enum : uint32_t {
    kSampleType = 1,
    kSample = 2,
    kLocation = 4,
    kFunction = 5,
    kStringTable = 6,
    kPeriodType = 11,
    kPeriod = 12,
    kDefaultSampleType = 14,
  };

  uint64_t String(absl::string_view text) {
    const auto [it, inserted] = known_strings_.try_emplace(text, strings_.size());
    if (inserted) strings_.emplace_back(text);
    return it->second;
  }

  void Unit(uint32_t field, absl::string_view type, absl::string_view unit) {
    Message message;
    message.Number(1, String(type));
    message.Number(2, String(unit));
    profile_.Bytes(field, message.bytes());
  }

  uint64_t Location(InstructionId id) {
    const auto [it, inserted] = locations_.try_emplace(id, next_location_);
    if (!inserted) return it->second;
    const uint64_t number = next_location_++;
    std::string file;
    int64_t line_number = 0;
    if (const Metadata* metadata = module_.MetadataOf(id)) {
      const std::vector<SourceFrame> frames = SourceFramesOf(module_, *metadata);
      if (!frames.empty()) {
        file = std::string(frames[0].file);
        line_number = frames[0].line;
      }
    }
    WriteLocation(number, absl::StrCat(module_.InstructionName(id), " (", OpcodeName(module_.opcode(id)), ")"),
                  module_.InstructionName(id), file, line_number);
    return number;
  }

  uint64_t LocationOfCallsLeftOut() {
    if (left_out_ == 0) WriteLocation(left_out_ = next_location_++, "(calls left out)", "", "", 0);
    return left_out_;
  }

  void WriteLocation(uint64_t number, absl::string_view shown, absl::string_view name, absl::string_view file,
                     int64_t line_number) {
    Message function;
    function.Number(1, number);
    function.Number(2, String(shown));
    function.Number(3, String(name));
    function.Number(4, String(file));
    profile_.Bytes(kFunction, function.bytes());
    Message line, location;
    line.Number(1, number);
    line.Number(2, line_number > 0 ? static_cast<uint64_t>(line_number) : 0);
    location.Number(1, number);
    location.Bytes(4, line.bytes());
    profile_.Bytes(kLocation, location.bytes());
  }

  const Module& module_;
  const evaluator::RunTrace& trace_;
  const CallWays ways_;
  Message profile_;
  std::vector<std::string> strings_;
  absl::flat_hash_map<std::string, uint64_t> known_strings_;
  absl::flat_hash_map<InstructionId, uint64_t> locations_;
  uint64_t next_location_ = 1, left_out_ = 0;
};

}  // namespace

std::string PprofOf(const Module& module, const evaluator::RunTrace& trace) {
  return PprofWriter(module, trace).Write();
}

}  // namespace hloscope::insight
