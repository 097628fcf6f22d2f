// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/prune_stack_frames.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace hloscope {
namespace {

// Which rows of a table are needed, and their numbers afterwards. Rows count from 1.
class Rows {
 public:
  explicit Rows(size_t count) : count_(static_cast<int64_t>(count)) {}
  bool Has(int64_t id) const { return id >= 1 && id <= count_; }
  // False if it was needed before, or there is no such row.
  bool Need(int64_t id) { return Has(id) && numbers_.emplace(static_cast<int32_t>(id), 0).second; }
  void Number() {
    int32_t next = 0;
    for (auto& [old, number] : numbers_) number = ++next;
  }
  // 0 for a row that goes.
  int32_t Of(int64_t id) const {
    const auto it = Has(id) ? numbers_.find(static_cast<int32_t>(id)) : numbers_.end();
    return it == numbers_.end() ? 0 : it->second;
  }
  const std::map<int32_t, int32_t>& numbers() const { return numbers_; }

  template <typename T>
  std::vector<T> Kept(const std::vector<T>& rows) const {
    std::vector<T> kept;
    for (const auto& [old, number] : numbers_) kept.push_back(rows[static_cast<size_t>(old - 1)]);
    return kept;
  }

 private:
  int64_t count_;
  std::map<int32_t, int32_t> numbers_;
};

void SetStackFrame(Module& module, InstructionId id, int32_t frame) {
  const absl::Span<const Attribute> attributes = module.attributes(id);
  const std::vector<Attribute> old(attributes.begin(), attributes.end());
  Metadata metadata = *module.MetadataOf(id);
  metadata.stack_frame_id = frame;
  module.mutable_instruction(id).attribute_count = 0;
  for (const Attribute& attribute : old) {
    if (attribute.kind == AttributeKind::kMetadata) {
      module.AddMetadata(id, metadata, attribute.syntax);
    } else {
      module.AddShared(id, attribute, attribute.syntax);
    }
  }
}

}  // namespace

PrunedStackFrames PruneStackFrames(const StackFrameTables& tables, const std::vector<int32_t>& needed) {
  Rows frames(tables.frames.size()), locations(tables.locations.size()), files(tables.file_names.size()),
      functions(tables.function_names.size());
  for (int64_t id : needed) {
    while (frames.Need(id)) {
      const StackFrameTables::Frame& frame = tables.frames[static_cast<size_t>(id - 1)];
      if (locations.Need(frame.file_location_id)) {
        const StackFrameTables::Location& location = tables.locations[static_cast<size_t>(frame.file_location_id - 1)];
        files.Need(location.file_name_id);
        functions.Need(location.function_name_id);
      }
      id = int64_t{frame.parent_frame_id} - 1;  // off by one in the format: 1 means no parent
    }
  }
  for (Rows* rows : {&frames, &locations, &files, &functions}) rows->Number();
  PrunedStackFrames pruned;
  pruned.tables.frames = frames.Kept(tables.frames);
  pruned.tables.locations = locations.Kept(tables.locations);
  pruned.tables.file_names = files.Kept(tables.file_names);
  pruned.tables.function_names = functions.Kept(tables.function_names);
  for (StackFrameTables::Frame& frame : pruned.tables.frames) {
    frame.file_location_id = locations.Of(frame.file_location_id);
    frame.parent_frame_id = frames.Of(int64_t{frame.parent_frame_id} - 1) + 1;
  }
  for (StackFrameTables::Location& location : pruned.tables.locations) {
    location.file_name_id = files.Of(location.file_name_id);
    location.function_name_id = functions.Of(location.function_name_id);
  }
  pruned.numbers.insert(frames.numbers().begin(), frames.numbers().end());
  return pruned;
}

void PruneStackFrames(Module& module, absl::FunctionRef<bool(InstructionId)> stays) {
  if (module.header().stack_frames.empty()) return;
  std::vector<int32_t> needed;
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const Metadata* const metadata = stays(InstructionId(i)) ? module.MetadataOf(InstructionId(i)) : nullptr;
    if (metadata != nullptr) needed.push_back(metadata->stack_frame_id);
  }
  PrunedStackFrames pruned = PruneStackFrames(module.header().stack_frames, needed);
  module.mutable_header().stack_frames = std::move(pruned.tables);
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const Metadata* const metadata = module.MetadataOf(InstructionId(i));
    if (metadata == nullptr) continue;
    const auto it = pruned.numbers.find(metadata->stack_frame_id);
    const int32_t number = it == pruned.numbers.end() ? 0 : it->second;
    if (metadata->stack_frame_id != number) SetStackFrame(module, InstructionId(i), number);
  }
}

}  // namespace hloscope
