// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace hloscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// p0, c -> add -> chain of `length` negates; also p1 -> other, which shares only the constant with the rest.
class GraphTest : public ::testing::Test {
 protected:
  GraphTest() {
    const Shape shape = Shape::Array(ElementType::kF32, {2});
    computation_ = module_.AddComputation("main");
    auto add = [&](Opcode opcode, const char* name, std::vector<InstructionId> operands) {
      const InstructionId id = module_.AddInstruction(computation_, opcode, name, shape, operands);
      return id;
    };
    p0_ = add(Opcode::kParameter, "p0", {});
    p1_ = add(Opcode::kParameter, "p1", {});
    c_ = add(Opcode::kConstant, "c", {});
    add_ = add(Opcode::kAdd, "sum", {p0_, c_});
    other_ = add(Opcode::kMultiply, "other", {p1_, c_});
    InstructionId last = add_;
    for (int i = 0; i < 4; ++i) {
      last = add(Opcode::kNegate, absl::StrCat("neg", i).c_str(), {last});
      chain_.push_back(last);
    }
    square_ = add(Opcode::kMultiply, "square", {last, last});
    module_.mutable_computation(computation_).root = square_;
    module_.set_entry(computation_);
    users_ = UserIndex(module_);
  }

  std::vector<std::string> Names(const Graph& graph) {
    std::vector<std::string> names;
    for (const GraphNode& node : graph.nodes) names.emplace_back(module_.InstructionName(node.instruction));
    return names;
  }

  Module module_;
  ComputationId computation_;
  InstructionId p0_, p1_, c_, add_, other_, square_;
  std::vector<InstructionId> chain_;
  UserIndex users_;
};

TEST_F(GraphTest, WholeComputationHasANodePerInstructionAndAnEdgePerOperand) {
  const Graph graph = BuildGraph(module_, users_, computation_);
  EXPECT_TRUE(graph.IsWhole());
  EXPECT_THAT(Names(graph), ElementsAre("p0", "p1", "c", "sum", "other", "neg0", "neg1", "neg2", "neg3", "square"));
  ASSERT_EQ(graph.edges.size(), 10u);
  EXPECT_EQ(graph.edges[0].from, graph.node_of.at(p0_));
  EXPECT_EQ(graph.edges[0].to, graph.node_of.at(add_));
  // An instruction used twice by one consumer gets two edges.
  EXPECT_EQ(graph.edges[8].operand, 0);
  EXPECT_EQ(graph.edges[9].operand, 1);
  EXPECT_EQ(graph.edges[9].from, graph.edges[8].from);
  EXPECT_TRUE(graph.nodes.back().is_root);
  for (const GraphNode& node : graph.nodes) EXPECT_EQ(node.hidden_neighbours, 0u);
  EXPECT_THAT(graph.nodes[3].lines, ElementsAre("add", "sum", "f32[2]"));
}

TEST_F(GraphTest, NeighbourhoodDoesNotPassThroughConstants) {
  const Graph graph = Neighbourhood(module_, users_, add_, {.depth = 2});
  EXPECT_FALSE(graph.IsWhole());
  EXPECT_EQ(graph.computation_size, 10u);
  EXPECT_THAT(Names(graph), ElementsAre("p0", "c", "sum", "neg0", "neg1"));
  EXPECT_EQ(graph.nodes[graph.node_of.at(c_)].hidden_neighbours, 1u);         // other
  EXPECT_EQ(graph.nodes[graph.node_of.at(chain_[1])].hidden_neighbours, 1u);  // neg2
  EXPECT_EQ(graph.nodes[graph.node_of.at(add_)].hidden_neighbours, 0u);
}

TEST_F(GraphTest, NeighbourhoodOfAConstantShowsItsUsers) {
  EXPECT_THAT(Names(Neighbourhood(module_, users_, c_, {.depth = 1})), ElementsAre("c", "sum", "other"));
}

TEST_F(GraphTest, NeighbourhoodStopsAtTheNodeLimitNearestFirst) {
  const Graph graph = Neighbourhood(module_, users_, add_, {.depth = 100, .max_nodes = 4});
  EXPECT_THAT(Names(graph), ElementsAre("p0", "c", "sum", "neg0"));
  EXPECT_THAT(Names(Neighbourhood(module_, users_, add_, {.depth = 0})), ElementsAre("sum"));
}

TEST_F(GraphTest, NeighbourhoodLimitsWhatOneInstructionBringsIn) {
  const Shape shape = Shape::Scalar(ElementType::kF32);
  std::vector<InstructionId> many;
  for (int i = 0; i < 50; ++i) {
    many.push_back(module_.AddInstruction(computation_, Opcode::kIota, absl::StrCat("i", i), shape, {}));
  }
  const InstructionId tuple = module_.AddInstruction(computation_, Opcode::kTuple, "all", shape, many);
  users_ = UserIndex(module_);
  const Graph graph = Neighbourhood(module_, users_, tuple, {.depth = 1, .max_fan = 5});
  EXPECT_EQ(graph.nodes.size(), 11u);
  EXPECT_EQ(graph.nodes[graph.node_of.at(tuple)].hidden_neighbours, 40u);
}

TEST_F(GraphTest, HeadingsSayWhatDistinguishesAnInstruction) {
  const Shape scalar = Shape::Scalar(ElementType::kS32);
  Literal seven(scalar);
  seven.mutable_bytes() = {7, 0, 0, 0};
  const InstructionId constant = module_.AddInstruction(computation_, Opcode::kConstant, "seven", scalar, {});
  module_.SetLiteral(constant, seven);
  const InstructionId compare = module_.AddInstruction(computation_, Opcode::kCompare, "same",
                                                       Shape::Scalar(ElementType::kPred), {constant, constant});
  module_.AddWord(compare, AttributeKind::kDirection, static_cast<int>(ComparisonDirection::kNe));
  users_ = UserIndex(module_);
  const Graph graph = BuildGraph(module_, users_, computation_);
  EXPECT_EQ(graph.nodes[graph.node_of.at(constant)].lines.front(), "constant 7");
  EXPECT_EQ(graph.nodes[graph.node_of.at(compare)].lines.front(), "compare NE");
  EXPECT_EQ(graph.nodes[graph.node_of.at(p0_)].lines.front(), "parameter 0");
}

TEST_F(GraphTest, DotIsNamedAndEscaped) {
  Module module;
  const ComputationId computation = module.AddComputation("a\"b");
  const InstructionId p =
      module.AddInstruction(computation, Opcode::kParameter, "p\\\"q", Shape::Scalar(ElementType::kF32), {});
  module.AddInstruction(computation, Opcode::kNegate, "n", Shape::Scalar(ElementType::kF32), {p});
  const UserIndex users(module);
  const Graph graph = BuildGraph(module, users, computation);
  const std::string picture = ToDot(module, graph);
  EXPECT_THAT(picture, HasSubstr("digraph \"a\\\"b\" {"));
  EXPECT_THAT(picture, HasSubstr("p\\\\\\\"q"));
  EXPECT_THAT(picture, HasSubstr("n0 -> n1 [id=0]"));
  const std::string bare = ToDot(module, graph, {.sizes = {{72, 36}, {144, 36}}});
  EXPECT_THAT(bare, HasSubstr("n1 [width=2, height=0.5]"));
  EXPECT_THAT(bare, Not(HasSubstr("negate")));
}

// Graphviz takes minutes for thousands of lines between two boxes.
TEST_F(GraphTest, ManyUsesOfOneValueAreOneLine) {
  for (const size_t count : {size_t{3}, size_t{100000}}) {
    Module module;
    const ComputationId computation = module.AddComputation("c");
    const Shape scalar = Shape::Scalar(ElementType::kF32);
    const InstructionId p = module.AddInstruction(computation, Opcode::kParameter, "p", scalar, {});
    module.AddInstruction(computation, Opcode::kTuple, "t", Shape::Tuple(std::vector<Shape>(count, scalar)),
                          std::vector<InstructionId>(count, p));
    const UserIndex users(module);
    const std::string picture = ToDot(module, BuildGraph(module, users, computation));
    size_t lines = 0;
    for (size_t at = picture.find("n0 -> n1"); at != std::string::npos; at = picture.find("n0 -> n1", at + 1)) ++lines;
    EXPECT_EQ(lines, count == 3 ? 3u : 1u);
    EXPECT_EQ(picture.find("headlabel=\"100000 times\"") != std::string::npos, count != 3);
  }
}

TEST(NodeCategoryTest, EveryOpcodeHasACategory) {
  EXPECT_EQ(CategoryOf(Opcode::kInvalid), NodeCategory::kUnknown);
  for (Opcode opcode : AllOpcodes()) EXPECT_NE(CategoryOf(opcode), NodeCategory::kUnknown) << OpcodeName(opcode);
}

}  // namespace
}  // namespace hloscope
