// SPDX-License-Identifier: Apache-2.0
// A program to HLO (docs/stablehlo.md 3).
#ifndef HLOSCOPE_STABLEHLO_TRANSLATOR_H_
#define HLOSCOPE_STABLEHLO_TRANSLATOR_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "stablehlo/hlo_writer.h"
#include "stablehlo/locations.h"
#include "stablehlo/program.h"

namespace hloscope::stablehlo {

// Translates a whole program. Each function reports what has no HLO to the program's sink and goes on: values that
// could not be made are null, and what uses them is left out without another report.
class Translator {
 public:
  Translator(Program& program, const ImportOptions& options)
      : program_(program),
        options_(options),
        sink_(program.sink),
        names_(options.names),
        locations_(program),
        budget_(program.source->text().size()) {}
  // The text of the module; what could not be translated is missing in it.
  HloText Translate();

 private:
  // One computation that is being made.
  struct Frame {
    explicit Frame(Translator& translator) : body(translator.names_, translator.budget_) {}
    HloBody body;
    absl::flat_hash_map<const Value*, HloRef> values;
    const Region* region = nullptr;
    absl::string_view reduction;  // the operation whose region cannot use values of outside; empty if it can
  };
  // The operation that is being translated, and what it is translated in.
  struct Site {
    const Operation& op;
    Frame& frame;
    std::vector<HloRef> operands;
  };
  using Handler = bool (Translator::*)(Site&);
  struct HandlerRow {
    absl::string_view dialect, name;
    Handler handler;
  };
  static Handler FindHandler(absl::string_view dialect, absl::string_view name);

  // --- Modules and functions (translator.cc) ---
  const Function* FindEntry();
  bool OrderFunctions(const Function& entry, std::vector<const Function*>& order);
  void CollectCalls(const Region& region, std::vector<std::pair<const Function*, SourceRange>>& calls);
  bool IsXla() const { return names_.style() == NameStyle::kXla; }
  void TranslateFunction(const Function& function, bool is_entry);
  std::string ParameterName(const Value& argument, absl::string_view unnamed);
  std::string FinishComputation(Frame& frame, absl::string_view base_name, bool is_entry, HloRef root,
                                absl::string_view attributes);
  void AddParameters(const Function& function, bool is_entry, Frame& frame);
  std::string HeaderText(const Function& entry);
  std::string AliasingText(const Function& entry);
  void ReportOpenSize(const Type& type, SourceRange range, absl::string_view what);
  bool CheckType(const Type& type, SourceRange range, absl::string_view what);

  // --- Operations (translator.cc) ---
  void TranslateOperations(const Region& region, Frame& frame);
  void TranslateOperation(const Operation& op, Frame& frame);
  bool HasBudget(const Operation& op);
  bool HandleOperation(Site& site);
  // The computation of a function for a call of it; null, which was reported, if there is none.
  const std::string* Callee(const Function& function, const Site& site);
  HloRef Resolve(const Value* value, Frame& frame, SourceRange use);
  std::vector<HloRef> ReturnedValues(const Region& region, Frame& frame);
  HloRef RootOf(const Region& region, Frame& frame, const std::vector<HloRef>& extra = {});
  const std::vector<const Value*>& Captures(const Region& region);

  // --- Writing ---
  HloPlace PlaceOf(const Operation& op, TextOrigin::Role role);
  std::string BaseName(const Operation& op, absl::string_view opcode);
  HloRef Emit(Site& site, absl::string_view opcode, const Shape& shape, absl::Span<const HloRef> operands,
              absl::string_view attributes = "", TextOrigin::Role role = TextOrigin::Role::kPart);
  // The instruction that gives the only result, with the operation's sharding and frontend attributes.
  bool Define(Site& site, absl::string_view opcode, absl::Span<const HloRef> operands,
              absl::string_view attributes = "");
  // The instruction of an operation with several results: one array if there is one, else a tuple and its elements.
  bool DefineAll(Site& site, absl::string_view opcode, absl::Span<const HloRef> operands,
                 absl::string_view attributes = "");
  bool SetResults(Site& site, HloRef tuple);
  void SetResult(Site& site, size_t k, HloRef made);
  HloRef Scalar(Site& site, ElementType type, absl::string_view text);
  HloRef Splat(Site& site, const Shape& shape, absl::string_view text);
  HloRef Broadcast(Site& site, HloRef operand, const Shape& shape, absl::Span<const int64_t> dimensions);
  HloRef TupleOf(Site& site, absl::Span<const HloRef> elements);
  HloRef Element(Site& site, HloRef tuple, int64_t index, absl::string_view attributes = "");
  // A tuple unless there is one result; with the layouts of `xla_shape`.
  Shape ResultShape(const Operation& op);

  // --- Attributes ---
  std::vector<int64_t> Integers(const Operation& op, absl::string_view name);
  int64_t Integer(const Operation& op, absl::string_view name, int64_t default_value);
  bool Flag(const Operation& op, absl::string_view name) { return Integer(op, name, 0) != 0; }
  std::string Word(const Operation& op, absl::string_view name);
  std::string StringOf(const Operation& op, absl::string_view name);
  std::vector<int64_t> StructureIntegers(const Operation& op, absl::string_view structure, absl::string_view field);
  // `captured`: elements of the instruction's tuple that no result of the operation is, at its end.
  std::string CommonAttributes(const Operation& op, size_t captured = 0);
  // Of each result; empty if the operation says nothing. What cannot be translated is reported if `reports`.
  std::vector<std::string> ShardingsOf(const Operation& op, bool reports);
  // `meshes`: those of the program, of a module.
  std::string FrontendAttributesText(const AttributeValue* dictionary, absl::string_view meshes = "",
                                     absl::string_view left_out = "");
  std::string ShardingText(const AttributeValue& value);
  std::string AccuracyText(const Operation& op);
  std::string PrecisionText(const Operation& op, size_t operands);
  std::string ChannelText(const Operation& op);
  std::string GroupsText(const Operation& op);
  std::string GroupsText(const AttributeValue* value);  // null: no groups
  std::string PairsText(const Operation& op, absl::string_view name);
  std::string WindowText(const Operation& op, const std::vector<int64_t>& size, absl::string_view strides,
                         absl::string_view lhs, absl::string_view rhs, absl::string_view reversal);
  bool Fail(const Operation& op, DiagnosticKind kind, absl::string_view message);
  bool NeedsOperands(Site& site, size_t count);
  bool NeedsResults(Site& site, size_t count);
  bool NeedsRegions(Site& site, size_t count);

  // --- Regions (translate_regions.cc) ---
  // The computation of a region that takes its own arguments only; empty if it could not be made.
  std::string ReducerComputation(Site& site, const Region& region);
  std::string ArgumentsComputation(Site& site, const Region& region, absl::string_view name);
  // A computation whose only parameter holds `arguments` of the region, then what is captured.
  std::string StateComputation(Site& site, const Region& region, const std::vector<const Value*>& captured,
                               bool returns_captured);
  std::string BranchComputation(Site& site, const Region& region, HloRef& operand);
  std::string FinishRegion(Frame& frame, HloRef root, int number);
  bool TranslateWhile(Site& site);
  bool TranslateIf(Site& site);
  bool TranslateReduce(Site& site);
  bool TranslateReduceWindow(Site& site);
  bool TranslateSelectAndScatter(Site& site);
  bool TranslateScatter(Site& site);
  bool TranslateSort(Site& site);
  bool TranslateMap(Site& site);
  bool TranslateScan(Site& site);
  bool TranslateCall(Site& site);
  bool TranslateComposite(Site& site);
  bool TranslateCustomCall(Site& site);
  bool TranslateRaggedAllToAll(Site& site);
  std::optional<bool> TranslateAsChlo(Site& site, absl::string_view target);
  bool StandsForChlo(const Operation& op);
  bool TranslateWithAttributes(Site& site, absl::string_view chlo_name, const AttributeValue* attributes);

  // --- Arrays (translate_arrays.cc) ---
  bool TranslateSimple(Site& site);
  bool TranslateConvert(Site& site);
  bool TranslateCompare(Site& site);
  bool TranslateSelect(Site& site);
  bool TranslateClamp(Site& site);
  bool TranslateConstant(Site& site);
  bool TranslateIota(Site& site);
  bool TranslateBroadcastInDim(Site& site);
  bool TranslateBroadcast(Site& site);
  bool TranslateReshape(Site& site);
  bool TranslateDimensions(Site& site);
  bool TranslateSlice(Site& site);
  bool TranslateRealDynamicSlice(Site& site);
  bool TranslateDynamicSlice(Site& site);
  bool TranslatePad(Site& site);
  bool TranslateGather(Site& site);
  bool TranslateReducePrecision(Site& site);
  bool TranslateTuple(Site& site);
  bool TranslateCreateToken(Site& site);
  bool TranslateGetTupleElement(Site& site);
  bool TranslateBarrier(Site& site);
  bool TranslateAlias(Site& site);
  bool TranslateFirstOperand(Site& site);  // whatever the others are
  bool TranslateNothing(Site& site);
  bool TranslateTorchIndexSelect(Site& site);
  bool TranslateSetDimensionSize(Site& site);
  bool TranslateQuantize(Site& site);

  // --- Sizes that the text leaves open (translate_shapes.cc, translate_folding.cc) ---
  void BindShape(const Function& entry, const ArgumentShape& given);
  void SetShape(Value& value, const Shape& shape);
  void SetShapes(const Operation& op, const Shape& made);
  std::optional<Shape> ShapeOfSizes(Value* sizes, const Shape& written);
  std::optional<Shape> ImpliedShape(const Site& site, size_t k);
  std::optional<Shape> ShapeOfCollective(const Operation& op, const Shape& operand);
  void RefineResults(const Site& site);
  Shape RefinedShape(const Shape& written, absl::string_view opcode, absl::Span<const HloRef> operands,
                     absl::string_view attributes);
  void FindOpenFunctions(const std::vector<const Function*>& order);
  const Function* ForCall(const Function& function, const Site& site);
  bool CheckShapeAssertion(Site& site);
  std::optional<std::vector<int64_t>> Constants(Value* value, int depth = 0);
  // Of operations of the dialects arith, tensor and shape.
  std::optional<std::vector<int64_t>> FoldSizes(const Operation& op, int depth);
  bool TranslateSizes(const Operation& op, Frame& frame);
  std::optional<std::vector<int64_t>> FoldElements(const Operation& op, size_t count,
                                                   const std::vector<std::vector<int64_t>>& operands);

  // --- Linear algebra and the rest (translate_math.cc) ---
  bool TranslateDot(Site& site);
  bool TranslateEinsum(Site& site);
  bool TranslateConvolution(Site& site);
  bool TranslateFft(Site& site);
  bool TranslateCholesky(Site& site);
  bool TranslateTriangularSolve(Site& site);
  bool TranslateBatchNorm(Site& site);
  bool TranslateRng(Site& site);
  bool TranslateRngBitGenerator(Site& site);
  bool TranslateRngState(Site& site);
  bool TranslateTopK(Site& site);
  bool TranslateRaggedDot(Site& site);
  std::string AlgorithmText(const Operation& op);

  // --- Devices (translate_devices.cc) ---
  std::optional<std::string> CollectiveText(Site& site);
  bool TranslateAllGather(Site& site);
  bool TranslateAllReduce(Site& site);
  bool TranslateAllToAll(Site& site);
  bool TranslateReduceScatter(Site& site);
  bool TranslateCollective(Site& site);
  bool TranslateCrossReplicaSum(Site& site);
  // A computation that adds two scalars, which the program does not have.
  std::string SumComputation(const Operation& op, ElementType type);
  bool TranslateAsyncStart(Site& site);
  bool TranslateAsyncDone(Site& site);
  bool TranslateInfeed(Site& site);
  bool TranslateOutfeed(Site& site);
  bool TranslateSend(Site& site);
  bool TranslateRecv(Site& site);
  bool TranslateShardingConstraint(Site& site);
  bool TranslateManualComputation(Site& site);
  bool TranslateNamedComputation(Site& site);
  std::vector<HloRef> Regrouped(Site& site);

  // --- CHLO (translate_chlo.cc) ---
  bool TranslateChlo(Site& site);
  bool TranslateBroadcasting(Site& site);
  bool TranslateConstantLike(Site& site);

  friend class ChloExpansion;

  Program& program_;
  const ImportOptions& options_;
  DiagnosticSink& sink_;
  HloNames names_;
  Locations locations_;
  HloBudget budget_;
  HloText out_;
  int next_computation_ = 1;
  int next_region_ = 0;
  int depth_ = 0;  // of functions and regions
  int fold_steps_ = 0;
  bool has_dynamic_report_ = false, has_size_report_ = false;
  absl::flat_hash_map<const Function*, std::string> function_computation_;
  absl::flat_hash_set<absl::string_view> open_functions_;            // whose sizes depend on their callers
  absl::flat_hash_map<std::string, const Function*> copies_;         // of those, by shapes and integers
  absl::flat_hash_map<std::string, SourceRange> computation_place_;  // in out_, of programs with open sizes
  absl::flat_hash_map<std::string, Shape> computation_result_;
  absl::flat_hash_map<const Region*, std::vector<const Value*>> captures_;
  absl::flat_hash_set<std::string> reported_types_;
};

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_TRANSLATOR_H_
