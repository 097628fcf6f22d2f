// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/source_frames.h"

#include <string>

namespace hloscope {
namespace {

// Row `id`, counted from 1; null if there is none.
template <typename T>
const T* Row(const std::vector<T>& rows, int64_t id) {
  return id >= 1 && id <= static_cast<int64_t>(rows.size()) ? &rows[static_cast<size_t>(id - 1)] : nullptr;
}

}  // namespace

std::vector<SourceFrame> SourceFramesOf(const Module& module, const Metadata& metadata) {
  const StackFrameTables& tables = module.header().stack_frames;
  std::vector<SourceFrame> stack;
  int64_t id = metadata.stack_frame_id;
  // A chain longer than the table is a cycle.
  while (stack.size() < tables.frames.size()) {
    const StackFrameTables::Frame* frame = Row(tables.frames, id);
    const StackFrameTables::Location* location = frame ? Row(tables.locations, frame->file_location_id) : nullptr;
    if (location == nullptr) break;
    SourceFrame source;
    if (const std::string* file = Row(tables.file_names, location->file_name_id)) source.file = *file;
    if (const std::string* function = Row(tables.function_names, location->function_name_id)) {
      source.function = *function;
    }
    source.line = location->line;
    source.column = location->column;
    stack.push_back(source);
    id = int64_t{frame->parent_frame_id} - 1;  // off by one in the format: 1 means no parent
  }
  if (stack.empty() && metadata.source_file.has_value()) {
    SourceFrame source;
    source.file = module.string(metadata.source_file);
    source.line = metadata.source_line;
    source.column = metadata.source_column;
    if (!source.file.empty()) stack.push_back(source);
  }
  return stack;
}

}  // namespace hloscope
