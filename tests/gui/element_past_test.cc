// SPDX-License-Identifier: Apache-2.0
// What an element went through, asked of a debugger.
#include "gui/models/element_past.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

class ElementPastTest : public ::testing::Test {
 protected:
  // Runs to the end with these values of parameter 0.
  void Run(const std::string& text, evaluator::Tensor argument) {
    document_ = ParseText(text);
    auto timeline = evaluator::Timeline::Create(document_->shared_module(), {}, evaluator::SessionOptions());
    ASSERT_TRUE(timeline.ok());
    ASSERT_TRUE((*timeline)->run().device(0).SetArgument(0, std::move(argument)).ok());
    debugger_ = std::make_unique<evaluator::Debugger>(*std::move(timeline));
    debugger_->Start();
    debugger_->Continue();
  }
  ElementAnswer Ask(PastQuestion question, const char* name, const evaluator::Element& element) {
    return AskPast(*debugger_, question, 0, FindByName(document_->module(), name), element);
  }
  static std::vector<std::string> Texts(const ElementAnswer& answer) {
    std::vector<std::string> texts;
    for (const ElementRow& row : answer.rows) {
      texts.push_back((row.element + QStringLiteral(" = ") + row.value).toStdString());
    }
    return texts;
  }

  std::shared_ptr<const Document> document_;
  std::unique_ptr<evaluator::Debugger> debugger_;
};

TEST_F(ElementPastTest, WhyLooksIntoLoopsThatHaveEnded) {
  Run(kLoopModule, FloatTensor({4}, {0, 1, 2, 3}));
  const ElementAnswer answer = Ask(PastQuestion::kWhy, "result", {{}, {2}});
  EXPECT_THAT(Texts(answer), ::testing::ElementsAre("final{1}[2] = -16"));
  const ElementAnswer from_loop = Ask(PastQuestion::kWhy, "final", {{1}, {2}});
  ASSERT_FALSE(from_loop.rows.empty()) << from_loop.summary.toStdString();
  EXPECT_TRUE(from_loop.rows[0].where.contains(QStringLiteral("body"))) << from_loop.rows[0].where.toStdString();
}

TEST_F(ElementPastTest, HistoryHasOneRowForEveryIteration) {
  Run(kLoopModule, FloatTensor({4}, {0, 1, 2, 3}));
  const ElementAnswer answer = Ask(PastQuestion::kHistory, "doubled", {{}, {3}});
  EXPECT_THAT(Texts(answer), ::testing::ElementsAre("doubled[3] = -6", "doubled[3] = -12", "doubled[3] = -24"));
  EXPECT_TRUE(answer.rows[1].where.contains(QStringLiteral("body 1"))) << answer.rows[1].where.toStdString();
}

TEST_F(ElementPastTest, OriginFollowsANanToWhereItWasMade) {
  Run("HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n  l = f32[2] log(x)\n  y = f32[2] negate(l)\n  ROOT r = "
      "f32[2] add(y, y)\n}\n",
      FloatTensor({2}, {1, -1}));
  const ElementAnswer answer = Ask(PastQuestion::kOrigin, "r", {{}, {1}});
  ASSERT_GE(answer.rows.size(), 3u) << answer.summary.toStdString();
  EXPECT_TRUE(answer.summary.startsWith(QStringLiteral("Origin: ")));
  EXPECT_EQ(answer.rows.back().element, QStringLiteral("x[1]"));
  EXPECT_EQ(answer.rows.back().value, QStringLiteral("-1"));
  const ElementAnswer finite = Ask(PastQuestion::kOrigin, "r", {{}, {0}});
  EXPECT_TRUE(finite.rows.empty());
  EXPECT_FALSE(finite.summary.isEmpty());
}

TEST_F(ElementPastTest, ValuesOfFramesThatAreGoneHaveNoWhy) {
  Run(kLoopModule, FloatTensor({4}, {0, 1, 2, 3}));
  const ElementAnswer answer = Ask(PastQuestion::kWhy, "doubled", {{}, {3}});
  EXPECT_TRUE(answer.rows.empty());
  EXPECT_TRUE(answer.summary.contains(QStringLiteral("not active")));
}

}  // namespace
}  // namespace hloscope::gui
