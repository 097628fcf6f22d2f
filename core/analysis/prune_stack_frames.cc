// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/prune_stack_frames.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace hloscope {
namespace {

// Which rows of a table are needed, and their numbers afterwards. Rows count from 1.
class Rows {
 public:
  explicit Rows(size_t count) : needed_(count, false) {}
  bool Has(int64_t id) const { return id >= 1 && id <= static_cast<int64_t>(needed_.size()); }
  // False if it was needed before, or there is no such row.
  bool Need(int64_t id) {
    if (!Has(id) || needed_[static_cast<size_t>(id - 1)]) return false;
    needed_[static_cast<size_t>(id - 1)] = true;
    return true;
  }
  void Number() {
    int32_t next = 0;
    for (bool needed : needed_) numbers_.push_back(needed ? ++next : 0);
  }
  // 0 for a row that goes.
  int32_t Of(int64_t id) const { return Has(id) ? numbers_[static_cast<size_t>(id - 1)] : 0; }

  template <typename T>
  std::vector<T> Kept(std::vector<T> rows) const {
    std::vector<T> kept;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (needed_[i]) kept.push_back(std::move(rows[i]));
    }
    return kept;
  }

 private:
  std::vector<bool> needed_;
  std::vector<int32_t> numbers_;
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

void PruneStackFrames(Module& module, absl::FunctionRef<bool(InstructionId)> stays) {
  if (module.header().stack_frames.empty()) return;
  StackFrameTables& tables = module.mutable_header().stack_frames;
  Rows frames(tables.frames.size()), locations(tables.locations.size()), files(tables.file_names.size()),
      functions(tables.function_names.size());
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const Metadata* const metadata = stays(InstructionId(i)) ? module.MetadataOf(InstructionId(i)) : nullptr;
    if (metadata == nullptr) continue;
    int64_t id = metadata->stack_frame_id;
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
  tables.frames = frames.Kept(std::move(tables.frames));
  tables.locations = locations.Kept(std::move(tables.locations));
  tables.file_names = files.Kept(std::move(tables.file_names));
  tables.function_names = functions.Kept(std::move(tables.function_names));
  for (StackFrameTables::Frame& frame : tables.frames) {
    frame.file_location_id = locations.Of(frame.file_location_id);
    frame.parent_frame_id = frames.Of(int64_t{frame.parent_frame_id} - 1) + 1;
  }
  for (StackFrameTables::Location& location : tables.locations) {
    location.file_name_id = files.Of(location.file_name_id);
    location.function_name_id = functions.Of(location.function_name_id);
  }
  for (uint32_t i = 0; i < module.instruction_count(); ++i) {
    const Metadata* const metadata = module.MetadataOf(InstructionId(i));
    if (metadata == nullptr || metadata->stack_frame_id == frames.Of(metadata->stack_frame_id)) continue;
    SetStackFrame(module, InstructionId(i), frames.Of(metadata->stack_frame_id));
  }
}

}  // namespace hloscope
