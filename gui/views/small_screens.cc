// SPDX-License-Identifier: Apache-2.0
#include "gui/views/small_screens.h"

#include <QGuiApplication>
#include <QScreen>
#include <QScrollBar>

namespace hloscope::gui {
namespace {

constexpr QSize kFrames(10, 40);
constexpr QSize kLeast(220, 90);

}  // namespace

QSize FittedToScreen(QSize wanted) {
  const QScreen* screen = QGuiApplication::primaryScreen();
  return screen != nullptr ? wanted.boundedTo(screen->availableSize() - kFrames) : wanted;
}

ScrolledPage::ScrolledPage(QWidget* page, QWidget* parent) : QScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setFocusPolicy(Qt::NoFocus);  // what is on it takes the keys
  setWidget(page);
  // The ground of the dialog, not that of a list.
  page->setAutoFillBackground(false);
  viewport()->setAutoFillBackground(false);
}

QSize ScrolledPage::sizeHint() const {
  const QSize page = widget()->sizeHint().expandedTo(widget()->minimumSizeHint());
  return page + QSize(verticalScrollBar()->sizeHint().width(), 0);
}

QSize ScrolledPage::minimumSizeHint() const { return kLeast.boundedTo(sizeHint()); }

}  // namespace hloscope::gui
