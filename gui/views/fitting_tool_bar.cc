// SPDX-License-Identifier: Apache-2.0
#include "gui/views/fitting_tool_bar.h"

#include <QHelpEvent>
#include <QLayout>
#include <QStyle>
#include <QStyleOptionToolButton>
#include <QToolTip>
#include <algorithm>

#include "gui/views/metrics.h"

namespace hloscope::gui {

FittingToolBar::FittingToolBar(const QString& title, QWidget* parent) : QToolBar(title, parent) {
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setMovable(false);
}

void FittingToolBar::AddButton(QAction* action, int rank, const QStringList& other_words) {
  addAction(action);
  auto* widget = qobject_cast<QToolButton*>(widgetForAction(action));
  if (widget == nullptr) return;
  widget->installEventFilter(this);
  buttons_.push_back({widget, rank, QStringList(action->text()) + other_words});
}

bool FittingToolBar::HasWords(const QAction* action) const {
  return std::any_of(buttons_.begin(), buttons_.end(), [action](const Button& button) {
    return button.widget->defaultAction() == action && button.widget->toolButtonStyle() != Qt::ToolButtonIconOnly;
  });
}

// The widest that the button gets, whatever it says.
int FittingToolBar::WidthOf(const Button& button, Qt::ToolButtonStyle style) {
  QStyleOptionToolButton option;
  option.initFrom(button.widget);
  option.iconSize = button.widget->iconSize();
  option.toolButtonStyle = style;
  QSize room = option.iconSize;
  if (style != Qt::ToolButtonIconOnly) {
    int widest = 0;
    for (const QString& words : button.words) {
      widest = std::max(widest, option.fontMetrics.size(Qt::TextShowMnemonic, words).width());
    }
    // As QToolButton::sizeHint() has it: a blank before and after the words.
    room.rwidth() += 4 + widest + 2 * option.fontMetrics.horizontalAdvance(QLatin1Char(' '));
  }
  return button.widget->style()->sizeFromContents(QStyle::CT_ToolButton, &option, room, button.widget).width();
}

void FittingToolBar::Fit() {
  layout()->setSpacing(Space::kNone);  // styles have their own
  const QMargins around = layout()->contentsMargins() + contentsMargins();
  int separators = 0;
  for (QAction* action : actions()) {
    if (action->isSeparator()) separators += widgetForAction(action)->sizeHint().width();
  }
  int needed = around.left() + around.right() + separators;
  for (const Button& button : buttons_) needed += WidthOf(button, Qt::ToolButtonTextBesideIcon);
  std::vector<const Button*> by_rank;
  for (const Button& button : buttons_) by_rank.push_back(&button);
  std::stable_sort(by_rank.begin(), by_rank.end(), [](const Button* a, const Button* b) { return a->rank < b->rank; });
  for (const Button* button : by_rank) {
    const bool fits = needed <= width();
    const int full = WidthOf(*button, Qt::ToolButtonTextBesideIcon), icon = WidthOf(*button, Qt::ToolButtonIconOnly);
    if (!fits) needed -= full - icon;
    button->widget->setToolButtonStyle(fits ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    button->widget->setFixedWidth(fits ? full : icon);
  }
}

void FittingToolBar::resizeEvent(QResizeEvent* event) {
  QToolBar::resizeEvent(event);
  Fit();
}

void FittingToolBar::changeEvent(QEvent* event) {
  QToolBar::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) Fit();
}

bool FittingToolBar::eventFilter(QObject* watched, QEvent* event) {
  const auto* button = qobject_cast<QToolButton*>(watched);
  if (button == nullptr || event->type() != QEvent::ToolTip || button->toolButtonStyle() != Qt::ToolButtonIconOnly) {
    return QToolBar::eventFilter(watched, event);
  }
  QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(),
                     tr("%1: %2", "name and description of a command").arg(button->text(), button->toolTip()), this);
  return true;
}

}  // namespace hloscope::gui
