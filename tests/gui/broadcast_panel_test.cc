// SPDX-License-Identifier: Apache-2.0
// Index maps and broadcasting: models, clicks and keys.
#include "gui/panels/broadcast_panel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QtTest/QTest>

#include "absl/strings/str_cat.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

using GridCell = CellGridView::Cell;
using Mark = CellGridView::Mark;
using IndexList = std::vector<int64_t>;

evaluator::Value NoValue(InstructionId) { return evaluator::Value(); }

class MapOfRoot {
 public:
  explicit MapOfRoot(const std::string& body, absl::FunctionRef<evaluator::Value(InstructionId)> value_of = NoValue)
      : document_(ParseText(absl::StrCat("HloModule m\n", body))),
        map_(document_->shared_module(), document_->module().computation(document_->module().entry()).root, value_of) {}
  const IndexMap& operator*() const { return map_; }
  const IndexMap* operator->() const { return &map_; }

 private:
  std::shared_ptr<const Document> document_;
  IndexMap map_;
};

TEST(IndexMapTest, MovementsOfData) {
  MapOfRoot transpose("ENTRY e { p = f32[2,3] parameter(0) ROOT t = f32[3,2] transpose(p), dimensions={1,0} }");
  ASSERT_TRUE(transpose->good()) << transpose->problem().toStdString();
  EXPECT_THAT(transpose->SourcesOf({2, 1}), ::testing::ElementsAre(MapSource{0, {1, 2}}));
  MapOfRoot reshape("ENTRY e { p = f32[2,3] parameter(0) ROOT t = f32[6] reshape(p) }");
  EXPECT_THAT(reshape->SourcesOf({4}), ::testing::ElementsAre(MapSource{0, {1, 1}}));
  MapOfRoot slice("ENTRY e { p = f32[9] parameter(0) ROOT t = f32[3] slice(p), slice={[2:8:2]} }");
  EXPECT_THAT(slice->SourcesOf({1}), ::testing::ElementsAre(MapSource{0, {4}}));
  MapOfRoot pad("ENTRY e { p = f32[2] parameter(0) z = f32[] constant(0) ROOT t = f32[5] pad(p, z), padding=1_1_1 }");
  EXPECT_THAT(pad->SourcesOf({0}), ::testing::ElementsAre(MapSource{1, {}}));
  EXPECT_THAT(pad->SourcesOf({3}), ::testing::ElementsAre(MapSource{0, {1}}));
}

TEST(IndexMapTest, SumsAndWindows) {
  MapOfRoot dot(
      "ENTRY e { a = f32[2,3] parameter(0) b = f32[3,4] parameter(1) ROOT d = f32[2,4] dot(a, b), "
      "lhs_contracting_dims={1}, rhs_contracting_dims={0} }");
  const auto sources = dot->SourcesOf({1, 2});
  EXPECT_EQ(sources.size(), 6u);
  EXPECT_THAT(sources, ::testing::Contains(MapSource{1, {2, 2}}));
  EXPECT_EQ(dot->SourcesOf({1, 2}, 2).size(), 2u);
  EXPECT_TRUE(dot->explanation().contains(QStringLiteral("go into each element")));
  const std::string add = "add { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }\n";
  MapOfRoot reduce(add +
                   "ENTRY e { p = f32[2,3] parameter(0) z = f32[] constant(0) ROOT r = f32[2] reduce(p, z), "
                   "dimensions={1}, to_apply=add }");
  EXPECT_EQ(reduce->SourcesOf({1}).size(), 4u);  // three elements and the initial value
  MapOfRoot window(add +
                   "ENTRY e { p = f32[4] parameter(0) z = f32[] constant(0) ROOT r = f32[3] reduce-window(p, z), "
                   "window={size=2}, to_apply=add }");
  EXPECT_THAT(window->SourcesOf({1}), ::testing::ElementsAre(MapSource{0, {1}}, MapSource{0, {2}}, MapSource{1, {}}));
  MapOfRoot convolution(
      "ENTRY e { x = f32[1,4,1] parameter(0) k = f32[2,1,1] parameter(1) ROOT c = f32[1,3,1] "
      "convolution(x, k), window={size=2}, dim_labels=b0f_0io->b0f }");
  EXPECT_THAT(convolution->SourcesOf({0, 1, 0}),
              ::testing::ElementsAre(MapSource{0, {0, 1, 0}}, MapSource{1, {0, 0, 0}}, MapSource{0, {0, 2, 0}},
                                     MapSource{1, {1, 0, 0}}));
}

TEST(IndexMapTest, GatherAndScatterLookAtTheirIndices) {
  const std::string gather =
      "ENTRY e { p = f32[9] parameter(0) i = s32[2,1] parameter(1) ROOT g = f32[2] gather(p, i), offset_dims={}, "
      "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1} }";
  MapOfRoot assumed(gather);
  EXPECT_TRUE(assumed->is_assumed());
  EXPECT_TRUE(assumed->explanation().contains(QStringLiteral("zeros are assumed")));
  EXPECT_EQ(assumed->SourcesOf({1})[0], (MapSource{0, {0}}));
  const auto values = [](InstructionId id) {
    if (id != InstructionId(1)) return evaluator::Value(FloatTensor({9}, std::vector<float>(9, 0)));
    evaluator::Tensor indices = Counting({2, 1});
    indices.mutable_data_as<int32_t>()[1] = 7;
    return evaluator::Value(indices);
  };
  MapOfRoot known(gather, values);
  EXPECT_FALSE(known->is_assumed());
  EXPECT_EQ(known->SourcesOf({1})[0], (MapSource{0, {7}}));
  MapOfRoot scatter(
      "add { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }\nENTRY e { p = f32[3] "
      "parameter(0) i = s32[2,1] parameter(1) u = f32[2] parameter(2) ROOT s = f32[3] scatter(p, i, u), "
      "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
      "to_apply=add }");
  ASSERT_TRUE(scatter->good());
  EXPECT_EQ(scatter->SourcesOf({0}).size(), 3u);  // the element and both updates
  EXPECT_EQ(scatter->SourcesOf({1}).size(), 1u);
}

TEST(IndexMapTest, TheWayBackAndItsLimit) {
  MapOfRoot broadcast("ENTRY e { p = f32[3] parameter(0) ROOT b = f32[2,3] broadcast(p), dimensions={1} }");
  bool complete = false;
  EXPECT_THAT(broadcast->ResultsOf({0, {1}}, &complete),
              ::testing::ElementsAre(evaluator::DimensionVector({0, 1}), evaluator::DimensionVector({1, 1})));
  EXPECT_TRUE(complete);
  MapOfRoot huge("ENTRY e { p = f32[3] parameter(0) ROOT b = f32[1000000,1000,3] broadcast(p), dimensions={2} }");
  EXPECT_FALSE(huge->ResultsOf({0, {1}}, &complete).empty());
  EXPECT_FALSE(complete);
}

TEST(IndexMapTest, SaysWhyThereIsNoMap) {
  for (const char* body :
       {"ENTRY e { ROOT p = f32[3] parameter(0) }", "ENTRY e { p = f32[3] parameter(0) ROOT t = (f32[3]) tuple(p) }",
        "ENTRY e { p = (f32[3]) parameter(0) ROOT t = f32[3] get-tuple-element(p), index=0 }",
        "ENTRY e { p = f32[0] parameter(0) ROOT t = f32[0] negate(p) }",
        "ENTRY e { p = f32[4,4] parameter(0) ROOT c = f32[4,4] cholesky(p) }",
        "ENTRY e { ROOT t = f32[3] negate(missing) }",
        "ENTRY e { p = f32[?] parameter(0) ROOT t = f32[?] negate(p) }"}) {
    MapOfRoot map(body);
    EXPECT_FALSE(map->problem().isEmpty() && std::string(body).find("tuple(p)") == std::string::npos) << body;
    EXPECT_TRUE(map->good() || map->SourcesOf({}).empty());
  }
}

class BroadcastPanelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    panel_.resize(1000, 700);
    panel_.show();
  }
  static void Hover(CellGridView* view, GridCell cell) {
    QMouseEvent move(QEvent::MouseMove, QPointF(view->RectOf(cell).center()), QPointF(), Qt::NoButton, Qt::NoButton,
                     {});
    QCoreApplication::sendEvent(view->viewport(), &move);
  }
  QString ResultText(GridCell cell) { return panel_.result_view()->grid().look(cell).text; }
  BroadcastPanel panel_{nullptr, nullptr};
};

TEST_F(BroadcastPanelTest, DegenerateDimensionsOfBothOperands) {
  panel_.SetShapes(QStringLiteral("f32[2,1]"), QStringLiteral("f32[1,3]"), {}, QStringLiteral("multiply"));
  ASSERT_TRUE(panel_.problem_text().isEmpty());
  ASSERT_TRUE(panel_.map().good());
  EXPECT_GE(panel_.step_list()->count(), 4);
  panel_.step_list()->setCurrentRow(panel_.step_list()->count() - 1);
  EXPECT_EQ(ResultText({1, 2}), QStringLiteral("fF"));  // of two arrays of equal shape
  panel_.grab();
}

TEST_F(BroadcastPanelTest, AScalarGoesEverywhereAndHoverShowsIt) {
  panel_.SetShapes(QStringLiteral("f32[2,2]"), QStringLiteral("f32[]"), {}, QStringLiteral("add"));
  ASSERT_TRUE(panel_.map().good());
  EXPECT_EQ(ResultText({1, 1}), QStringLiteral("a"));
  Hover(panel_.result_view(), {1, 0});
  EXPECT_EQ(panel_.operand_view(0)->MarkOf({0, 0}), Mark::kSource);
  EXPECT_TRUE(panel_.element_text().contains(QStringLiteral("[1,0] \u2190 rhs[]")))
      << panel_.element_text().toStdString();
  Hover(panel_.operand_view(0), {0, 0});
  EXPECT_EQ(panel_.result_view()->MarkOf({0, 1}), Mark::kResult);
  EXPECT_TRUE(panel_.element_text().contains(QStringLiteral("4 elements")));
}

TEST_F(BroadcastPanelTest, ElementsAreCopiedOneAfterTheOther) {
  panel_.SetShapes(QStringLiteral("f32[2,3]"), QStringLiteral("f32[3]"), QStringLiteral("1"), QStringLiteral("add"));
  ASSERT_TRUE(panel_.map().good()) << panel_.problem_text().toStdString();
  EXPECT_EQ(panel_.progress(), 6);
  const auto press = [&](const QString& name) {
    for (QToolButton* button : panel_.findChildren<QToolButton*>()) {
      if (button->accessibleName() == name) QTest::mouseClick(button, Qt::LeftButton);
    }
  };
  press(QStringLiteral("Before the first element"));
  EXPECT_EQ(panel_.progress(), 0);
  EXPECT_TRUE(ResultText({0, 0}).isEmpty());
  press(QStringLiteral("The next element"));
  press(QStringLiteral("The next element"));
  EXPECT_EQ(ResultText({0, 1}), QStringLiteral("b"));
  EXPECT_TRUE(ResultText({0, 2}).isEmpty());
  EXPECT_EQ(panel_.operand_view(0)->MarkOf({0, 1}), Mark::kSource);
  press(QStringLiteral("One element back"));
  EXPECT_EQ(panel_.progress(), 1);
  panel_.Play(true);
  EXPECT_TRUE(WaitUntil([&] { return panel_.progress() >= 2; }));
  panel_.SetProgress(6);
  EXPECT_TRUE(WaitUntil([&] { return !panel_.playing(); }));
  EXPECT_EQ(panel_.progress(), 6);
}

TEST_F(BroadcastPanelTest, ShapesThatDoNotFitAreExplained) {
  for (const auto& [lhs, rhs, dims, word] : std::vector<std::tuple<const char*, const char*, const char*, const char*>>{
           {"f32[2,3]", "f32[4]", "1", "4"},
           {"f32[2,3]", "f32[3]", "", "dim"},
           {"f32[2,3]", "f32[2,4]", "", "3"},
           {"f32[2,3]", "f32[3]", "7", "7"},
           {"f32[2,3]", "f32[3]", "x", "x"},
           {"f32[2,3]", "s32[2,3]", "", "s32"},
           {"f32[2,", "f32[3]", "", ""},
           {"(f32[2])", "f32[3]", "", "array"}}) {
    panel_.SetShapes(QString::fromLatin1(lhs), QString::fromLatin1(rhs), QString::fromLatin1(dims),
                     QStringLiteral("add"));
    EXPECT_FALSE(panel_.problem_text().isEmpty()) << lhs << " " << rhs;
    EXPECT_TRUE(panel_.problem_text().contains(QString::fromLatin1(word))) << panel_.problem_text().toStdString();
    EXPECT_FALSE(panel_.map().good());
    panel_.grab();
  }
  QTest::keyClicks(panel_.lhs_field(), QStringLiteral("?"));  // typing reads again
  EXPECT_FALSE(panel_.problem_text().isEmpty());
}

TEST(BroadcastPanelWindowTest, FollowsTheSelectionAndItsValues) {
  WindowTest test;
  test.OpenText(
      "HloModule m\nENTRY e {\n  p = f32[4,3] parameter(0)\n  i = s32[2,1] constant({{2}, {1}})\n"
      "  g = f32[2,3] gather(p, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
      "index_vector_dim=1, slice_sizes={1,3}\n  c = f32[] constant(1)\n  ROOT b = f32[2,3] broadcast(c), "
      "dimensions={}\n}\n");
  auto* panel = test.window().findChild<BroadcastPanel*>();
  ASSERT_NE(panel, nullptr);
  EXPECT_FALSE(panel->problem_text().isEmpty());
  test.window().selection()->SelectInstruction(test.Find("g"));
  ASSERT_TRUE(panel->map().good());
  EXPECT_EQ(panel->map().SourcesOf({0, 1})[0], (MapSource{0, {2, 1}}));  // a constant has its value without a run
  panel->content_box()->setCurrentIndex(static_cast<int>(BroadcastPanel::CellContent::kIndex));
  EXPECT_EQ(panel->result_view()->grid().look({0, 2}).text, QStringLiteral("[2,2]"));
  test.window().selection()->SelectInstruction(test.Find("p"));
  EXPECT_FALSE(panel->map().good());
  EXPECT_FALSE(panel->problem_text().isEmpty());
  panel->SetMode(BroadcastPanel::Mode::kShapes);
  EXPECT_TRUE(panel->map().good());
}

}  // namespace
}  // namespace hloscope::gui
