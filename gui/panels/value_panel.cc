#include "gui/panels/value_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QMetaObject>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/models/text.h"
#include "gui/views/theme.h"

namespace hloscope {
namespace {

constexpr size_t kMaxLeaves = 500;
constexpr size_t kMaxOperandSources = 20;

QString Number(double value) { return QString::number(value, 'g', 6); }

// Elements are printed exactly, so wide types need wide columns.
int ColumnWidth(ElementType type) {
  const int bits = BitWidth(type) / (IsComplex(type) ? 2 : 1);
  const int one = bits <= 16 ? 84 : bits <= 32 ? 110 : 170;
  return IsComplex(type) ? 2 * one : one;
}

QString SummaryText(const TensorSummary& s, ElementType type) {
  if (s.count == 0) return ValuePanel::tr("no elements");
  QStringList parts;
  if (s.count > s.nan_count) {
    parts << ValuePanel::tr("min %1").arg(Number(s.min)) << ValuePanel::tr("max %1").arg(Number(s.max))
          << ValuePanel::tr("mean %1").arg(Number(s.mean))
          << ValuePanel::tr("std %1").arg(Number(s.standard_deviation));
  }
  if (IsFloat(type) || IsComplex(type)) {
    parts << ValuePanel::tr("%1 NaN").arg(FormatCount(s.nan_count))
          << ValuePanel::tr("%1 Inf").arg(FormatCount(s.infinity_count));
  }
  parts << ValuePanel::tr("%1 zeros").arg(FormatCount(s.zero_count));
  // A line may break between the parts, not inside one.
  for (QString& part : parts) part.replace(QLatin1Char(' '), QChar(QChar::Nbsp));
  return parts.join(QStringLiteral("   "));
}

}  // namespace

ValuePanel::ValuePanel(Selection* selection, SessionController* session, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      session_(session),
      model_(new TensorModel(this)),
      heading_(new QLabel),
      source_box_(new QComboBox),
      leaf_box_(new QComboBox),
      summary_(new QLabel),
      message_(new QLabel),
      index_row_(new QWidget),
      table_(new QTableView) {
  pool_.setMaxThreadCount(1);
  heading_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  QFont bold = heading_->font();
  bold.setBold(true);
  heading_->setFont(bold);
  heading_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  summary_->setWordWrap(true);
  message_->setWordWrap(true);
  message_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  source_box_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  source_box_->setMinimumContentsLength(16);
  source_box_->setToolTip(tr("Which value is shown"));
  leaf_box_->setToolTip(tr("Element of the tuple"));
  table_->setModel(model_);
  table_->setFont(Theme::CodeFont());
  table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 6);
  table_->setAlternatingRowColors(true);
  table_->setWordWrap(false);

  auto* top = new QHBoxLayout;
  top->addWidget(source_box_, 1);
  top->addWidget(leaf_box_);
  auto* index_layout = new QHBoxLayout(index_row_);
  index_layout->setContentsMargins(0, 0, 0, 0);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(6, 6, 6, 6);
  column->addLayout(top);
  column->addWidget(heading_);
  column->addWidget(summary_);
  column->addWidget(index_row_);
  column->addWidget(message_, 1);
  column->addWidget(table_, 1);

  connect(source_box_, &QComboBox::currentIndexChanged, this, [this](int number) {
    if (!refreshing_) ShowSource(number);
  });
  connect(leaf_box_, &QComboBox::currentIndexChanged, this, [this](int number) {
    if (!refreshing_) ShowLeaf(number);
  });
  connect(selection_, &Selection::Changed, this, &ValuePanel::Refresh);
  connect(session_, &SessionController::Stopped, this, &ValuePanel::Refresh);
  Refresh();
}

ValuePanel::~ValuePanel() {
  if (summary_cancelled_ != nullptr) *summary_cancelled_ = true;
  pool_.waitForDone();
}

void ValuePanel::Refresh() {
  sources_.clear();
  const InstructionId selected = selection_->document() != nullptr ? selection_->instruction() : InstructionId();
  if (!selected.has_value() || !session_->has_module()) {
    refreshing_ = true;
    source_box_->clear();
    refreshing_ = false;
    source_box_->setVisible(false);
    ShowNothing(tr("Select an instruction to see its value."));
    return;
  }
  const Module& module = selection_->module();
  auto name = [&](InstructionId id) { return ToQString(module.InstructionName(id)); };
  sources_.push_back({tr("Value of %1").arg(name(selected)), selected});
  const InstructionId last = session_->last_executed();
  if (last.has_value() && last != selected) sources_.push_back({tr("Just computed: %1").arg(name(last)), last});
  const absl::Span<const InstructionId> operands = module.operands(selected);
  for (size_t k = 0; k < operands.size() && k < kMaxOperandSources; ++k) {
    if (operands[k].has_value()) sources_.push_back({tr("Operand %1: %2").arg(k).arg(name(operands[k])), operands[k]});
  }
  // In front of an instruction that has not been executed, the newest value or what it will consume says most.
  size_t chosen = 0;
  while (chosen < sources_.size() && !session_->ValueOf(sources_[chosen].instruction).has_value()) ++chosen;
  if (chosen == sources_.size() || selected != session_->current()) chosen = 0;
  refreshing_ = true;
  source_box_->clear();
  for (const Source& source : sources_) source_box_->addItem(source.caption);
  source_box_->setCurrentIndex(static_cast<int>(chosen));
  source_box_->setVisible(true);
  refreshing_ = false;
  ShowSource(static_cast<int>(chosen));
}

void ValuePanel::CollectLeaves(const Value& value, const QString& path) {
  if (leaves_.size() >= kMaxLeaves) return;
  if (value.IsTensor()) leaves_.push_back({path.isEmpty() ? path : QStringLiteral("{%1}").arg(path), value.tensor()});
  const absl::Span<const Value> elements = value.elements();
  for (size_t i = 0; i < elements.size(); ++i) {
    CollectLeaves(elements[i], path.isEmpty() ? QString::number(i) : QStringLiteral("%1,%2").arg(path).arg(i));
  }
}

void ValuePanel::ShowSource(int number) {
  if (number < 0 || static_cast<size_t>(number) >= sources_.size()) return;
  const InstructionId instruction = sources_[static_cast<size_t>(number)].instruction;
  if (session_->busy()) {
    ShowNothing(tr("Running..."));
    return;
  }
  const Value value = session_->ValueOf(instruction);
  leaves_.clear();
  CollectLeaves(value, QString());
  if (!value.has_value()) {
    const bool active = session_->FrameOf(selection_->module().instruction(instruction).computation) >= 0;
    const SessionController::State state = session_->state();
    if (state == SessionController::State::kIdle) {
      ShowNothing(tr("Nothing has been computed yet: run (F5) or step (F10)."));
    } else if (!active) {
      ShowNothing(tr("Its computation is not active: values live while their computation runs."));
    } else if (state == SessionController::State::kFinished) {
      ShowNothing(tr("Not computed: the result does not need it."));
    } else {
      const absl::string_view name = selection_->module().InstructionName(instruction);
      ShowNothing(tr("%1 has not been executed yet.").arg(ToQString(name)));
    }
    return;
  }
  if (leaves_.empty()) {
    ShowNothing(value.IsToken() ? tr("A token: it orders effects and holds no data.") : tr("An empty tuple."));
    return;
  }
  refreshing_ = true;
  leaf_box_->clear();
  for (const Leaf& leaf : leaves_) {
    leaf_box_->addItem(QStringLiteral("%1  %2").arg(leaf.path, ToQString(leaf.tensor.shape().ToString())));
  }
  leaf_box_->setVisible(value.IsTuple());
  refreshing_ = false;
  message_->hide();
  summary_->show();
  table_->show();
  ShowLeaf(0);
}

void ValuePanel::ShowNothing(const QString& why) {
  if (summary_cancelled_ != nullptr) *summary_cancelled_ = true;
  leaves_.clear();
  model_->SetTensor(Tensor());
  heading_->clear();
  heading_->hide();
  leaf_box_->hide();
  summary_->hide();
  index_row_->hide();
  table_->hide();
  message_->setText(why);
  message_->show();
}

void ValuePanel::ShowLeaf(int number) {
  if (number < 0 || static_cast<size_t>(number) >= leaves_.size()) return;
  const Tensor& tensor = leaves_[static_cast<size_t>(number)].tensor;
  heading_->setText(tr("%1   %2 elements, %3")
                        .arg(ToQString(tensor.shape().ToString()), FormatCount(tensor.element_count()),
                             FormatBytes(tensor.byte_size())));
  heading_->show();
  model_->SetTensor(tensor);
  table_->horizontalHeader()->setDefaultSectionSize(ColumnWidth(tensor.element_type()));
  BuildIndexControls();
  StartSummary(tensor);
}

void ValuePanel::BuildIndexControls() {
  qDeleteAll(index_row_->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
  index_boxes_.clear();
  QLayout* row = index_row_->layout();
  while (QLayoutItem* item = row->takeAt(0)) delete item;
  auto add_box = [&](const QString& caption, int64_t maximum, int64_t step) {
    row->addWidget(new QLabel(caption));
    auto* box = new QSpinBox;
    box->setRange(0, static_cast<int>(std::min<int64_t>(std::max<int64_t>(maximum, 0), INT_MAX)));
    box->setSingleStep(static_cast<int>(step));
    row->addWidget(box);
    return box;
  };
  const Tensor& tensor = model_->tensor();
  for (int64_t d = 0; d < model_->leading_rank(); ++d) {
    QSpinBox* box = add_box(tr("dim %1:").arg(d), tensor.dimension(d) - 1, 1);
    box->setToolTip(tr("Index in dimension %1, of %2").arg(d).arg(tensor.dimension(d)));
    index_boxes_.push_back(box);
    connect(box, &QSpinBox::valueChanged, this, [this] {
      DimensionVector index;
      for (const QSpinBox* b : index_boxes_) index.push_back(b->value());
      model_->SetLeadingIndex(index);
    });
  }
  const bool many_rows = model_->total_rows() > TensorModel::kMaxRows;
  const bool many_columns = model_->total_columns() > TensorModel::kMaxColumns;
  if (many_rows) {
    QSpinBox* box = add_box(tr("from row:"), model_->total_rows() - 1, TensorModel::kMaxRows);
    connect(box, &QSpinBox::valueChanged, this,
            [this](int value) { model_->SetOrigin(value, model_->first_column()); });
  }
  if (many_columns) {
    QSpinBox* box = add_box(tr("from column:"), model_->total_columns() - 1, TensorModel::kMaxColumns);
    connect(box, &QSpinBox::valueChanged, this, [this](int value) { model_->SetOrigin(model_->first_row(), value); });
  }
  static_cast<QHBoxLayout*>(row)->addStretch(1);
  index_row_->setVisible(model_->leading_rank() > 0 || many_rows || many_columns);
}

void ValuePanel::StartSummary(const Tensor& tensor) {
  if (summary_cancelled_ != nullptr) *summary_cancelled_ = true;
  auto cancelled = std::make_shared<std::atomic<bool>>(false);
  summary_cancelled_ = cancelled;
  summary_->setText(tr("..."));
  pool_.start([this, tensor, cancelled] {
    const TensorSummary summary = Summarize(tensor, cancelled.get());
    QMetaObject::invokeMethod(this, [this, summary, cancelled, type = tensor.element_type()] {
      if (!*cancelled) summary_->setText(SummaryText(summary, type));
    });
  });
}

}  // namespace hloscope
