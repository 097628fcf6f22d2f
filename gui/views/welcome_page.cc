// SPDX-License-Identifier: Apache-2.0
#include "gui/views/welcome_page.h"

#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/views/metrics.h"

namespace hloscope::gui {

WelcomePage::WelcomePage(QWidget* parent) : QWidget(parent), recent_(new QListWidget), examples_(new QListWidget) {
  auto* title = new QLabel(tr("HLOscope"));
  QFont large = TextFont(TextSize::kTitle);
  large.setWeight(QFont::DemiBold);
  title->setFont(large);
  auto* hint =
      new QLabel(tr("Open an HLO module, drop one here, or begin with an example. F5 runs it, F10 and F11 step, "
                    "Ctrl+Shift+P finds every command."));
  hint->setWordWrap(true);
  auto* open = new QPushButton(tr("Open a module..."));
  open->setDefault(true);
  connect(open, &QPushButton::clicked, this, &WelcomePage::OpenRequested);
  auto* button_row = new QHBoxLayout;
  button_row->addWidget(open);
  button_row->addStretch(1);

  auto* lists = new QHBoxLayout;
  lists->setSpacing(Space::kWide);
  auto add_list = [&](const QString& caption, QListWidget* list) {
    auto* column = new QVBoxLayout;
    auto* label = new QLabel(caption);
    label->setFont(HeadingFont());
    label->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    list->setAccessibleName(caption);
    // Names of files begin alike and differ at their ends.
    list->setTextElideMode(Qt::ElideMiddle);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    column->addWidget(label);
    column->addWidget(list, 1);
    lists->addLayout(column, 1);
    connect(list, &QListWidget::itemActivated, this,
            [this](const QListWidgetItem* item) { Q_EMIT FileChosen(item->data(Qt::UserRole).toString()); });
    connect(list, &QListWidget::itemClicked, this,
            [this](const QListWidgetItem* item) { Q_EMIT FileChosen(item->data(Qt::UserRole).toString()); });
  };
  add_list(tr("Recent files"), recent_);
  add_list(tr("Examples"), examples_);
  for (const QString& name : QDir(QStringLiteral(":/examples")).entryList()) {
    auto* item = new QListWidgetItem(QFileInfo(name).completeBaseName().replace(QLatin1Char('_'), QLatin1Char(' ')));
    item->setData(Qt::UserRole, QStringLiteral(":/examples/") + name);
    examples_->addItem(item);
  }

  auto* page = new QWidget;
  page->setMaximumWidth(900);
  auto* column = new QVBoxLayout(page);
  column->setSpacing(Space::kWide);
  column->addWidget(title);
  column->addWidget(hint);
  column->addLayout(button_row);
  column->addLayout(lists, 1);
  auto* center = new QHBoxLayout(this);
  center->setContentsMargins(Space::kPage, Space::kPage, Space::kPage, Space::kPage);
  center->addStretch(1);
  center->addWidget(page, 20);
  center->addStretch(1);
}

void WelcomePage::ShowRecent(const QStringList& files) {
  recent_->clear();
  for (const QString& path : files) {
    auto* item = new QListWidgetItem(QFileInfo(path).fileName());
    item->setToolTip(path);
    item->setData(Qt::UserRole, path);
    recent_->addItem(item);
  }
  if (!files.isEmpty()) return;
  auto* none = new QListWidgetItem(tr("None yet"));
  none->setFlags(Qt::NoItemFlags);
  recent_->addItem(none);
}

}  // namespace hloscope::gui
