// SPDX-License-Identifier: Apache-2.0
#include "core/print/print_options.h"

namespace hloscope {

void PrintOptions::WriteWhatReadingAdds() {
  layouts = LayoutText::kAll;
  shape_index_comments = literal_index_comments = header = entry_mark = true;
  operand_forms = nullptr;
  written_threads = nullptr;
  keep_written_signatures = keep_written_omissions = false;
}

PrintOptions PrintOptions::Dump() {
  PrintOptions options;
  options.async_sugar = false;
  options.compact_tuple_access = true;
  return options;
}

PrintOptions PrintOptions::Short() {
  PrintOptions options;
  options.percent = false;
  options.operand_index_comments = false;
  options.signatures = false;
  options.metadata = false;
  options.control_predecessors = false;
  options.large_constants = true;
  return options;
}

PrintOptions PrintOptions::Canonical() {
  PrintOptions options = Short();
  options.operand_shapes = true;
  options.backend_config = false;
  options.large_constants = false;
  options.inline_computations = true;
  options.canonical_names = true;
  options.order = PrintOrder::kXla;
  return options;
}

std::optional<PrintOptions> PrintOptions::FromStyleName(absl::string_view name) {
  if (name == "dump") return Dump();
  if (name == "long") return Long();
  if (name == "short") return Short();
  if (name == "canonical") return Canonical();
  return std::nullopt;
}

}  // namespace hloscope
