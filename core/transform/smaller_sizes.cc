// SPDX-License-Identifier: Apache-2.0
#include "core/transform/smaller_sizes.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "core/ops/factor_groups.h"
#include "core/ops/window_rules.h"
#include "core/transform/module_editor.h"

namespace hloscope {
namespace {

void VisitSizes(const Shape& shape, std::set<int64_t, std::greater<>>& sizes) {
  for (const Shape& element : shape.elements()) VisitSizes(element, sizes);
  if (!shape.IsArray()) return;
  for (int64_t size : shape.dimensions()) {
    if (size > 1) sizes.insert(size);
  }
}

// What becomes of each size. Sizes are equal or different everywhere alike: a module says with equal numbers that
// dimensions belong together.
class SizeMap {
 public:
  int64_t Of(int64_t size) const {
    const auto found = new_sizes_.find(size);
    return found == new_sizes_.end() ? size : found->second;
  }
  std::vector<int64_t> Of(absl::Span<const int64_t> sizes) const {
    std::vector<int64_t> result;
    for (int64_t size : sizes) result.push_back(Of(size));
    return result;
  }
  bool Changes(int64_t size) const { return Of(size) != size; }

  // Demands that `size` becomes `wanted`. Sizes may be changed once.
  void Demand(int64_t size, int64_t wanted) {
    if (Of(size) == wanted) return;
    if (size <= 1 || wanted < 0 || !new_sizes_.try_emplace(size, wanted).second) {
      contradicts_ = true;
    } else {
      grew_ = true;
    }
  }
  void Contradict() { contradicts_ = true; }
  bool contradicts() const { return contradicts_; }
  // Whether there was a demand for another size since the last call.
  bool TakeGrowth() { return std::exchange(grew_, false); }

 private:
  absl::flat_hash_map<int64_t, int64_t> new_sizes_;
  bool contradicts_ = false, grew_ = false;
};

class Resizer {
 public:
  explicit Resizer(const Module& module) : module_(module), editor_(module), out_(editor_.mutable_module()) {}

  std::optional<Module> Run(int64_t from, int64_t to) {
    sizes_.Demand(from, to);
    while (sizes_.TakeGrowth()) {
      for (uint32_t i = 0; i < module_.instruction_count() && !sizes_.contradicts(); ++i) Derive(InstructionId(i));
      if (sizes_.contradicts()) return std::nullopt;
    }
    for (uint32_t i = 0; i < module_.instruction_count(); ++i) Apply(InstructionId(i));
    ModuleHeader& header = out_.mutable_header();
    header.entry_computation_layout.reset();
    return editor_.Finish();
  }

 private:
  const Shape& OperandShape(InstructionId id, size_t k) const { return module_.shape(module_.operand(id, k)); }

  // --- Sizes that follow from others ---

  void Derive(InstructionId id) {
    const Shape& shape = module_.shape(id);
    if (!shape.IsArray() || module_.operands(id).empty() || !OperandShape(id, 0).IsArray()) return;
    switch (module_.opcode(id)) {
      case Opcode::kReshape:
      case Opcode::kBitcast:
        return DeriveReshape(OperandShape(id, 0).dimensions(), shape.dimensions());
      case Opcode::kConcatenate:
        return DeriveConcatenate(id);
      case Opcode::kPad:
        return DerivePad(id);
      case Opcode::kSlice:
        return DeriveSlice(id);
      case Opcode::kReduceWindow:
        return DeriveWindows(id, OperandShape(id, 0), shape);
      case Opcode::kSelectAndScatter:
        return DeriveWindows(id, OperandShape(id, 0), OperandShape(id, 1));
      case Opcode::kConvolution:
        return DeriveConvolution(id);
      case Opcode::kAllGather:
      case Opcode::kReduceScatter:
        return DeriveGroups(id);
      case Opcode::kFft:
        return DeriveFft(id);
      default:
        return;
    }
  }

  int64_t NewProduct(absl::Span<const int64_t> sizes) const {
    int64_t product = 1;
    for (int64_t size : sizes) {
      if (__builtin_mul_overflow(product, sizes_.Of(size), &product)) return -1;
    }
    return product;
  }

  void DeriveReshape(absl::Span<const int64_t> from, absl::Span<const int64_t> to) {
    for (const FactorGroup& group : FactorGroups(from, to)) {
      const auto part = [](absl::Span<const int64_t> sizes, int64_t begin, int64_t end) {
        return sizes.subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
      };
      const absl::Span<const int64_t> before = part(from, group.input_begin, group.input_end);
      const absl::Span<const int64_t> after = part(to, group.output_begin, group.output_end);
      const int64_t wanted = NewProduct(before), is = NewProduct(after);
      if (wanted == is) continue;
      if (after.size() == 1) {
        sizes_.Demand(after[0], wanted);
      } else if (before.size() == 1) {
        sizes_.Demand(before[0], is);
      } else {
        sizes_.Contradict();
      }
    }
  }

  void DeriveConcatenate(InstructionId id) {
    const int64_t dimension = module_.IntsAttribute(id, AttributeKind::kDimensions)[0];
    int64_t sum = 0;
    for (InstructionId operand : module_.operands(id)) sum += sizes_.Of(module_.shape(operand).dimension(dimension));
    sizes_.Demand(module_.shape(id).dimension(dimension), sum);
  }

  void DerivePad(InstructionId id) {
    const PaddingConfig& padding = *module_.PaddingAttribute(id);
    for (size_t d = 0; d < padding.size(); ++d) {
      const int64_t n = sizes_.Of(OperandShape(id, 0).dimensions()[d]);
      const PaddingDimension& p = padding[d];
      sizes_.Demand(module_.shape(id).dimensions()[d], n + p.low + p.high + std::max<int64_t>(n - 1, 0) * p.interior);
    }
  }

  // The whole of a dimension stays the whole; else the part that is still there.
  SliceRange NewRange(SliceRange range, int64_t size) const {
    range.limit = range.limit == size ? sizes_.Of(size) : std::min(sizes_.Of(range.limit), sizes_.Of(size));
    range.start = std::min(range.start, std::max<int64_t>(range.limit - 1, 0));
    return range;
  }
  void DeriveSlice(InstructionId id) {
    const std::vector<SliceRange>& ranges = *module_.SliceRangesAttribute(id);
    for (size_t d = 0; d < ranges.size(); ++d) {
      const SliceRange range = NewRange(ranges[d], OperandShape(id, 0).dimensions()[d]);
      const int64_t length = std::max<int64_t>(range.limit - range.start, 0);
      sizes_.Demand(module_.shape(id).dimensions()[d], (length + range.stride - 1) / range.stride);
    }
  }

  // Padding that goes with the size of the window still does.
  WindowDimension NewWindow(WindowDimension window) const {
    const int64_t old_reach = window.size - 1;
    window.size = sizes_.Of(window.size);
    const int64_t reach = window.size - 1;
    for (int64_t* padding : {&window.padding_low, &window.padding_high}) {
      if (*padding <= 0) continue;
      if (*padding == old_reach) {
        *padding = reach;
      } else if (*padding == old_reach / 2) {
        *padding = reach / 2;
      } else if (*padding == old_reach - old_reach / 2) {
        *padding = reach - reach / 2;
      }
    }
    return window;
  }
  void DemandWindows(const WindowDimension& window, int64_t base, int64_t windows) {
    const std::optional<int64_t> count = WindowCount(sizes_.Of(base), NewWindow(window));
    if (!count) return sizes_.Contradict();
    sizes_.Demand(windows, *count);
  }
  void DeriveWindows(InstructionId id, const Shape& base, const Shape& windows) {
    const Window* const window = module_.WindowAttribute(id);
    if (window == nullptr || !windows.IsArray()) return;
    for (size_t d = 0; d < window->dimensions.size(); ++d) {
      DemandWindows(window->dimensions[d], base.dimensions()[d], windows.dimensions()[d]);
    }
  }
  void DeriveConvolution(InstructionId id) {
    const Window* const window = module_.WindowAttribute(id);
    const ConvolutionDimensionNumbers& numbers = *module_.DimLabelsAttribute(id);
    if (window == nullptr) return;
    for (size_t d = 0; d < window->dimensions.size(); ++d) {
      DemandWindows(window->dimensions[d], OperandShape(id, 0).dimension(numbers.input_spatial[d]),
                    module_.shape(id).dimension(numbers.output_spatial[d]));
    }
  }

  // As many devices as before take part.
  void DeriveGroups(InstructionId id) {
    if (module_.operands(id).size() != 1) return;
    const int64_t d = module_.IntsAttribute(id, AttributeKind::kDimensions)[0];
    const int64_t from = OperandShape(id, 0).dimension(d), to = module_.shape(id).dimension(d);
    if (from > 0 && to > 0 && to % from == 0) sizes_.Demand(to, sizes_.Of(from) * (to / from));
    if (from > 0 && to > 0 && to % from != 0 && from % to == 0) sizes_.Demand(from, sizes_.Of(to) * (from / to));
  }
  void DeriveFft(InstructionId id) {
    const absl::Span<const int64_t> lengths = module_.IntsAttribute(id, AttributeKind::kFftLength);
    const FftType type = module_.WordAttribute(id, AttributeKind::kFftType, FftType::kFft);
    if (lengths.empty() || (type != FftType::kRfft && type != FftType::kIrfft)) return;
    const int64_t half = sizes_.Of(lengths.back()) / 2 + 1;
    sizes_.Demand((type == FftType::kRfft ? module_.shape(id) : OperandShape(id, 0)).dimensions().back(), half);
  }

  // --- Everything with its new sizes ---

  Shape Resized(const Shape& shape) const {
    if (shape.IsTuple()) {
      std::vector<Shape> elements;
      for (const Shape& element : shape.elements()) elements.push_back(Resized(element));
      return Shape::Tuple(elements);
    }
    Shape resized = shape;
    for (int64_t d = 0; shape.IsArray() && d < shape.rank(); ++d)
      resized.set_dimension(d, sizes_.Of(shape.dimension(d)));
    return resized;
  }

  void Apply(InstructionId id) {
    const Shape resized = Resized(module_.shape(id));
    if (resized != module_.shape(id)) {
      out_.SetShape(id, resized);
      editor_.NoteChange();
      if (module_.instruction(id).literal.has_value()) out_.SetLiteral(id, Cut(module_.literal(id), resized));
    }
    ResizeAttributes(id);
  }

  // The elements at indices that are still there.
  static Literal Cut(const Literal& literal, const Shape& shape) {
    Literal result(shape);
    if (literal.IsElided()) result.set_elided();
    if (!shape.IsArray() || literal.StoredElementCount() == 0) return result;
    const size_t bytes = static_cast<size_t>(StorageBytes(shape.element_type()));
    const absl::Span<const int64_t> old_sizes = literal.shape().dimensions(), sizes = shape.dimensions();
    std::vector<int64_t> index(sizes.size(), 0);
    for (int64_t n = 0; n < shape.ElementCount(); ++n) {
      int64_t at = 0;
      for (size_t d = 0; d < sizes.size(); ++d) at = at * old_sizes[d] + std::min(index[d], old_sizes[d] - 1);
      const uint8_t* const element = literal.ElementBytes(at);
      result.mutable_bytes().insert(result.mutable_bytes().end(), element, element + bytes);
      for (size_t d = sizes.size(); d-- > 0 && ++index[d] == sizes[d];) index[d] = 0;
    }
    return result;
  }

  // Takes the attribute away; the caller adds it again.
  void Drop(InstructionId id, AttributeKind kind) {
    editor_.KeepAttributes(id, [kind](AttributeKind other) { return other != kind; });
  }

  void ResizeAttributes(InstructionId id) {
    for (AttributeKind kind :
         {AttributeKind::kDynamicSliceSizes, AttributeKind::kSliceSizes, AttributeKind::kFftLength}) {
      const absl::Span<const int64_t> list = module_.IntsAttribute(id, kind);
      const std::vector<int64_t> resized = sizes_.Of(list);
      if (absl::MakeConstSpan(resized) == list) continue;
      Drop(id, kind);
      out_.AddInts(id, kind, resized);
    }
    if (const std::vector<SliceRange>* ranges = module_.SliceRangesAttribute(id)) {
      std::vector<SliceRange> resized;
      for (size_t d = 0; d < ranges->size(); ++d) {
        resized.push_back(NewRange((*ranges)[d], OperandShape(id, 0).dimensions()[d]));
      }
      if (resized != *ranges) {
        Drop(id, AttributeKind::kSlice);
        out_.AddSliceRanges(id, resized);
      }
    }
    if (const Window* window = module_.WindowAttribute(id)) {
      Window resized = *window;
      for (WindowDimension& d : resized.dimensions) d = NewWindow(d);
      if (resized != *window) {
        Drop(id, AttributeKind::kWindow);
        out_.AddWindow(id, resized);
      }
    }
    const std::vector<Shape>* const layouts = module_.ShapesAttribute(id, AttributeKind::kOperandLayoutConstraints);
    if (layouts != nullptr) {
      std::vector<Shape> resized;
      for (const Shape& shape : *layouts) resized.push_back(Resized(shape));
      if (resized != *layouts) {
        Drop(id, AttributeKind::kOperandLayoutConstraints);
        out_.AddShapes(id, AttributeKind::kOperandLayoutConstraints, resized);
      }
    }
  }

  const Module module_;  // as it was: the editor's changes
  SizeMap sizes_;
  ModuleEditor editor_;
  Module& out_;
};

}  // namespace

std::vector<int64_t> DimensionSizes(const Module& module) {
  std::set<int64_t, std::greater<>> sizes;
  for (uint32_t i = 0; i < module.instruction_count(); ++i) VisitSizes(module.shape(InstructionId(i)), sizes);
  return {sizes.begin(), sizes.end()};
}

std::optional<Module> WithSize(const Module& module, int64_t from, int64_t to) { return Resizer(module).Run(from, to); }

}  // namespace hloscope
