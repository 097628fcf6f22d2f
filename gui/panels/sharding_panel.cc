// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/sharding_panel.h"

#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/models/text.h"
#include "gui/views/metrics.h"
#include "gui/views/theme.h"
#include "gui/views/wrap_layout.h"

namespace hloscope::gui {
namespace {

constexpr size_t kListedDevices = 16;

QString DeviceList(const std::vector<int64_t>& devices) {
  QStringList parts;
  for (size_t i = 0; i < std::min(devices.size(), kListedDevices); ++i) parts << QString::number(devices[i]);
  if (devices.size() > kListedDevices) parts << QStringLiteral("\u2026");
  return parts.join(QStringLiteral(", "));
}

}  // namespace

ShardingPanel::ShardingPanel(Selection* selection, SessionController* session, QWidget* parent)
    : QScrollArea(parent),
      selection_(selection),
      session_(session),
      heading_(new QLabel),
      text_(new QLabel),
      message_(new QLabel),
      device_(new QLabel),
      leaf_label_(new QLabel(tr("array"))),
      leaf_(new QSpinBox),
      grid_(new DeviceGridView),
      parts_(new ArrayPartsView) {
  heading_->setFont(HeadingFont());
  for (QLabel* label : {heading_, text_, message_, device_}) {
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  leaf_->setToolTip(tr("Which array of the tuple"));
  leaf_->setAccessibleName(leaf_->toolTip());
  auto* bar = MakeWrapBar();
  for (QWidget* widget : {static_cast<QWidget*>(leaf_label_), static_cast<QWidget*>(leaf_)}) {
    bar->layout()->addWidget(widget);
  }
  auto* splitter = new QSplitter(Qt::Horizontal);
  splitter->addWidget(grid_);
  splitter->addWidget(parts_);
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 1);
  splitter->setChildrenCollapsible(false);
  splitter->setMinimumHeight(120);
  pictures_ = splitter;
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->addWidget(heading_);
  column->addWidget(bar);
  column->addWidget(text_);
  column->addWidget(message_);
  column->addWidget(pictures_, 1);
  column->addWidget(device_);
  column->addStretch(0);
  setWidget(content);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setMinimumSize(220, 120);
  connect(selection_, &Selection::Changed, this, &ShardingPanel::Refresh);
  connect(session_, &SessionController::Stopped, this, &ShardingPanel::Refresh);
  connect(leaf_, &QSpinBox::valueChanged, this, [this] {
    if (!setting_) Refresh();
  });
  connect(grid_, &DeviceGridView::CurrentChanged, this, &ShardingPanel::ShowDevice);
  Refresh();
}

void ShardingPanel::Refresh() {
  const InstructionId id = selection_->document() != nullptr ? selection_->instruction() : InstructionId();
  map_ = {};
  if (id.has_value()) {
    const Module& module = selection_->module();
    setting_ = true;
    const bool has_leaves = module.ShardingAttribute(id) != nullptr && module.shape(id).IsTuple();
    leaf_->setRange(0, static_cast<int>(std::clamp<int64_t>(ShardedLeafCount(module, id) - 1, 0, 1'000'000)));
    leaf_->setVisible(has_leaves);
    leaf_label_->setVisible(has_leaves);
    setting_ = false;
    map_ = DeviceMapOf(module, id, has_leaves ? leaf_->value() : 0);
    QString heading =
        QStringLiteral("%1  %2").arg(ToQString(module.InstructionName(id)), ToQString(OpcodeName(module.opcode(id))));
    if (session_->current() == id) heading += tr("  (executed next)");
    heading_->setText(heading);
  } else {
    leaf_->hide();
    leaf_label_->hide();
    heading_->clear();
  }
  heading_->setVisible(!heading_->text().isEmpty());
  QStringList texts;
  if (!map_.collective_text.isEmpty()) texts << map_.collective_text;
  if (map_.has_sharding) {
    texts << QStringLiteral("%1: %2").arg(ToQString(map_.array.ToString(false)), map_.sharding_text);
  }
  text_->setText(texts.join(QLatin1Char('\n')));
  text_->setVisible(!texts.isEmpty());
  QString message = map_.problem;
  if (!id.has_value()) {
    message = tr("Select an instruction to see what each device holds.");
  } else if (!map_.has_sharding && !map_.has_collective) {
    message = tr("It has no sharding and moves nothing between devices.");
  }
  QPalette colors = palette();
  if (!map_.problem.isEmpty()) colors.setColor(QPalette::WindowText, Theme::For(palette()).error);
  message_->setPalette(colors);
  message_->setText(message);
  message_->setVisible(!message.isEmpty());
  pictures_->setVisible(!map_.cells.empty());
  parts_->setVisible(!map_.tiles.empty());
  grid_->SetMap(map_);
  parts_->SetMap(map_);
  ShowDevice();
}

void ShardingPanel::ShowDevice() {
  const int64_t device = grid_->current();
  parts_->SetCurrent(device);
  const DeviceCell* cell = map_.Find(device);
  device_->setVisible(cell != nullptr);
  if (cell == nullptr) return;
  QStringList parts = {tr("Device %1").arg(device)};
  if (cell->has_part) {
    parts << (cell->HoldsNothing() ? tr("holds nothing") : tr("holds %1").arg(DeviceMap::RangesText(cell->ranges)));
  }
  if (cell->group >= 0) parts << tr("group %1, rank %2").arg(cell->group).arg(cell->rank);
  if (map_.has_collective) {
    const std::vector<int64_t> senders = map_.SendersTo(device), receivers = map_.ReceiversFrom(device);
    parts << (senders.empty() ? tr("gets nothing from others") : tr("gets from %1").arg(DeviceList(senders)));
    parts << (receivers.empty() ? tr("gives nothing to others") : tr("gives to %1").arg(DeviceList(receivers)));
  }
  device_->setText(parts.join(QStringLiteral("; ")));
}

}  // namespace hloscope::gui
