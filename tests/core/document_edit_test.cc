// SPDX-License-Identifier: Apache-2.0
// Document::WithEdit against parsing from scratch: random edits of small texts, of the golden texts and of corpus
// modules. A run does a few thousand edits; HLOSCOPE_EDITS=100000 sets another number (of all tests together) and
// HLOSCOPE_EDIT_SEED another sequence.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/document/document.h"
#include "core/document/document_update.h"
#include "core/document/text_changes.h"
#include "gtest/gtest.h"
#include "tests/support/document_equality.h"
#include "tests/support/read_document.h"
#include "tests/support/shared_files.h"

namespace hloscope {
namespace {

// A bit of everything.
constexpr const char kMixed[] =
    R"(HloModule mixed, is_scheduled=false, entry_computation_layout={(f32[4]{0}, f32[4]{0}, s32[])->f32[4]{0}}

// A reducer.
%add (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1) /* second */
  ROOT %sum = f32[] add(f32[] %x, f32[] %y)
}

fused (p: f32[4]) -> f32[4] {
  p = f32[4]{0} parameter(0)
  c = f32[] constant(2), metadata={op_type="c" op_name="jit(f)/{two}" source_file="a.py" source_line=3}
  b = f32[4]{0} broadcast(c), dimensions={}
  ROOT m = f32[4]{0} multiply(p, b)
}

%body (t: (s32[], f32[4])) -> (s32[], f32[4]) {
  %t = (s32[], f32[4]{0}) parameter(0)
  %i = s32[] get-tuple-element(%t), index=0
  %v = f32[4]{0} get-tuple-element(%t), index=1
  %one = s32[] constant(1)
  %next = s32[] add(%i, %one)
  %w = f32[4]{0} fusion(%v), kind=kLoop, calls=fused
  ROOT %r = (s32[], f32[4]{0}) tuple(%next, %w)
}

%condition (t: (s32[], f32[4])) -> pred[] {
  %t = (s32[], f32[4]{0}) parameter(0)
  %i = s32[] get-tuple-element(%t), index=0
  %limit = s32[] constant(10)
  ROOT %less = pred[] compare(%i, %limit), direction=LT
}

ENTRY %main (a: f32[4], b: f32[4], n: s32[]) -> f32[4] {
  %a = f32[4]{0} parameter(0), sharding={replicated}
  %b = f32[4]{0} parameter(1), frontend_attributes={note={k="v"},other="w"}
  %n = s32[] parameter(2)
  %zero = f32[] constant(0)
  %total = f32[] reduce(%a, %zero), dimensions={0}, to_apply=%add
  %spread = f32[4]{0} broadcast(%total), dimensions={}
  %both = f32[4]{0} add(%spread, %b), control-predecessors={%total}
  %start = s32[] negate(%n)
  %state = (s32[], f32[4]{0}) tuple(%start, %both)
  %loop = (s32[], f32[4]{0}) while(%state), condition=%condition, body=%body
  %result = f32[4]{0} get-tuple-element(%loop), index=1
  %copied = f32[4]{0} copy(%result), backend_config={"k":{"x":"}"}}
  %unused = f32[4]{0} sine(%copied)
  ROOT %out = f32[4]{0} add(%result, %copied)
}
)";

constexpr const char kDocumentEditPairs[] = R"(HloModule pairs, num_partitions=2

sum { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }

wrapped { q = f32[8] parameter(0)
  ROOT e = f32[8] exponential(q) }

ENTRY main {
  x = f32[8] parameter(0)
  tok = token[] after-all()
  ar = f32[8] all-reduce-start(x), to_apply=sum, channel_id=1, replica_groups={{0,1}}
  ard = f32[8] all-reduce-done(ar)
  cp = (f32[8], f32[8], u32[]) copy-start(ard)
  cpd = f32[8] copy-done(cp)
  s = (f32[8], u32[], token[]) send(cpd, tok), channel_id=2, is_host_transfer=true
  sd = token[] send-done(s), channel_id=2, is_host_transfer=true
  r = (f32[8], u32[], token[]) recv(sd), channel_id=3, is_host_transfer=true
  rd = (f32[8], token[]) recv-done(r), channel_id=3, is_host_transfer=true
  v = f32[8] get-tuple-element(rd), index=0
  as = ((f32[8]), f32[8], s32[]) async-start(v), calls=wrapped
  au = ((f32[8]), f32[8], s32[]) async-update(as)
  ad = f32[8] async-done(au)
  sh = f32[8] negate(ad), sharding={devices=[2]0,1}
  inl = f32[] reduce(sh, z), dimensions={0}, to_apply={
    l = f32[] parameter(0)
    k = f32[] parameter(1)
    ROOT lk = f32[] maximum(l, k) }
  z = f32[] constant(0)
  add.9 = f32[8] add(sh, sh)
  inferred = add(add.9, sh)
  again = multiply(inferred, inferred)
  ROOT t = (f32[8], f32[]) tuple(again, add.9)
}
)";

constexpr const char kSugar[] = R"(HloModule sugar

ENTRY main {
  p = (f32[2], f32[3]) parameter(0)
  a = f32[2] negate(p#0)
  b = f32[3] negate(p#1)
  n = f32[2] add(a, multiply(a, a))
  s = ((f32[2]), f32[2], s32[]) negate-start(n)
  d = f32[2] negate-done(s)
  ROOT t = (f32[2], f32[3]) tuple(d, b)
}
)";

constexpr const char kHeaderless[] = R"(add { a = f32[] parameter(0)
b = f32[] parameter(1)
ROOT s = f32[] add(a, b)
}
ENTRY e { x = f32[3] parameter(0)
x = f32[3] negate(x)
y = f32[3] negate(x)
z = f32[] constant(1e3)
ROOT r = f32[] reduce(y, z), dimensions={0}, to_apply=add }
)";

int EditCount(int default_count) {
  const char* text = std::getenv("HLOSCOPE_EDITS");
  int count = 0;
  return text != nullptr && absl::SimpleAtoi(text, &count) ? count : default_count;
}
uint64_t Seed() {
  const char* text = std::getenv("HLOSCOPE_EDIT_SEED");
  uint64_t seed = 0;
  return text != nullptr && absl::SimpleAtoi(text, &seed) ? seed : 1;
}

// Makes edits of a text that a user or a tool might make, and some that nobody would.
class EditMaker {
 public:
  explicit EditMaker(uint64_t seed) : random_(seed) {}

  // The steps of one change: batches that follow each other.
  std::vector<std::vector<TextEdit>> Make(const Document& document) {
    const std::string text(document.source().text());
    switch (Below(14)) {
      case 0:
        return {{InsertAnywhere(text)}};
      case 1:
        return {{DeleteAnywhere(text)}};
      case 2:
        return {{ReplaceWord(text)}};
      case 3:
        return {{DeleteLine(document)}};
      case 4:
        return {{CopyLine(document, text)}};
      case 5:
        return {Rename(document, /*everywhere=*/false)};
      case 6:
        return {Rename(document, /*everywhere=*/true)};
      case 7:
        return {{ChangeShape(document, text)}};
      case 8:
        return TypeLine(document, text);
      case 9:
        return EraseBackwards(document);
      case 10: {
        std::vector<TextEdit> batch;
        for (size_t i = 0, n = 2 + Below(4); i < n; ++i) batch.push_back(Simple(document, text));
        return {batch};
      }
      case 11:
        return {{SwapLines(document, text)}};
      case 12:
        return {RenameComputation(document, Below(2) == 0)};
      default:
        return {{InsertFragment(document, text)}};
    }
  }

  size_t Below(size_t n) { return n == 0 ? 0 : random_() % n; }

 private:
  TextEdit Simple(const Document& document, const std::string& text) {
    switch (Below(5)) {
      case 0:
        return InsertAnywhere(text);
      case 1:
        return DeleteAnywhere(text);
      case 2:
        return ReplaceWord(text);
      case 3:
        return DeleteLine(document);
      default:
        return ChangeShape(document, text);
    }
  }
  uint32_t Offset(const std::string& text) { return static_cast<uint32_t>(Below(text.size() + 1)); }
  uint32_t Line(const Document& document) { return static_cast<uint32_t>(Below(document.source().line_count())); }
  SourceRange LineRange(const Document& document, uint32_t line) {
    const SourceText& source = document.source();
    const uint32_t end = line + 1 < source.line_count() ? source.LineStart(line + 1) : source.size();
    return {source.LineStart(line), end};
  }

  TextEdit InsertAnywhere(const std::string& text) {
    static constexpr char kBytes[] = "abfx019_.,:=%#(){}[]<>\"'/* -?\n\r\t\x80";
    const uint32_t at = Offset(text);
    return {{at, at}, std::string(1, kBytes[Below(sizeof(kBytes) - 1)])};
  }
  TextEdit DeleteAnywhere(const std::string& text) {
    const uint32_t at = Offset(text);
    const uint32_t length = Below(3) == 0 ? static_cast<uint32_t>(Below(40)) : 1;
    return {{at, std::min<uint32_t>(at + length, static_cast<uint32_t>(text.size()))}, ""};
  }
  static bool IsWordByte(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }
  SourceRange WordAt(const std::string& text, uint32_t at) {
    uint32_t begin = at, end = at;
    while (begin > 0 && IsWordByte(text[begin - 1])) --begin;
    while (end < text.size() && IsWordByte(text[end])) ++end;
    return {begin, end};
  }
  TextEdit ReplaceWord(const std::string& text) {
    const SourceRange from = WordAt(text, Offset(text)), to = WordAt(text, Offset(text));
    return {to, text.substr(from.begin, from.size())};
  }
  TextEdit DeleteLine(const Document& document) { return {LineRange(document, Line(document)), ""}; }
  TextEdit CopyLine(const Document& document, const std::string& text) {
    const SourceRange from = LineRange(document, Line(document));
    const uint32_t at = document.source().LineStart(Line(document));
    return {{at, at}, text.substr(from.begin, from.size())};
  }
  TextEdit SwapLines(const Document& document, const std::string& text) {
    const uint32_t line = Line(document);
    if (line + 1 >= document.source().line_count()) return DeleteLine(document);
    const SourceRange first = LineRange(document, line), second = LineRange(document, line + 1);
    return {{first.begin, second.end},
            text.substr(second.begin, second.size()) + text.substr(first.begin, first.size())};
  }
  TextEdit InsertFragment(const Document& document, const std::string& text) {
    static const char* const kFragments[] = {"/*",
                                             "*/",
                                             "// note\n",
                                             "\"",
                                             "{",
                                             "}",
                                             "\n}\n",
                                             "ROOT ",
                                             " = ",
                                             ", metadata={op_name=\"x\"}",
                                             ", index=1",
                                             "f32[",
                                             "nonsense(",
                                             "%a, ",
                                             "new = f32[4] negate(a)\n",
                                             "ENTRY e {\n",
                                             "parameter",
                                             ", calls={",
                                             "backend_config={",
                                             ", frontend_attributes={a=\"b\"}",
                                             "(",
                                             ")",
                                             "broken broken broken\n",
                                             "constant(1)",
                                             ", sharding={maximal device=1}"};
    uint32_t at = Offset(text);
    if (Below(2) == 0) at = document.source().LineStart(Line(document));
    return {{at, at}, kFragments[Below(std::size(kFragments))]};
  }
  InstructionId AnyInstruction(const Document& document) {
    const size_t count = document.module().instruction_count();
    return count == 0 ? InstructionId() : InstructionId(Below(count));
  }
  std::vector<TextEdit> Rename(const Document& document, bool everywhere) {
    const InstructionId id = AnyInstruction(document);
    if (!id.has_value()) return {};
    const InstructionId other = AnyInstruction(document);
    const std::string name =
        Below(3) == 0 ? std::string(document.module().InstructionName(other)) : absl::StrCat("renamed.", Below(100));
    std::vector<TextEdit> edits;
    if (everywhere) {
      for (SourceRange range : document.ReferencesTo(id)) edits.push_back({range, name});
    } else if (!document.NameRange(id).empty()) {
      edits.push_back({document.NameRange(id), name});
    }
    return edits;
  }
  std::vector<TextEdit> RenameComputation(const Document& document, bool everywhere) {
    const size_t count = document.module().computations().size();
    if (count == 0) return {};
    const ComputationId id(Below(count)), other(Below(count));
    const std::string name =
        Below(3) == 0 ? std::string(document.module().ComputationName(other)) : absl::StrCat("computed.", Below(100));
    std::vector<TextEdit> edits;
    for (SourceRange range : document.ReferencesTo(id)) {
      if (edits.empty() || everywhere) edits.push_back({range, name});
    }
    return edits;
  }
  TextEdit ChangeShape(const Document& document, const std::string& text) {
    static const char* const kShapes[] = {"f32[4]", "f32[]", "s32[]", "f32[8]{0}", "(s32[], f32[4])", "f32[", "pred[]"};
    const InstructionId id = AnyInstruction(document);
    const SourceRange range = id.has_value() ? document.ShapeRange(id) : SourceRange{};
    if (range.empty()) return InsertAnywhere(text);
    return {range, kShapes[Below(std::size(kShapes))]};
  }
  // Takes an instruction out and types it again.
  std::vector<std::vector<TextEdit>> TypeLine(const Document& document, const std::string& text) {
    const InstructionId id = AnyInstruction(document);
    const SourceRange range = id.has_value() ? document.InstructionRange(id) : SourceRange{};
    if (range.empty() || range.size() > 150) return {{InsertAnywhere(text)}};
    std::vector<std::vector<TextEdit>> steps = {{{range, ""}}};
    for (uint32_t i = 0; i < range.size(); ++i) {
      const uint32_t at = range.begin + i;
      steps.push_back({{{at, at}, text.substr(at, 1)}});
    }
    return steps;
  }
  std::vector<std::vector<TextEdit>> EraseBackwards(const Document& document) {
    const InstructionId id = AnyInstruction(document);
    const SourceRange range = id.has_value() ? document.InstructionRange(id) : SourceRange{};
    std::vector<std::vector<TextEdit>> steps;
    for (uint32_t i = 0; i < std::min<uint32_t>(range.size(), 60); ++i) {
      steps.push_back({{{range.end - i - 1, range.end - i}, ""}});
    }
    return steps;
  }

  std::mt19937_64 random_;
};

struct Counts {
  int edits = 0;
  int updates = 0;
};

// Edits the text and goes back to it every few changes. Stops after a difference.
Counts CheckEdits(const std::string& name, const std::string& text, int count, uint64_t seed, int positions,
                  DocumentOptions options = {}) {
  EditMaker maker(seed);
  Counts counts;
  auto document = Document::Parse(SourceText::FromString("t", text), options);
  while (counts.edits < count) {
    if (maker.Below(6) == 0) {
      // Back, by an edit too.
      const std::vector<TextEdit> all = {{{0, document->source().size()}, text}};
      document =
          maker.Below(2) == 0 ? document->WithEdit(all) : Document::Parse(SourceText::FromString("t", text), options);
    }
    for (const std::vector<TextEdit>& batch : maker.Make(*document)) {
      const auto edited = document->WithEdit(batch);
      const auto scratch = Document::Parse(SourceText::FromString("t", std::string(edited->source().text())), options);
      ++counts.edits;
      counts.updates += edited->is_update() ? 1 : 0;
      const bool ask = maker.Below(8) == 0;
      const std::string difference = edited->is_update()
                                         ? DocumentDifference(*edited, *scratch, ask ? positions : 0, seed)
                                         : (edited->source().text() == scratch->source().text() ? "" : "text");
      if (!difference.empty()) {
        std::string edits;
        for (const TextEdit& edit : batch) {
          absl::StrAppend(&edits, "\n[", edit.range.begin, ",", edit.range.end, ") -> \"", edit.replacement, "\"");
        }
        const std::string before = testing::TempDir() + "hloscope_before_edit.hlo";
        std::ofstream(before, std::ios::binary) << document->source().text();
        ADD_FAILURE() << name << ", edit " << counts.edits << edits << "\n" << difference << "\nof " << before;
        return counts;
      }
      document = edited;
    }
  }
  return counts;
}

TEST(DocumentEdit, SmallTextsEqualAWholeParse) {
  const struct {
    const char* name;
    const char* text;
  } kTexts[] = {{"mixed", kMixed}, {"pairs", kDocumentEditPairs}, {"sugar", kSugar}, {"headerless", kHeaderless}};
  const int count = EditCount(8000) / 8;
  for (const auto& [name, text] : kTexts) {
    const Counts counts = CheckEdits(name, text, count, Seed(), 4);
    std::printf("%s: %d edits, %d without a whole parse\n", name, counts.edits, counts.updates);
  }
  VerifyOptions strict;
  strict.layout_sensitive = true;
  CheckEdits("mixed, with layouts", kMixed, count, Seed() + 1, 4, {strict});
}

TEST(DocumentEdit, GoldenTextsEqualAWholeParse) {
  std::vector<std::string> files;
  for (const char* folder : {"/tests/corpus", "/resources/examples"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(HLOSCOPE_SOURCE_DIR) + folder)) {
      if (entry.path().extension() == ".hlo") files.push_back(entry.path().string());
    }
  }
  ASSERT_FALSE(files.empty());
  std::sort(files.begin(), files.end());
  const int count = std::max(1, EditCount(8000) / 8 / static_cast<int>(files.size()));
  uint64_t seed = Seed();
  for (const std::string& file : files) CheckEdits(file, ReadFileOrDie(file), count, ++seed, 2);
}

TEST(DocumentEdit, CorpusModulesEqualAWholeParse) {
  SKIP_WITHOUT_SHARED_FILES();
  const int total = EditCount(400);
  int edits = 0, updates = 0;
  uint64_t seed = Seed();
  for (const std::string& file : CorpusFiles()) {
    const uintmax_t size = std::filesystem::file_size(file);
    // Most edits where a whole parse takes little time.
    const int count = size > 1000000 ? total / 1000 : size > 100000 ? total / 200 : total / 20;
    ++seed;
    if (count == 0) continue;
    const Counts counts = CheckEdits(file, ReadFileOrDie(file), count, seed, 2);
    edits += counts.edits;
    updates += counts.updates;
  }
  std::printf("%d edits, %d without a whole parse\n", edits, updates);
}

// --- What must not cost a whole parse ---

// Replaces the only place of `from`.
TextEdit Replace(const Document& document, const std::string& from, const std::string& to) {
  const size_t at = document.source().text().find(from);
  EXPECT_NE(at, absl::string_view::npos) << from;
  EXPECT_EQ(document.source().text().find(from, at + 1), absl::string_view::npos) << from;
  return {{static_cast<uint32_t>(at), static_cast<uint32_t>(at + from.size())}, to};
}

void ExpectUpdate(const Document& document, const std::vector<TextEdit>& edits) {
  const auto edited = document.WithEdit(edits);
  EXPECT_TRUE(edited->is_update()) << edits[0].replacement;
  EXPECT_EQ(DocumentDifference(*edited, *ReadDocument(std::string(edited->source().text())), 20, 1), "");
}

TEST(DocumentEdit, UpdatesOrdinaryEdits) {
  const auto document = ReadDocument(kMixed);
  ExpectUpdate(*document, {Replace(*document, "constant(10)", "constant(12)")});
  ExpectUpdate(*document, {Replace(*document, "op_name=\"jit(f)/{two}\"", "op_name=\"two\"")});
  ExpectUpdate(*document, {Replace(*document, "  %start =", "  %extra = s32[] negate(%n)\n  %start =")});
  ExpectUpdate(*document, {Replace(*document, "negate(%n)", "negate(%")});
  ExpectUpdate(*document, {Replace(*document, "negate(%n)", "neg")});
  ExpectUpdate(*document, {Replace(*document, "  %unused = f32[4]{0} sine(%copied)\n", "")});
  ExpectUpdate(*document, {Replace(*document, "%spread =", "%other ="), Replace(*document, "(%spread", "(%other")});
  ExpectUpdate(*document, {Replace(*document, "/* second */", "/* 2nd */")});
  // Numbers that are missing.
  ExpectUpdate(*document, {Replace(*document, "%x = f32[] parameter(0)", "%x = f32[] parameter(x0)")});
  ExpectUpdate(*document, {Replace(*document, "%b = f32[4]{0} parameter(1)", "%b = f32[4]{0} parameter(12)")});
  // Names that stand for nothing, or for two things, while they are typed.
  ExpectUpdate(*document, {Replace(*document, "negate(%n)", "negate(%nx)")});
  ExpectUpdate(*document, {Replace(*document, "%spread = f32[4]{0}", "%spr = f32[4]{0}")});
  ExpectUpdate(*document, {Replace(*document, "%start = s32[] negate", "%zero = s32[] negate")});
  ExpectUpdate(*document, {Replace(*document, "dimensions={0}, to_apply=%add", "dimensions={0}, to_apply=%ad")});
  ExpectUpdate(*document, {Replace(*document, "%condition (", "%conditio (")});
  ExpectUpdate(*document, {Replace(*document, "%x = f32[] parameter(0)", "%x = f32[4] parameter(0)")});
  ExpectUpdate(*document, {Replace(*document, "ROOT %less", "%less")});
  // Quotes and braces too many concern their instruction alone.
  ExpectUpdate(*document, {Replace(*document, "op_name=\"jit(f)/{two}\"", "op_name=\"jit(f)")});
  ExpectUpdate(*document, {Replace(*document, "negate(%n)", "negate\"(%n)")});
  ExpectUpdate(*document, {Replace(*document, "negate(%n)", "negate}(%n)")});
  ExpectUpdate(*document, {Replace(*document, "dimensions={0}, to_apply=%add", "dimensions={0}}, to_apply=%add")});
  ExpectUpdate(*document, {Replace(*document, "%start =", "%st{art =")});
  ExpectUpdate(*document, {Replace(*document, "  %i = s32[] get-tuple-element(%t), index=0\n  %v", "}\n  %v")});
  ExpectUpdate(*document, {Replace(*document, "fused (p", "fusion.7 (p"), Replace(*document, "=fused", "=fusion.7")});
}

// The names of the instructions that an update reads again, as "computation::instruction".
std::vector<std::string> ReadAgain(const Document& document, const std::vector<TextEdit>& edits) {
  std::vector<TextChange> changes;
  const auto source = ApplyEdits(document.source(), edits, &changes);
  std::vector<InstructionId> read;
  const auto edited = DocumentUpdate::Run(document, source, changes, &read);
  if (edited == nullptr) return {"everything"};
  EXPECT_EQ(DocumentDifference(*edited, *ReadDocument(std::string(source->text())), 20, 1), "");
  std::vector<std::string> names;
  for (InstructionId id : read) {
    const Module& module = edited->module();
    const ComputationId computation = module.instruction(id).computation;
    names.push_back(absl::StrCat(module.ComputationName(computation), "::", module.InstructionName(id)));
  }
  return names;
}

TEST(DocumentEdit, ReadsExactlyTheDependentsAgain) {
  const auto document = ReadDocument(kMixed);
  using Names = std::vector<std::string>;
  // A called computation gets another name: its callers.
  EXPECT_EQ(ReadAgain(*document, {Replace(*document, "%add (", "%sum_up ("), Replace(*document, "=%add", "=%sum_up")}),
            Names({"main::total"}));
  EXPECT_EQ(
      ReadAgain(*document, {Replace(*document, "%condition (", "%c ("), Replace(*document, "=%condition", "=%c")}),
      Names({"main::loop"}));
  // A parameter gets another shape: its users. Callers that give their own shape are checked, not read.
  EXPECT_EQ(ReadAgain(*document, {Replace(*document, "%y = f32[] parameter(1)", "%y = s32[] parameter(1)")}),
            Names({"add::y", "add::sum"}));
  // An instruction gets another shape: its users, and theirs only if their shapes follow.
  EXPECT_EQ(ReadAgain(*document, {Replace(*document, "%spread = f32[4]{0}", "%spread = f32[8]{0}")}),
            Names({"main::spread", "main::both"}));
  // Nothing else depends on what a constant holds.
  EXPECT_EQ(ReadAgain(*document, {Replace(*document, "constant(10)", "constant(12)")}), Names({"condition::limit"}));
}

TEST(DocumentEdit, FindsAgainWhatAnotherParameterShapeBreaks) {
  const auto document = ReadDocument(kMixed);
  const auto edited = document->WithEdit({{Replace(*document, "%y = f32[] parameter(1)", "%y = s32[] parameter(1)")}});
  EXPECT_TRUE(edited->is_update());
  // The adder of the same computation and the reduce that calls it.
  bool adder = false, caller = false;
  for (const Diagnostic& d : edited->diagnostics()) {
    const InstructionId id = edited->InstructionAt(d.range.begin);
    if (!id.has_value()) continue;
    adder = adder || edited->module().InstructionName(id) == "sum";
    caller = caller || edited->module().InstructionName(id) == "total";
  }
  EXPECT_TRUE(adder);
  EXPECT_TRUE(caller);
}

// What cannot be done in parts must be recognised.
TEST(DocumentEdit, ParsesWholeWhatReachesFurther) {
  const auto document = ReadDocument(kMixed);
  const auto expect_whole = [](const Document& before, const std::vector<TextEdit>& edits) {
    const auto edited = before.WithEdit(edits);
    EXPECT_FALSE(edited->is_update()) << edits[0].replacement;
    EXPECT_EQ(DocumentDifference(*edited, *ReadDocument(std::string(edited->source().text())), 20, 1), "");
  };
  expect_whole(*document, {Replace(*document, "is_scheduled=false", "is_scheduled=true")});
  expect_whole(*document, {Replace(*document, "(p: f32[4]) -> f32[4]", "(p: f32[4]) -> f32[8]")});
  expect_whole(*document, {Replace(*document, "%x = f32[] parameter(0)", "%x = f32[] parameter(1)")});
  expect_whole(*document, {Replace(*document, "/* second */", "/* second")});
  // The result shape of the signature takes a brace before a number for that of a layout.
  expect_whole(*document, {Replace(*document, "  %x = f32[] parameter(0)", "0 %x = f32[] parameter(0)")});
}

TEST(DocumentEdit, FindsThatOtherPlacesDependOnTheEdit) {
  const auto expect_equal = [](const std::string& text, const std::string& from, const std::string& to) {
    const auto document = ReadDocument(text);
    const auto edited = document->WithEdit({Replace(*document, from, to)});
    EXPECT_EQ(DocumentDifference(*edited, *ReadDocument(std::string(edited->source().text())), 20, 1), "") << text;
  };
  // How many parameters there may be, where numbers are missing and instructions cannot be read.
  expect_equal(
      "ENTRY e { x = f32[3] parameter(9)\ny = f32[3] negate(x)\nz = f32[f32] constan(1)\nROOT r = f32[3] copy(y) }\n",
      "y = f32[3] negate(x)\n", "");
  // Where what is no computation ends, if a bracket in it is never closed.
  expect_equal(
      "HloModule m\n\nEN[TRY e {\n p = f32[3] parameter(0)\n c = f32[3] copy(p)\n d = f32[3] copy(p), metadata={} "
      "x(1)\n"
      " ROOT t = (f32[3], f32[3]) tuple(c, d)\n}\n",
      " ROOT t = (f32[3], ", "[3], ");
}

TEST(DocumentEdit, OldVersionsStayAsTheyWere) {
  const auto document = ReadDocument(kMixed);
  const std::string before = DocumentDifference(*document, *ReadDocument(kMixed), 50, 3);
  auto edited = document->WithEdit({{Replace(*document, "constant(10)", "constant(11)")}});
  auto fork = document->WithEdit({{Replace(*document, "%start = s32[] negate(%n)", "%start = s32[] copy(%n)")}});
  edited = edited->WithEdit({{Replace(*edited, "%zero = f32[] constant(0)", "%zero = f32[] constant(5)")}});
  EXPECT_EQ(before, "");
  EXPECT_EQ(DocumentDifference(*document, *ReadDocument(kMixed), 50, 4), "");
  EXPECT_EQ(DocumentDifference(*edited, *ReadDocument(std::string(edited->source().text())), 50, 5), "");
  EXPECT_EQ(DocumentDifference(*fork, *ReadDocument(std::string(fork->source().text())), 50, 6), "");
}

}  // namespace
}  // namespace hloscope
