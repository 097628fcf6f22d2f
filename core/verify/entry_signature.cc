// SPDX-License-Identifier: Apache-2.0
// The entry computation against the module header: layout, aliasing, donation (docs/ops/control.md 6.4).
#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/layout/byte_size.h"
#include "core/ops/custom_call.h"
#include "core/ops/element_type_rules.h"
#include "core/ops/shape_matching.h"
#include "core/verify/verification.h"

namespace hloscope {
namespace {

constexpr absl::string_view kLayoutAttribute = "entry_computation_layout";
constexpr absl::string_view kAliasAttribute = "input_output_alias";
constexpr absl::string_view kDonorAttribute = "buffer_donor";

// The entry layout may have other tiles, tail padding and memory spaces than the instructions.
bool MatchesEntryLayout(const Verification& v, const Shape& shape, const Shape& layout) {
  LayoutMatching matching;
  matching.ignore_tiles = matching.ignore_tail_padding = matching.ignore_memory_space = true;
  return ShapesMatch(shape, layout, v.options, matching);
}

// Offers to write the layout that the entry computation has, unless it may be another computation that is meant.
void FixEntryLayout(Verification& v, const Computation& entry, Diagnostic& diagnostic) {
  if (v.module.entry_is_assumed()) {
    diagnostic.Related(v.resolver().ResolveComputation(v.module.entry()),
                       "no computation is marked ENTRY: the last one is taken for it");
    return;
  }
  std::string text = absl::StrCat(kLayoutAttribute, "={(");
  for (size_t k = 0; k < entry.parameters.size(); ++k) {
    const InstructionId id = entry.parameters[k];
    if (!id.has_value() || !v.module.shape(id).IsValid()) return;
    absl::StrAppend(&text, k > 0 ? ", " : "", v.module.shape(id).ToString());
  }
  if (!v.module.shape(entry.root).IsValid()) return;
  absl::StrAppend(&text, ")->", v.module.shape(entry.root).ToString(), "}");
  diagnostic.Fix("write the layout of the entry computation", v.resolver().ResolveHeader({kLayoutAttribute}), text);
}

// An entry of a header list. Finding it takes time in proportion to its number: beyond a few, all of it is marked.
HeaderPart EntryPart(absl::string_view attribute, HeaderPart::Kind kind, size_t i) {
  constexpr size_t kMaxMarked = 1000;
  return i < kMaxMarked ? HeaderPart{attribute, kind, i} : HeaderPart{attribute};
}

// Whether every instruction could be read, and the parameters have numbers of their own: else those are the mistake.
bool KnowsItsParameters(const Module& module, const Computation& entry) {
  size_t parameters = 0;
  for (InstructionId id : entry.instructions) {
    if (module.instruction(id).has_reading_errors) return false;
    if (module.opcode(id) == Opcode::kParameter) ++parameters;
  }
  return parameters == entry.parameters.size();
}

// V030-V032.
void CheckEntryLayout(Verification& v, const Computation& entry) {
  const auto& layout = v.module.header().entry_computation_layout;
  if (!layout || !entry.root.has_value()) return;  // an entry without root could not be read whole
  const bool with_layout = v.options.layout_sensitive;
  if (layout->parameters.size() != entry.parameters.size()) {
    if (!KnowsItsParameters(v.module, entry)) return;
    FixEntryLayout(
        v, entry,
        v.ReportHeader(DiagnosticKind::kEntryLayoutCount, {kLayoutAttribute},
                       CountOf(layout->parameters.size(), "parameter", "parameters"), entry.parameters.size()));
  } else {
    for (size_t k = 0; k < entry.parameters.size(); ++k) {
      const InstructionId parameter = entry.parameters[k];
      if (!parameter.has_value() || !v.module.shape(parameter).IsValid()) continue;
      const Shape& shape = v.module.shape(parameter);
      if (MatchesEntryLayout(v, shape, layout->parameters[k])) continue;
      Diagnostic& d =
          v.ReportHeader(DiagnosticKind::kEntryLayoutShape,
                         EntryPart(kLayoutAttribute, HeaderPart::Kind::kLayoutParameter, k),
                         absl::StrCat("parameter ", k), ShapeText(layout->parameters[k], with_layout),
                         ShapeText(shape, with_layout), DescribeDifference(layout->parameters[k], shape, with_layout))
              .Related(v.RangeOf(parameter, Anchor::Shape()), "the parameter");
      FixEntryLayout(v, entry, d);
      if (v.module.entry_is_assumed()) continue;
      const std::string wanted = ShapeText(layout->parameters[k], with_layout);
      d.Fix(absl::StrCat("change the parameter to ", wanted), v.RangeOf(parameter, Anchor::Shape()), wanted);
    }
  }
  if (!entry.root.has_value() || !v.module.shape(entry.root).IsValid()) return;
  const Shape& result = v.module.shape(entry.root);
  if (MatchesEntryLayout(v, result, layout->result)) return;
  FixEntryLayout(v, entry,
                 v.ReportHeader(DiagnosticKind::kEntryLayoutShape, {kLayoutAttribute, HeaderPart::Kind::kLayoutResult},
                                "the result", ShapeText(layout->result, with_layout), ShapeText(result, with_layout),
                                DescribeDifference(layout->result, result, with_layout))
                     .Related(v.RangeOf(entry.root, Anchor::Shape()), "the root"));
}

// The shapes of the entry as the header gives them, whose number CheckEntryLayout compares, or as the instructions do.
struct EntryShapes {
  std::vector<Shape> parameters;
  bool has_all_parameters = true;
  Shape result;

  EntryShapes(const Module& module, const Computation& entry) {
    if (const auto& layout = module.header().entry_computation_layout) {
      parameters = layout->parameters;
      result = layout->result;
      return;
    }
    for (InstructionId id : entry.parameters) parameters.push_back(id.has_value() ? module.shape(id) : Shape());
    has_all_parameters = entry.root.has_value() && KnowsItsParameters(module, entry);
    if (entry.root.has_value()) result = module.shape(entry.root);
  }
};

// The part of a parameter that an alias or donor entry names; null after a report or if the parameter is unreadable.
const Shape* ParameterPart(Verification& v, const EntryShapes& shapes, DiagnosticKind kind, const HeaderPart& place,
                           int64_t parameter, const ShapeIndex& index) {
  if (parameter < 0 || parameter >= static_cast<int64_t>(shapes.parameters.size())) {
    if (!shapes.has_all_parameters) return nullptr;
    v.ReportHeader(
        kind, place,
        absl::StrCat("there is no parameter ", parameter, "; the entry computation has ", shapes.parameters.size()));
    return nullptr;
  }
  const Shape& shape = shapes.parameters[static_cast<size_t>(parameter)];
  if (!shape.IsValid()) return nullptr;
  const Shape* part = SubshapeAt(shape, index);
  if (part == nullptr) {
    v.ReportHeader(
        kind, place,
        absl::StrCat("parameter ", parameter, ", ", ShapeText(shape), ", has no element ", ShapeIndexText(index)));
  } else if (!part->IsArray()) {
    v.ReportHeader(kind, place,
                   absl::StrCat("element ", ShapeIndexText(index), " of parameter ", parameter,
                                " must be an array, it is ", ShapeText(*part)));
    return nullptr;
  }
  return part;
}

using ParameterLeaf = std::pair<int64_t, ShapeIndex>;

// V033-V036. Fills `aliased` with the parameter leaves.
void CheckAliases(Verification& v, const EntryShapes& shapes, std::set<ParameterLeaf>* aliased) {
  constexpr DiagnosticKind kKind = DiagnosticKind::kModuleAlias;
  const std::vector<AliasEntry>& entries = v.module.header().input_output_alias;
  for (size_t i = 0; i < entries.size(); ++i) {
    const AliasEntry& entry = entries[i];
    const HeaderPart whole = EntryPart(kAliasAttribute, HeaderPart::Kind::kEntry, i);
    const HeaderPart left = EntryPart(kAliasAttribute, HeaderPart::Kind::kEntryKey, i);
    const HeaderPart right = EntryPart(kAliasAttribute, HeaderPart::Kind::kEntryValue, i);
    const Shape* output = shapes.result.IsValid() ? SubshapeAt(shapes.result, entry.output_index) : nullptr;
    const std::string output_name = absl::StrCat("output ", ShapeIndexText(entry.output_index));
    if (output == nullptr && shapes.result.IsValid()) {
      v.ReportHeader(kKind, left,
                     absl::StrCat("the result ", ShapeText(shapes.result), " has no element ",
                                  ShapeIndexText(entry.output_index)));
    } else if (output != nullptr && !output->IsArray()) {
      v.ReportHeader(kKind, left, absl::StrCat(output_name, " must be an array, it is ", ShapeText(*output)));
      output = nullptr;
    }
    const Shape* input = ParameterPart(v, shapes, kKind, right, entry.operand, entry.operand_index);
    const std::string input_name =
        absl::StrCat("parameter ", entry.operand, " at ", ShapeIndexText(entry.operand_index));
    if (!aliased->emplace(entry.operand, entry.operand_index).second) {
      v.ReportHeader(kKind, right, absl::StrCat(input_name, " is aliased to two outputs"));
    }
    if (output == nullptr || input == nullptr) continue;
    VerifyOptions exact;
    exact.layout_sensitive = true;
    if (entry.must_alias && !ShapesMatch(*output, *input, exact)) {
      v.ReportHeader(kKind, whole,
                     absl::StrCat("must-alias ", output_name, " is ", ShapeText(*output, true), ", but ", input_name,
                                  " is ", ShapeText(*input, true), DescribeDifference(*output, *input, true)));
    } else if (v.options.layout_sensitive && DataBytes(*output) != DataBytes(*input)) {
      v.ReportHeader(kKind, whole,
                     absl::StrCat(output_name, " has ", DataBytes(*output), " bytes, but ", input_name, " has ",
                                  DataBytes(*input)));
    }
  }
}

// V037.
void CheckDonors(Verification& v, const EntryShapes& shapes, const std::set<ParameterLeaf>& aliased) {
  const std::vector<DonorEntry>& donors = v.module.header().buffer_donor;
  for (size_t i = 0; i < donors.size(); ++i) {
    constexpr DiagnosticKind kKind = DiagnosticKind::kBufferDonor;
    const DonorEntry& donor = donors[i];
    const HeaderPart place = EntryPart(kDonorAttribute, HeaderPart::Kind::kEntry, i);
    if (ParameterPart(v, shapes, kKind, place, donor.parameter, donor.index) == nullptr) continue;
    if (aliased.count({donor.parameter, donor.index}) == 0) continue;
    v.ReportHeader(kKind, place,
                   absl::StrCat("parameter ", donor.parameter, " at ", ShapeIndexText(donor.index),
                                " is both donated and aliased"));
  }
}

}  // namespace

void VerifyEntrySignature(Verification& v) {
  if (!v.module.entry().has_value()) return;
  const Computation& entry = v.module.computation(v.module.entry());
  CheckEntryLayout(v, entry);
  const EntryShapes shapes(v.module, entry);
  std::set<ParameterLeaf> aliased;
  CheckAliases(v, shapes, &aliased);
  CheckDonors(v, shapes, aliased);
  // V038.
  for (size_t k = 0; k < entry.parameters.size(); ++k) {
    const InstructionId parameter = entry.parameters[k];
    if (!parameter.has_value()) continue;
    bool has_buffer = false;
    ForEachBufferLeaf(v.module.shape(parameter), [&](const ShapeIndex&, const Shape&) { has_buffer = true; });
    if (has_buffer) {
      v.Report(DiagnosticKind::kEntryBuffer, parameter, Anchor::Shape(), k, ShapeText(v.module.shape(parameter)));
    }
  }
}

}  // namespace hloscope
