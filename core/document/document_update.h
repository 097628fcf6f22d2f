// SPDX-License-Identifier: Apache-2.0
// A document from an older version of its text, at a cost that depends on the edit.
//
// The statements around the edits are lexed and parsed again (edit_regions.h). Their instructions are read again, and
// then, in the order of the text, every instruction whose reading depends on one that became another: users of a
// changed shape or name, instructions with unknown names, callers without a shape of their own. The checks of the
// verifier then run for what the change may concern (core/verify/edit_scope.h). Everything else is taken
// over: tables of the module and its index are shared or copied with moved ids, diagnostics with moved ranges.
//
// Not updated but parsed whole: what FindEditedParts leaves out; texts of a single instruction; texts with brackets or
// strings left open over several statements; instructions with illegal names, nested operands, tuple paths,
// inline bodies or asynchronous sugar where they would have to be read again; parameters whose numbers clash;
// texts with very many diagnostics; edits that change thousands of instructions. After many edits a whole parse
// clears out what earlier versions left in the module's tables.
#ifndef HLOSCOPE_CORE_DOCUMENT_DOCUMENT_UPDATE_H_
#define HLOSCOPE_CORE_DOCUMENT_DOCUMENT_UPDATE_H_

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/types/span.h"
#include "core/document/document.h"
#include "core/document/edit_regions.h"
#include "core/document/statement_syntax.h"
#include "core/ir/id_map.h"
#include "core/semantics/module_builder.h"
#include "core/source/text_change.h"
#include "core/verify/checks.h"
#include "core/verify/edit_scope.h"
#include "core/verify/verify_scope.h"

namespace hloscope {

class DocumentUpdate {
 public:
  // Null if the text must be parsed whole. `source` is the old text with the changes. `read`, if given, gets the
  // instructions that were read again, ascending.
  static std::shared_ptr<const Document> Run(const Document& old, std::shared_ptr<const SourceText> source,
                                             const std::vector<TextChange>& changes,
                                             std::vector<InstructionId>* read = nullptr);

 private:
  // What became of a computation in which instructions were read again.
  struct ComputationUpdate {
    bool roots = false;          // instructions marked ROOT, or the last one, changed
    bool parameters = false;     // parameters or unreadable instructions changed
    bool signature = false;      // a parameter or the root was read again
    bool unknown_names = false;  // instructions with unknown names are queued
    bool readability = false;    // an unreadable instruction came or went: callers know less then
    bool diagnostics = false;    // a diagnostic about it mentions a changed place
  };

  // Instructions read again in one update.
  static constexpr size_t kMaxReread = 4000;

  DocumentUpdate(const Document& old, std::shared_ptr<const SourceText> source);

  bool Update();
  std::shared_ptr<const Document> Finish();

  // Text and tables.
  void SpliceRegions();
  bool SeedRegions();
  // The statements of a region that were changed or removed, and those that are there now (`statements`, whose nodes
  // are those from `first_node` on). Both return the written names of the changed ones; none where a name is made up.
  std::vector<StringId> SeedOldStatements(const EditRegion& region, ComputationUpdate& update);
  std::vector<StringId> SeedNewStatements(const EditRegion& region, absl::Span<const InstructionId> statements,
                                          size_t first_node, ComputationUpdate& update);
  // `names` by computation; the numbers of changed instructions without one before and after.
  bool SeedChangedNames(size_t old_anonymous, size_t new_anonymous,
                        const absl::flat_hash_map<uint32_t, absl::flat_hash_set<StringId>>& names);
  std::optional<size_t> FirstNode(const std::vector<InstructionId>& list, size_t first, size_t count) const;
  void SeedNames(ComputationId computation, const absl::flat_hash_set<StringId>& names);
  bool QueueSuggestions();
  bool SeedComputationNames();
  void SeedTouchedDiagnostics();
  // Reading.
  bool ReadQueued();
  bool ReadInstruction(InstructionId id);
  void NoteTraits(const Module& module, InstructionId id);
  bool FinishComputation(ComputationId id);
  void UpdateRoot(ComputationId id);
  bool UpdateParameters(ComputationId id);
  void QueueParameters(ComputationId id);
  bool SignatureChanged(ComputationId id) const;
  void Queue(InstructionId id) {
    if (read_.count(id.value) == 0) queue_.insert(id.value);
  }
  void QueueUsers(InstructionId old_id);
  bool MayHaveUnknownNames(InstructionId id) const;
  // Index and checks.
  void UpdateIndex();
  void UpdateEffects(bool calls_changed);
  void Verify();
  ModuleChange Change() const;
  CheckInputs ChangedInputs() const;
  std::vector<uint32_t> ChangedUses() const;
  bool IsDropped(const Diagnostic& diagnostic, DiagnosticSource source, const VerifyScope& scope) const;

  bool InComputation(InstructionId id, ComputationId computation) const {
    return module_.instruction(id).computation == computation;
  }

  const Document& old_;
  const Module& old_module_;
  const UserIndex& old_users_;
  const std::shared_ptr<const SourceText> source_;
  std::vector<EditRegion> regions_;
  std::vector<NameEdit> names_;
  std::optional<OffsetMap> offsets_;
  IdMap ids_;
  Module module_;
  TextMap map_;
  UpdateState state_;
  std::optional<TextAnchorResolver> resolver_;
  DiagnosticSink sink_;
  std::unique_ptr<ModuleUpdater> updater_;

  struct NewStatement {
    const EditRegion* region;
    size_t node;
  };
  absl::flat_hash_map<uint32_t, NewStatement> new_statements_;  // by id
  absl::flat_hash_map<uint32_t, uint32_t> read_parameters_;     // number by id
  std::set<uint32_t> queue_;
  std::set<uint32_t> read_;
  absl::flat_hash_map<uint32_t, ComputationUpdate> computations_;
  std::vector<uint32_t> callers_of_changed_signatures_;  // or of what could not be read before, or cannot now
  std::set<uint32_t> callers_of_changed_effects_;
  std::vector<DiagnosticSource> touched_;  // of old diagnostics; owners are new ids
  bool names_changed_ = false;             // definitions of names came or went
  absl::flat_hash_set<StringId> changed_names_;
  bool calls_changed_ = false;         // or the opcode of a caller
  bool divided_work_changed_ = false;  // collectives, or instructions like them, came or went
  // Of what was read again or taken out, before and after.
  uint8_t edited_traits_ = 0;
  bool edited_may_block_ = false;  // it may communicate, have a side effect, or call what does
  bool edges_changed_ = false;
  bool effects_changed_ = false;
  ModuleIndex index_;
  VerifyScope scope_;
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_DOCUMENT_DOCUMENT_UPDATE_H_
