// SPDX-License-Identifier: Apache-2.0
// Everything that is written can be told from what it is written on, in both themes.
#include <gtest/gtest.h>

#include <QImage>
#include <QStyle>
#include <algorithm>

#include "gui/views/graph_coloring.h"
#include "gui/views/theme.h"
#include "gui_test_support.h"

namespace hloscope::gui {
namespace {

struct Named {
  const char* name;
  QColor color;
};

class ContrastTest : public ::testing::TestWithParam<bool> {
 protected:
  ContrastTest() : palette_(GetParam() ? Theme::DarkPalette() : Theme::LightPalette()), theme_(Theme::For(palette_)) {}
  static void ExpectReadable(const Named& text, const Named& ground, double least = Theme::kLeastContrast) {
    EXPECT_GE(Theme::Contrast(text.color, ground.color), least)
        << text.name << " " << text.color.name().toStdString() << " on " << ground.name << " "
        << ground.color.name().toStdString();
  }

  const QPalette palette_;
  const Theme theme_;
};

TEST(ThemeTest, ContrastIsThatOfTheGuidelines) {
  EXPECT_NEAR(Theme::Contrast(Qt::black, Qt::white), 21, 1e-6);
  EXPECT_NEAR(Theme::Contrast(Qt::white, Qt::white), 1, 1e-9);
  EXPECT_NEAR(Theme::Contrast(QColor(0x77, 0x77, 0x77), Qt::white), 4.48, 0.01);
}

// Whatever the colour is, some ink can be read on it.
TEST(ThemeTest, InkIsReadableOnEveryColour) {
  for (int r = 0; r < 256; r += 15) {
    for (int g = 0; g < 256; g += 15) {
      for (int b = 0; b < 256; b += 15) {
        const QColor fill(r, g, b);
        ASSERT_GE(Theme::Contrast(Theme::InkOn(fill), fill), Theme::kLeastContrast) << fill.name().toStdString();
        ASSERT_GE(Theme::Contrast(Theme::FaintInkOn(fill), fill), Theme::kLeastContrast) << fill.name().toStdString();
      }
    }
  }
}

TEST_P(ContrastTest, TextOfTheEditor) {
  const Named texts[] = {{"text", theme_.text},       {"muted", theme_.muted},       {"error", theme_.error},
                         {"warning", theme_.warning}, {"name", theme_.name},         {"definition", theme_.definition},
                         {"opcode", theme_.opcode},   {"type", theme_.type},         {"attribute", theme_.attribute},
                         {"number", theme_.number},   {"string", theme_.string},     {"keyword", theme_.keyword},
                         {"comment", theme_.comment}, {"executed", theme_.executed}, {"selection", theme_.selection}};
  const Named grounds[] = {{"page", theme_.page},
                           {"gutter", theme_.gutter},
                           {"selected line", theme_.selection_fill},
                           {"mention", theme_.reference_fill},
                           {"next line", theme_.current_fill}};
  for (const Named& text : texts) {
    for (const Named& ground : grounds) ExpectReadable(text, ground);
  }
}

TEST_P(ContrastTest, TextOfControlsAndTables) {
  const auto role = [&](QPalette::ColorRole r) { return palette_.color(QPalette::Active, r); };
  const Named grounds[] = {{"window", role(QPalette::Window)},
                           {"base", role(QPalette::Base)},
                           {"alternate base", role(QPalette::AlternateBase)}};
  for (const Named& ground : grounds) {
    for (const Named& text :
         {Named{"window text", role(QPalette::WindowText)}, Named{"text", role(QPalette::Text)},
          Named{"placeholder", role(QPalette::PlaceholderText)}, Named{"link", role(QPalette::Link)},
          Named{"error", theme_.error}, Named{"warning", theme_.warning}, Named{"muted", theme_.muted}}) {
      ExpectReadable(text, ground);
    }
  }
  ExpectReadable({"button text", role(QPalette::ButtonText)}, {"button", role(QPalette::Button)});
  ExpectReadable({"tool tip text", role(QPalette::ToolTipText)}, {"tool tip", role(QPalette::ToolTipBase)});
  ExpectReadable({"highlighted text", role(QPalette::HighlightedText)}, {"highlight", role(QPalette::Highlight)});
}

// What is drawn, not written, needs a contrast of three.
TEST_P(ContrastTest, LinesAndMarks) {
  for (const Named& line :
       {Named{"edge", theme_.edge}, Named{"border", theme_.node_border}, Named{"selection", theme_.selection},
        Named{"next", theme_.current}, Named{"executed", theme_.executed}, Named{"breakpoint", theme_.breakpoint},
        Named{"error", theme_.error}, Named{"warning", theme_.warning}}) {
    ExpectReadable(line, {"page", theme_.page}, 3);
  }
}

// In the colours of the palette, as large as they are asked for.
TEST_P(ContrastTest, IconsOfPanels) {
  MainWindow::SetAppearance(GetParam() ? QStringLiteral("dark") : QStringLiteral("light"));
  MainWindow window;
  for (const QStyle::StandardPixmap which : {QStyle::SP_TitleBarCloseButton, QStyle::SP_TitleBarNormalButton}) {
    const QImage image = window.style()->standardIcon(which).pixmap(QSize(32, 32)).toImage();
    ASSERT_EQ(image.width(), 32);
    double best = 0;
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) {
        if (image.pixelColor(x, y).alpha() < 255) continue;
        best = std::max(best, Theme::Contrast(image.pixelColor(x, y), window.palette().color(QPalette::Window)));
      }
    }
    EXPECT_GE(best, 4.5) << which;
  }
  EXPECT_EQ(window.style()->styleHint(QStyle::SH_DialogButtonBox_ButtonsHaveIcons), 0);
  MainWindow::SetAppearance(QStringLiteral("system"));
}

TEST_P(ContrastTest, TextInBoxes) {
  std::vector<Named> fills = {{"group", theme_.GroupFill()},
                              {"healthy", theme_.HealthyFill()},
                              {"written", theme_.WrittenFill()},
                              {"unseen", theme_.UnseenFill()}};
  for (int i = 0; i < kNodeCategoryCount; ++i) {
    fills.push_back({"category", theme_.CategoryFill(static_cast<NodeCategory>(i))});
  }
  for (int i = 0; i < Theme::kLabelFills; ++i) fills.push_back({"label", theme_.LabelFill(i)});
  for (double share = -0.05; share <= 1; share += 0.05) fills.push_back({"heat", theme_.HeatFill(share)});
  for (InstructionChange change :
       {InstructionChange::kAdded, InstructionChange::kRemoved, InstructionChange::kChanged}) {
    fills.push_back({"change", ChangeFill(change, theme_)});
  }
  for (const Named& fill : fills) {
    ExpectReadable({"heading", Theme::InkOn(fill.color)}, fill);
    ExpectReadable({"detail", Theme::FaintInkOn(fill.color)}, fill);
  }
}

INSTANTIATE_TEST_SUITE_P(Themes, ContrastTest, ::testing::Bool(),
                         [](const auto& dark) { return dark.param ? "Dark" : "Light"; });

}  // namespace
}  // namespace hloscope::gui
