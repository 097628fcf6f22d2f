// SPDX-License-Identifier: Apache-2.0
// Shapes by how they are spelt: the same few occur thousands of times. Internal to core/semantics.
#ifndef HLOSCOPE_CORE_SEMANTICS_SHAPE_CACHE_H_
#define HLOSCOPE_CORE_SEMANTICS_SHAPE_CACHE_H_

#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "core/ir/module.h"
#include "core/ir/text_hash.h"
#include "core/semantics/read_text.h"

namespace hloscope {

// Each spelling that gives no diagnostic is read once. The text must outlive this.
class ShapeCache {
 public:
  ShapeCache(ReadText& text, Module& module) : text_(text), module_(module), invalid_(module.InternShape(Shape())) {}

  // What an instruction has whose shape cannot be known.
  ShapeId invalid() const { return invalid_; }
  // The shape that the tokens are. Nothing after a diagnostic.
  std::optional<ShapeId> Read(TokenRange range);
  // The shape at the cursor, within a list; stops after it. Null after a diagnostic. Valid until the next call.
  const Shape* ReadItem(TokenCursor& cursor);

 private:
  ReadText& text_;
  Module& module_;
  ShapeId invalid_;
  absl::flat_hash_map<absl::string_view, ShapeId, TextHash> shapes_;
  absl::flat_hash_map<absl::string_view, Shape, TextHash> items_;
  Shape odd_item_;  // one that is not in items_
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_SHAPE_CACHE_H_
