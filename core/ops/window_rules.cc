// SPDX-License-Identifier: Apache-2.0
#include "core/ops/window_rules.h"

#include <utility>

#include "core/ops/element_type_rules.h"

namespace hloscope {
namespace {

Anchor WindowAnchor() { return Anchor::Attribute(AttributeKind::kWindow); }
// What a field of the window says about dimension `d`.
Anchor WindowField(absl::string_view field, size_t d) { return Anchor::FieldEntry(AttributeKind::kWindow, field, d); }

}  // namespace

CheckedInt64 DilatedSize(int64_t size, int64_t dilation) {
  if (size == 0) return 0;
  return (CheckedInt64(size) - 1) * dilation + 1;
}

CheckedInt64 PaddedBaseSize(int64_t base, const WindowDimension& window) {
  return DilatedSize(base, window.base_dilation) + window.padding_low + window.padding_high;
}

std::optional<int64_t> WindowCount(int64_t base, const WindowDimension& window) {
  const CheckedInt64 padded = PaddedBaseSize(base, window);
  const CheckedInt64 size = DilatedSize(window.size, window.window_dilation);
  if (!padded.ok() || !size.ok() || padded.value() < 0) return std::nullopt;
  if (padded.value() == 0 || size.value() > padded.value()) return 0;
  return (padded.value() - size.value()) / window.stride + 1;
}

bool CheckWindowFields(RuleContext& context, const Window& window) {
  bool ok = true;
  for (size_t d = 0; d < window.dimensions.size(); ++d) {
    const WindowDimension& w = window.dimensions[d];
    const std::pair<const char*, int64_t> fields[] = {
        {"size", w.size}, {"stride", w.stride}, {"lhs_dilate", w.base_dilation}, {"rhs_dilate", w.window_dilation}};
    for (const auto& [name, value] : fields) {
      if (value >= 1) continue;
      ok = false;
      context.Report(DiagnosticKind::kWindowField, WindowField(name, d), context.opcode_name(), d, name, value);
    }
  }
  return ok;
}

void CheckNoReversal(RuleContext& context, const Window& window) {
  for (size_t d = 0; d < window.dimensions.size(); ++d) {
    if (!window.dimensions[d].reversal) continue;
    const Anchor field = WindowField("rhs_reversal", d);
    context.Report(DiagnosticKind::kWindowReversal, field, context.opcode_name())
        .Fix("do not reverse the window", context.RangeOf(field), "0");
    return;
  }
}

std::optional<int64_t> InferWindowCount(RuleContext& context, const Window& window, size_t d, const Shape& base,
                                        int64_t base_dimension) {
  if (base.IsUnboundedDimension(base_dimension)) return kUnboundedSize;
  const WindowDimension& w = window.dimensions[d];
  const int64_t size = base.dimension(base_dimension);
  const std::optional<int64_t> count = WindowCount(size, w);
  if (count.has_value()) return count;
  const CheckedInt64 padded = PaddedBaseSize(size, w);
  if (padded.ok() && padded.value() < 0) {
    context.Report(DiagnosticKind::kWindowPaddedBase, WindowField("pad", d), context.opcode_name(), d, padded.value(),
                   size, DilatedSize(size, w.base_dilation).value(), w.padding_low, w.padding_high);
  } else {
    context.Report(DiagnosticKind::kSizeOverflow, WindowAnchor(), context.opcode_name(), d);
  }
  return std::nullopt;
}

std::optional<Shape> InferWindowedShape(RuleContext& context, const Shape& base) {
  static const Window* const kNoWindow = new Window();
  const Window* attribute = context.module().WindowAttribute(context.id());
  const Window& window = attribute != nullptr ? *attribute : *kNoWindow;
  bool ok = CheckWindowFields(context, window);
  CheckNoReversal(context, window);
  if (window.dimensions.size() != static_cast<size_t>(base.rank())) {
    context.Report(DiagnosticKind::kWindowRank, WindowAnchor(), context.opcode_name(),
                   CountOf(window.dimensions.size(), "dimension", "dimensions"), base.ToString(false), base.rank());
    ok = false;
  }
  if (!ok) return std::nullopt;
  Shape result = base;
  result.clear_layout();
  for (int64_t d = 0; d < base.rank(); ++d) {
    const std::optional<int64_t> count = InferWindowCount(context, window, static_cast<size_t>(d), base, d);
    if (!count.has_value()) {
      ok = false;
    } else {
      result.set_dimension(d, *count);
    }
  }
  return ok ? std::optional<Shape>(std::move(result)) : std::nullopt;
}

}  // namespace hloscope
