// SPDX-License-Identifier: Apache-2.0
// Loops over the same rows run block by block: which ones, and that the results are those of the evaluator.
#include "codegen/row_groups.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "codegen/program.h"
#include "gtest/gtest.h"
#include "tests/codegen/compiled_program.h"
#include "tests/support/session_test_support.h"

namespace hloscope::codegen {
namespace {

constexpr char kRowReducers[] = R"(
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b) }
max { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] maximum(a, b) }
first_max { v = f32[] parameter(0)
  i = s32[] parameter(1)
  w = f32[] parameter(2)
  j = s32[] parameter(3)
  keep = pred[] compare(v, w), direction=GE
  value = f32[] select(keep, v, w)
  index = s32[] select(keep, i, j)
  ROOT r = (f32[], s32[]) tuple(value, index) }
)";

struct RowModule {
  const char* name;
  int grouped;  // loops that run block by block
  const char* entry;
};

const RowModule kModules[] = {
    {"softmax", 4, R"(  x = f32[300,400] parameter(0)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  m = f32[300] reduce(x, low), dimensions={1}, to_apply=max
  mb = f32[300,400] broadcast(m), dimensions={0}
  d = f32[300,400] subtract(x, mb)
  e = f32[300,400] exponential(d)
  s = f32[300] reduce(e, zero), dimensions={1}, to_apply=add
  sb = f32[300,400] broadcast(s), dimensions={0}
  ROOT r = f32[300,400] divide(e, sb))"},
    // So large that rows are fetched ahead and results are written past the caches.
    {"large", 4, R"(  x = f32[1055,8000] parameter(0)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  m = f32[1055] reduce(x, low), dimensions={1}, to_apply=max
  mb = f32[1055,8000] broadcast(m), dimensions={0}
  d = f32[1055,8000] subtract(x, mb)
  e = f32[1055,8000] exponential(d)
  s = f32[1055] reduce(e, zero), dimensions={1}, to_apply=add
  sb = f32[1055,8000] broadcast(s), dimensions={0}
  ROOT r = f32[1055,8000] divide(e, sb))"},
    // The mask has no batch: its rows are not those of the scores.
    {"masked", 5, R"(  x = f32[3,40,50,60] parameter(0)
  mask = pred[50,60] parameter(1)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  least = f32[] constant(-1e9)
  lb = f32[3,40,50,60] broadcast(least), dimensions={}
  kb = pred[3,40,50,60] broadcast(mask), dimensions={2,3}
  y = f32[3,40,50,60] select(kb, x, lb)
  m = f32[3,40,50] reduce(y, low), dimensions={3}, to_apply=max
  mb = f32[3,40,50,60] broadcast(m), dimensions={0,1,2}
  d = f32[3,40,50,60] subtract(y, mb)
  e = f32[3,40,50,60] exponential(d)
  s = f32[3,40,50] reduce(e, zero), dimensions={3}, to_apply=add
  sb = f32[3,40,50,60] broadcast(s), dimensions={0,1,2}
  q = f32[3,40,50,60] divide(e, sb)
  ROOT r = bf16[3,40,50,60] convert(q))"},
    {"layer_norm", 7, R"(  x = bf16[20,30,200] parameter(0)
  scale = f32[200] parameter(1)
  zero = f32[] constant(0)
  n = f32[] constant(0.005)
  nb = f32[20,30] broadcast(n), dimensions={}
  small = f32[] constant(1e-5)
  smalls = f32[20,30] broadcast(small), dimensions={}
  xf = f32[20,30,200] convert(x)
  s = f32[20,30] reduce(xf, zero), dimensions={2}, to_apply=add
  mean = f32[20,30] multiply(s, nb)
  meanb = f32[20,30,200] broadcast(mean), dimensions={0,1}
  c = f32[20,30,200] subtract(xf, meanb)
  c2 = f32[20,30,200] multiply(c, c)
  v = f32[20,30] reduce(c2, zero), dimensions={2}, to_apply=add
  var = f32[20,30] multiply(v, nb)
  eps = f32[20,30] add(var, smalls)
  root = f32[20,30] rsqrt(eps)
  rb = f32[20,30,200] broadcast(root), dimensions={0,1}
  y = f32[20,30,200] multiply(c, rb)
  sb = f32[20,30,200] broadcast(scale), dimensions={2}
  ROOT r = f32[20,30,200] multiply(y, sb))"},
    // What the rows share with the rest of the module is written to memory.
    {"results", 3, R"(  x = f32[300,400] parameter(0)
  zero = f32[] constant(0)
  begin = f32[300,400] sine(x)
  end = f32[300] reduce(begin, zero), dimensions={1}, to_apply=add
  row = f32[300,400] broadcast(end), dimensions={0}
  next = f32[300,400] add(begin, row)
  ROOT r = (f32[300,400], f32[300], f32[300,400]) tuple(begin, end, next))"},
    {"two_results", 3, R"(  x = f32[200,500] parameter(0)
  i = s32[200,500] iota(), iota_dimension=1
  low = f32[] constant(-inf)
  none = s32[] constant(0)
  m = (f32[200], s32[200]) reduce(x, i, low, none), dimensions={1}, to_apply=first_max
  v = f32[200] get-tuple-element(m), index=0
  k = s32[200] get-tuple-element(m), index=1
  kf = f32[200] convert(k)
  vb = f32[200,500] broadcast(v), dimensions={0}
  kb = f32[200,500] broadcast(kf), dimensions={0}
  d = f32[200,500] subtract(x, vb)
  ROOT r = f32[200,500] multiply(d, kb))"},
    // A transposed reader needs all rows: it is not among them.
    {"transposed", 0, R"(  x = f32[300,400] parameter(0)
  a = f32[300,400] sine(x)
  t = f32[400,300] transpose(a), dimensions={1,0}
  c = f32[400,300] cosine(t)
  ROOT r = (f32[300,400], f32[400,300]) tuple(a, c))"},
    // Neighbours along the rows.
    {"shifted", 0, R"(  x = f32[120000] parameter(0)
  a = f32[120000] sine(x)
  p = f32[119999] slice(a), slice={[0:119999]}
  q = f32[119999] slice(a), slice={[1:120000]}
  d = f32[119999] subtract(q, p)
  ROOT r = (f32[120000], f32[119999]) tuple(a, d))"},
    // An array that is written over between the loops that read it.
    {"updated", 0, R"(  x = f32[300,400] parameter(0)
  y = f32[300,400] parameter(1)
  z = s32[] parameter(2)
  a = f32[300,400] add(x, y)
  part = f32[1,400] slice(a), slice={[7:8], [0:400]}
  u = f32[300,400] dynamic-update-slice(x, part, z, z)
  b = f32[300,400] multiply(a, u)
  ROOT r = (f32[300,400], f32[300,400]) tuple(b, u))"},
};

std::shared_ptr<const Module> ModuleOf(const RowModule& row) {
  return ModuleFromText(absl::StrCat("HloModule ", row.name, "\n", kRowReducers, "ENTRY e {\n", row.entry, "\n}\n"));
}

// Calls of loops for some rows in the computations of a program.
int RowLoopsOf(const Program& program) {
  int count = 0;
  for (const ProgramFile& file : program.files) {
    if (!absl::StartsWith(file.path, "loops")) continue;
    for (size_t at = 0; (at = file.content.find("\nvoid loop_", at)) != std::string::npos; ++at) {
      if (absl::StartsWith(absl::string_view(file.content).substr(file.content.find('(', at) + 1), kRowRange)) ++count;
    }
  }
  return count;
}

TEST(RowGroupsTest, LoopsOverTheSameRowsRunTogether) {
  for (const RowModule& row : kModules) {
    const std::shared_ptr<const Module> module = ModuleOf(row);
    ASSERT_NE(module, nullptr) << row.name;
    const ProgramModule only = {module.get(), row.name};
    const Program program = GenerateProgram({&only, 1});
    ASSERT_TRUE(program.complete()) << row.name;
    EXPECT_EQ(RowLoopsOf(program), row.grouped) << row.name;
  }
}

TEST(RowGroupsTest, LargeArraysAreFetchedAheadAndWrittenPastTheCaches) {
  for (const RowModule& row : kModules) {
    const std::shared_ptr<const Module> module = ModuleOf(row);
    const ProgramModule only = {module.get(), row.name};
    std::string text;
    for (const ProgramFile& file : GenerateProgram({&only, 1}).files) {
      if (absl::StartsWith(file.path, "computations")) text += file.content;
    }
    const bool is_large = absl::string_view(row.name) == "large";
    for (const char* part : {"RowsAhead ", "CopyPastCache(", "FinishPastCache("}) {
      EXPECT_EQ(absl::StrContains(text, part), is_large) << row.name << ": " << part;
    }
  }
}

TEST(RowGroupsTest, ResultsAreThoseOfTheEvaluator) {
  if (!CompiledProgram::IsPossible()) GTEST_SKIP() << "there is no compiler or no make";
  std::vector<NamedModule> modules;
  for (const RowModule& row : kModules) modules.push_back({row.name, ModuleOf(row)});
  ExpectSameResults(modules, /*seed=*/3, /*tolerance=*/0);
}

// --- Statements ---

LoopCall Call(int64_t rows, std::vector<std::pair<ArrayId, int64_t>> arrays) {
  LoopCall call{.line = 1, .wish = "loop", .text = LoopText("")};
  call.text.rows.count = rows;
  for (size_t k = 0; k < arrays.size(); ++k) {
    call.parameters.push_back({"float", "a", k + 1 == arrays.size()});
    call.arguments.push_back("a");
    call.arrays.push_back(arrays[k].first);
    call.text.rows.elements.push_back(arrays[k].second);
  }
  return call;
}

// A loop that makes its last array of the others.
Statement Loop(int64_t rows, std::vector<std::pair<ArrayId, int64_t>> arrays) {
  Statement statement;
  const ArrayId made = arrays.back().first;
  statement.lines = {"// a loop", "", "Array made;"};
  for (size_t k = 0; k + 1 < arrays.size(); ++k) statement.reads.push_back(arrays[k].first);
  statement.defines = {made};
  statement.allocations.push_back({2, made, 4});
  statement.calls.push_back(Call(rows, std::move(arrays)));
  return statement;
}

Statement Other(std::vector<ArrayId> reads, std::vector<ArrayId> takes = {}) {
  Statement statement;
  statement.lines = {"// something else"};
  statement.reads = std::move(reads);
  statement.takes = std::move(takes);
  return statement;
}

std::vector<std::vector<size_t>> Grouped(const std::vector<Statement>& statements) {
  std::vector<std::vector<size_t>> groups;
  for (const StatementGroup& group : GroupByRows(statements)) groups.push_back(group.statements);
  return groups;
}

using Groups = std::vector<std::vector<size_t>>;

TEST(RowGroupsTest, RowsOfAGroupAreThoseThatAllLoopsHave) {
  const std::vector<Statement> statements = {Loop(1024, {{0, 1024}, {1, 1}}), Loop(1024 * 1024, {{0, 1}, {2, 1}}),
                                             Loop(1024, {{2, 1024}, {1, 1}, {3, 1024}})};
  const std::vector<StatementGroup> groups = GroupByRows(statements);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].rows, 1024);
  // Three arrays of 4 kB a row, and four bytes.
  EXPECT_EQ(groups[0].block_rows, (128 << 10) / (3 * 4096 + 4));
}

TEST(RowGroupsTest, BlocksOfOperandsFromMemoryAreSmall) {
  const std::vector<Statement> statements = {Loop(2048, {{0, 2048}, {1, 1}}),
                                             Loop(2048, {{0, 2048}, {1, 1}, {2, 2048}})};
  const std::vector<StatementGroup> groups = GroupByRows(statements);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].read_ahead, (std::vector<std::pair<ArrayId, int64_t>>{{0, 8192}}));
  EXPECT_EQ(groups[0].block_rows, 1);  // two loops, each with a share of half a row
}

// It reads nothing twice: its results alone are kept in the cache until they are written past it.
TEST(RowGroupsTest, ASingleLoopRunsInBlocksIfItsResultIsLargeAndItWaitsForMemory) {
  constexpr int64_t kElements = 16 << 20;
  const Statement loop = Loop(kElements, {{0, 1}, {1, 1}});
  const std::vector<StatementGroup> groups = GroupByRows({loop});
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].rows, kElements);
  EXPECT_EQ(groups[0].block_rows, 2048);  // 16 kB
  EXPECT_TRUE(groups[0].read_ahead.empty());

  EXPECT_EQ(GroupByRows({Loop(kElements / 4, {{0, 1}, {1, 1}})})[0].rows, 0);
  Statement slow = loop;
  slow.calls[0].text.rows.nanoseconds = 5;
  EXPECT_EQ(GroupByRows({slow})[0].rows, 0);
}

TEST(RowGroupsTest, SmallArraysAndLongRowsAreLeftAlone) {
  EXPECT_EQ(Grouped({Loop(100, {{0, 100}, {1, 100}}), Loop(100, {{1, 100}, {2, 100}})}), (Groups{{0}, {1}}));
  EXPECT_EQ(Grouped({Loop(4, {{0, 1 << 20}, {1, 1 << 20}}), Loop(4, {{1, 1 << 20}, {2, 1 << 20}})}),
            (Groups{{0}, {1}}));
}

TEST(RowGroupsTest, OtherStatementsStayInOrder) {
  const Statement first = Loop(1000, {{0, 1000}, {1, 1000}}), second = Loop(1000, {{1, 1000}, {2, 1000}});
  // One that has nothing to do with them runs before; one that reads what a loop makes, or takes what a loop reads,
  // between them.
  EXPECT_EQ(Grouped({first, Other({7}), second}), (Groups{{1}, {0, 2}}));
  EXPECT_EQ(Grouped({first, Other({1}), second}), (Groups{{0}, {1}, {2}}));
  EXPECT_EQ(Grouped({first, Other({}, {0}), second}), (Groups{{0}, {1}, {2}}));
  EXPECT_EQ(Grouped({first, second, Other({}, {2})}), (Groups{{0, 1}, {2}}));
}

TEST(RowGroupsTest, ReadersOfOtherRowsAreLeftOut) {
  const Statement first = Loop(1000, {{0, 1000}, {1, 1000}});
  EXPECT_EQ(Grouped({first, Loop(1000, {{1, 0}, {2, 1000}})}), (Groups{{0}, {1}}));     // any elements
  EXPECT_EQ(Grouped({first, Loop(500, {{1, 1000}, {2, 1000}})}), (Groups{{0}, {1}}));   // half of them
  EXPECT_EQ(Grouped({first, Loop(1000, {{5, 1000}, {2, 1000}})}), (Groups{{0}, {1}}));  // nothing in common
}

}  // namespace
}  // namespace hloscope::codegen
