// SPDX-License-Identifier: Apache-2.0
// MLIR text to a Program (docs/stablehlo.md 1, 2).
#ifndef HLOSCOPE_STABLEHLO_PARSER_H_
#define HLOSCOPE_STABLEHLO_PARSER_H_

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "stablehlo/lexer.h"
#include "stablehlo/operation_table.h"
#include "stablehlo/program.h"
#include "stablehlo/scope.h"

namespace hloscope::stablehlo {

// Reads a program. What is wrong with it is in the program's sink; a mistake costs the operation that it is in.
// Regions, brackets and attributes may be nested kMaxNesting deep.
std::unique_ptr<Program> ParseProgram(std::shared_ptr<const SourceText> source);
inline constexpr int kMaxNesting = 500;

// The reader of ParseProgram. Functions that read return false or null after they have reported a mistake; the
// operation around is then given up.
class Parser {
 public:
  explicit Parser(Program& program)
      : program_(program), lexer_(program.source->text(), &program.sink), sink_(program.sink) {}
  void ParseFile();

 private:
  friend class LocationReader;
  struct ResultName {
    absl::string_view name;
    SourceRange range;
    uint32_t count = 1;
  };
  using ResultNames = absl::InlinedVector<ResultName, 2>;
  using TypeList = absl::InlinedVector<const Type*, 4>;
  // Levels of nesting while something is read.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) { ++parser_.depth_; }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    bool TooDeep() const;

   private:
    Parser& parser_;
  };

  // --- Tokens ---
  void Advance() { token_ = lexer_.ReadFrom(token_.end); }
  void MoveTo(uint32_t position) { token_ = lexer_.ReadFrom(position); }
  bool At(TokenKind kind) const { return token_.kind == kind; }
  bool AtWord(absl::string_view word) const { return At(TokenKind::kWord) && text() == word; }
  absl::string_view text() const { return lexer_.Slice(token_.range()); }
  bool Eat(TokenKind kind);
  bool EatWord(absl::string_view word);
  bool Expect(TokenKind kind, absl::string_view what);
  bool ExpectWord(absl::string_view word);
  // Reports what was expected here, unless the token was reported already. Returns false.
  bool Fail(absl::string_view expected);

  // --- Files and functions (parser.cc) ---
  void IndexAliases();
  void ParseTopLevel(bool in_module);
  bool ParseModule();
  void ParseTrailer();
  void SkipAlias();
  bool ParseFunction();
  void AddFunction(Function& function);
  // An operation in generic form that takes nothing and gives nothing, of a module or in it. `region` reads its region,
  // from `{` to after `}`.
  bool ParseTopOperation(Operation& op, const std::function<bool()>& region);
  bool ParseGenericTopLevel();
  bool ParseGenericModule();
  bool ParseGenericFunction();
  bool ParseArguments(Function& function, Region& body);
  bool ParseFunctionResults(Function& function);
  void ParseMesh();
  void SkipToNextOperation();

  // --- Types (parse_types.cc) ---
  const Type* ParseType();
  const Type* ReadTensor();
  const Type* ReadQuantized();
  const Type* ParseFunctionType();
  const Type* ReadBangType();
  const Type* ParseTypeArguments(TypeKind kind);
  const Type* Mentioned(const Type* type, SourceRange name);
  bool ReadElementType(Type& type, ElementType& element);
  bool ReadBounds(Type& type, std::vector<int64_t>& dimensions, std::vector<bool>& dynamic);
  bool ParseTypeList(TypeList& types);  // in parentheses
  Type* NewType(TypeKind kind, SourceRange text);
  const Type* ErrorType();

  // --- Attributes (parse_attributes.cc) ---
  const AttributeValue* ParseAttribute();
  const AttributeValue* ParseHashAttribute();
  const AttributeValue* ParseWordAttribute();
  const AttributeValue* ParseNumber();
  const AttributeValue* ParseArray();
  const AttributeValue* ParseDictionary(TokenKind close = TokenKind::kRightBrace);
  const AttributeValue* ParseDenseIntegers();
  const AttributeValue* ParseDense();
  const AttributeValue* ParseDenseResource();
  const AttributeValue* ParseSubAxis();
  const AttributeValue* ParseStructure(absl::string_view name, uint32_t begin);
  const AttributeValue* ParseConvolutionLabels(uint32_t begin);
  bool ParseLabelList(std::vector<std::string>& labels);
  const AttributeValue* ResolveAlias(absl::string_view name);
  const AttributeValue* SkipOther(uint32_t begin);
  AttributeValue* NewAttribute(AttributeForm form, uint32_t begin);
  AttributeValue* Finish(AttributeValue* value);
  const AttributeValue* IntegerList(std::vector<int64_t> integers, SourceRange range);
  bool ParseTrailingType(AttributeValue& value);

  // --- Operations (parse_operations.cc) ---
  void ParseOperation(Region& region);
  bool ParseOperationBody(Operation& op, ResultNames& names);
  bool ParseResultNames(ResultNames& names);
  bool ParseGenericForm(Operation& op);
  bool ParseOperand(Operation& op);
  bool ParseRegion(Operation& op, const std::vector<Value*>& arguments = {});
  void CheckReturn(const Function& function);
  bool ParseRegionBody(Region& region);
  bool ParseBlockArguments(Region& region);
  // `%name: type loc(...)` of a region; null after an error. `region` is null if it is not there yet.
  Value* ParseRegionArgument(const Region* region, size_t number);
  bool ParseAttributesInto(Operation& op, TokenKind close);
  bool ReportTwice(absl::string_view name, SourceRange range);
  bool AddAttribute(Operation& op, absl::string_view name, SourceRange range, const AttributeValue* value);
  bool ParseSignature(TypeList& operands, TypeList& results, bool& is_function);
  bool CheckOperandTypes(Operation& op, absl::Span<const Type* const> types);
  bool DefineResults(Operation& op, absl::Span<const ResultName> names, absl::Span<const Type* const> types);
  void DefineBroken(Operation& op, absl::Span<const ResultName> names);
  bool ParseLocation(const AttributeValue*& location);
  void SetName(Operation& op, absl::string_view name);
  void CheckKnown(const Operation& op, const OperationInfo* info);
  void SkipOperation(const Operation& op);

  // --- Custom forms (parse_forms.cc) ---
  bool ParseCustomForm(Operation& op, OperationForm form);
  bool ParseListForm(Operation& op);
  bool ParseListItem(Operation& op);
  bool ParseKeyword(Operation& op, absl::string_view key, SourceRange range);
  bool ParseSliceRanges(Operation& op);
  bool ParseBareWord(Operation& op, absl::string_view word, SourceRange range);
  bool ParsePair(Operation& op, absl::string_view left, absl::string_view right, SourceRange range);
  bool ParseConstantForm(Operation& op);
  bool ParseWindow(Operation& op);
  bool ParseCustomCallForm(Operation& op);
  bool ParseCallForm(Operation& op);
  bool ParseCompositeForm(Operation& op);
  bool ParseReduceForm(Operation& op);
  bool ParseReducer(Operation& op, size_t inputs);
  bool MakeAppliedRegion(Operation& op, absl::string_view applied, SourceRange range);
  bool ParseWhileForm(Operation& op);
  bool ParseScanForm(Operation& op);
  bool ParseCastForm(Operation& op);
  bool ParseShardingForm(Operation& op);
  bool ParseReshardingForm(Operation& op);
  bool ParseManualForm(Operation& op);
  bool ParseNamedForm(Operation& op);
  // --- Sizes (parse_sizes.cc) ---
  bool ParseSizeForm(Operation& op);
  void AssignSizeTypes(Operation& op, const TypeList& types);
  bool ParseAssumingForm(Operation& op);
  const Type* ScalarType(ElementType element, SourceRange range);
  bool ParseRegionOfParts(Operation& op);
  bool ParseOperandList(Operation& op);
  bool ParseTypesOfList(Operation& op);
  void AssignTypes(Operation& op, const TypeList& types);

  // --- Names ---
  Value* Lookup(absl::string_view name, uint32_t number, SourceRange range);
  void Define(absl::string_view name, Pack pack);
  std::string WhereIsIt(absl::string_view name, SourceRange use);
  Value* NewValue(absl::string_view name, const Type* type, SourceRange range, const Region* region, uint32_t number);

  Program& program_;
  Lexer lexer_;
  DiagnosticSink& sink_;
  Token token_;
  int depth_ = 0;
  bool is_untyped_ = false;         // a number is not followed by its type: it is in a custom form
  bool saw_other_program_ = false;  // `// -----`
  absl::flat_hash_map<absl::string_view, const Type*> type_of_text_;
  std::array<std::pair<absl::string_view, const Type*>, 4> recent_types_;  // of tensors: their texts end in `>`
  size_t next_recent_ = 0;
  int64_t mentioned_parts_ = 0;  // of the types that aliases stood for
  absl::flat_hash_map<absl::string_view, const AttributeValue*> alias_value_;
  absl::flat_hash_set<absl::string_view> open_aliases_;
  absl::flat_hash_set<std::string> reported_types_;
  Scope scope_;
  // Of the operation that is read: types for AssignTypes.
  TypeList operand_types_, result_types_;
  ResultNames* names_ = nullptr;
};

}  // namespace hloscope::stablehlo

#endif  // HLOSCOPE_STABLEHLO_PARSER_H_
