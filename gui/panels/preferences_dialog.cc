// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/preferences_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "gui/models/text.h"
#include "gui/views/small_screens.h"

namespace hloscope::gui {

void AddFillKinds(QComboBox* box) {
  auto add = [&](const QString& caption, evaluator::FillKind kind) { box->addItem(caption, static_cast<int>(kind)); };
  add(PreferencesDialog::tr("random: floats in [-1, 1), small integers"), evaluator::FillKind::kRandom);
  add(PreferencesDialog::tr("normal: floats around 0"), evaluator::FillKind::kNormal);
  add(PreferencesDialog::tr("positive: floats in [0.5, 1.5)"), evaluator::FillKind::kPositive);
  add(PreferencesDialog::tr("zeros"), evaluator::FillKind::kZeros);
  add(PreferencesDialog::tr("ones"), evaluator::FillKind::kOnes);
  add(PreferencesDialog::tr("iota: 0, 1, 2, ..."), evaluator::FillKind::kIota);
}

QSpinBox* PreferencesDialog::AddNumber(const char* name, int least, int most) {
  auto* box = new QSpinBox;
  box->setObjectName(QLatin1String(name));
  box->setRange(least, most);
  box->setKeyboardTracking(false);  // a number counts when it is complete
  connect(box, &QSpinBox::valueChanged, this, &PreferencesDialog::Tell);
  return box;
}

PreferencesDialog::PreferencesDialog(const Preferences& preferences, QWidget* parent)
    : QDialog(parent), appearance_(new QComboBox), value_hints_(new QCheckBox), fill_(new QComboBox) {
  using P = Preferences;
  setObjectName(QStringLiteral("preferences"));
  setWindowTitle(tr("Preferences"));
  code_font_ = AddNumber("code_font", P::kLeastFont, P::kMostFont);
  code_font_->setSuffix(tr(" pt"));
  memory_ = AddNumber("memory_percent", P::kLeastMemory, P::kMostMemory);
  memory_->setSuffix(tr(" % of this machine's"));
  threads_ = AddNumber("threads", 0, P::kMostThreads);
  threads_->setSpecialValueText(tr("one per core"));
  whole_computation_ = AddNumber("whole_computation", P::kLeastComputation, P::kMostComputation);
  whole_computation_->setSuffix(tr(" instructions"));
  whole_computation_->setToolTip(tr("Larger computations are drawn as groups unless you ask for all of it"));
  graphviz_ = AddNumber("graphviz_boxes", 0, P::kMostGraphviz);
  graphviz_->setSuffix(tr(" boxes"));
  graphviz_->setSpecialValueText(tr("never"));
  graphviz_->setToolTip(
      tr("Larger graphs are laid out in rows, which takes milliseconds and keeps boxes in their "
         "places when the text is edited"));
  appearance_->setObjectName(QStringLiteral("appearance"));
  for (const auto& [caption, name] :
       {std::pair(tr("As the system"), QStringLiteral("system")), std::pair(tr("Light"), QStringLiteral("light")),
        std::pair(tr("Dark"), QStringLiteral("dark"))}) {
    appearance_->addItem(caption, name);
  }
  value_hints_->setObjectName(QStringLiteral("value_hints"));
  value_hints_->setText(tr("Show values at the ends of lines"));
  fill_->setObjectName(QStringLiteral("fill"));
  AddFillKinds(fill_);
  connect(appearance_, &QComboBox::currentIndexChanged, this, &PreferencesDialog::Tell);
  connect(fill_, &QComboBox::currentIndexChanged, this, &PreferencesDialog::Tell);
  connect(value_hints_, &QCheckBox::toggled, this, &PreferencesDialog::Tell);

  auto* page = new QWidget;
  auto* groups = new QVBoxLayout(page);
  groups->setContentsMargins({});
  auto add_group = [&](const QString& title) {
    auto* group = new QGroupBox(title);
    auto* form = new QFormLayout(group);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    groups->addWidget(group);
    return form;
  };
  QFormLayout* looks = add_group(tr("Looks"));
  looks->addRow(tr("&Colours"), appearance_);
  looks->addRow(tr("Size of the &text"), code_font_);
  looks->addRow(value_hints_);
  QFormLayout* run = add_group(tr("Run"));
  run->addRow(tr("&Arguments without a file"), fill_);
  run->addRow(tr("&Memory for values"), memory_);
  run->addRow(tr("T&hreads"), threads_);
  QFormLayout* graph = add_group(tr("Graph"));
  graph->addRow(tr("Draw &whole up to"), whole_computation_);
  graph->addRow(tr("Lay out by &Graphviz up to"), graphviz_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close | QDialogButtonBox::RestoreDefaults);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this, [this] {
    SetPreferences(Preferences());
    Q_EMIT Changed(this->preferences());
  });
  auto* column = new QVBoxLayout(this);
  column->addWidget(new ScrolledPage(page), 1);
  column->addWidget(buttons);
  SetPreferences(preferences);
}

void PreferencesDialog::SetPreferences(const Preferences& p) {
  setting_ = true;
  appearance_->setCurrentIndex(appearance_->findData(p.appearance));
  code_font_->setValue(p.code_font);
  value_hints_->setChecked(p.value_hints);
  fill_->setCurrentIndex(fill_->findData(static_cast<int>(p.fill)));
  memory_->setValue(p.memory_percent);
  threads_->setValue(p.threads);
  whole_computation_->setValue(p.whole_computation);
  graphviz_->setValue(p.graphviz_boxes);
  setting_ = false;
}

Preferences PreferencesDialog::preferences() const {
  Preferences p;
  p.appearance = appearance_->currentData().toString();
  p.code_font = code_font_->value();
  p.value_hints = value_hints_->isChecked();
  p.fill = static_cast<evaluator::FillKind>(fill_->currentData().toInt());
  p.memory_percent = memory_->value();
  p.threads = threads_->value();
  p.whole_computation = whole_computation_->value();
  p.graphviz_boxes = graphviz_->value();
  return p;
}

void PreferencesDialog::Tell() {
  if (!setting_) Q_EMIT Changed(preferences());
}

}  // namespace hloscope::gui
