// SPDX-License-Identifier: Apache-2.0
// Computations: their instructions in order, roots, parameters, signatures and attributes (docs/text-format.md 3).
// Internal to core/semantics.
#ifndef HLOSCOPE_CORE_SEMANTICS_COMPUTATION_BUILDER_H_
#define HLOSCOPE_CORE_SEMANTICS_COMPUTATION_BUILDER_H_

#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "core/ir/module.h"
#include "core/ops/rule_context.h"
#include "core/semantics/async_sugar_builder.h"
#include "core/semantics/attribute_builder.h"
#include "core/semantics/instruction_builder.h"
#include "core/semantics/name_scopes.h"
#include "core/semantics/parameter_numbers.h"
#include "core/semantics/read_text.h"
#include "core/semantics/reading_progress.h"
#include "core/semantics/shape_cache.h"
#include "core/semantics/signature_reader.h"

namespace hloscope {

class ComputationBuilder {
 public:
  ComputationBuilder(ReadText& text, ReadingProgress& progress, Module& module, const VerifyOptions& options)
      : text_(text), progress_(progress), module_(module), options_(options) {}

  // Adds the computation of node `index`, after those of the nodes before.
  void Build(uint32_t index);
  // The same in steps, of which the second may come several times, each with other tokens and another tree. `index` is
  // the node of the computation in the tree of the first step, and that tree the one that is read in the last.
  void Start(uint32_t index, size_t expected_instructions);
  void AddInstructions(absl::Span<const SyntaxId> nodes);
  void Finish(uint32_t index);

  // --- Updating a module; see ModuleUpdater ---
  void SetNamesAreUnique(const absl::flat_hash_set<StringId>* except, bool are_all) {
    scope_.SetNamesAreUnique(except, are_all);
  }
  // Reads the instruction that `progress` updates from the node.
  void Reread(SyntaxId node);
  std::optional<uint32_t> parameter_number() const;
  // Reports second roots, and a result of the signature that is not that of the root.
  void Recheck(ComputationId id, const TokenBuffer& result);

 private:
  void ReportSecondRoot(SourceRange second, SourceRange first, absl::string_view computation);
  // The keyword before the instruction.
  SourceRange RootRange(InstructionId id) const;
  void ReadAttributes(const ComputationSyntax& syntax);

  ReadText& text_;
  ReadingProgress& progress_;
  Module& module_;
  const VerifyOptions& options_;
  InstructionId root_;  // the first instruction of the computation that is marked as root
  bool has_statements_ = false;
  InstructionScope scope_{module_, progress_};
  ComputationScope computations_{module_, progress_};
  ParameterNumbers parameters_{text_, module_};
  ShapeCache shapes_{text_, module_};
  SignatureReader signatures_{text_, module_, shapes_};
  AttributeBuilder attributes_{text_, progress_, module_, scope_, computations_};
  AsyncSugarBuilder sugar_{text_, progress_, module_, attributes_};
  InstructionBuilder instructions_{
      text_, progress_, module_, options_, {scope_, parameters_, shapes_, attributes_, sugar_}};
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_SEMANTICS_COMPUTATION_BUILDER_H_
