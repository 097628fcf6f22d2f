// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/changes_panel.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "core/analysis/module_diff.h"
#include "core/print/printer.h"
#include "core/transform/transform.h"
#include "evaluator/engine/constant_folding.h"
#include "gui/models/plurals.h"
#include "gui/models/text.h"
#include "gui/views/metrics.h"
#include "gui/views/theme.h"
#include "gui/views/wrap_layout.h"

namespace hloscope::gui {
namespace {

constexpr int kInstructionOfChangeRole = Qt::UserRole;
constexpr qsizetype kLongestLine = 300;

QString NameOf(const Module& module, InstructionId id) {
  return Elide(QStringLiteral("%1 = %2 %3")
                   .arg(ToQString(module.InstructionName(id)), ToQString(module.shape(id).ToString(false)),
                        ToQString(OpcodeName(module.opcode(id)))),
               kLongestLine);
}

}  // namespace

ChangesPanel::ChangesPanel(Selection* selection, SessionController*, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      passes_(new QComboBox),
      apply_(new QPushButton(tr("Apply"))),
      tabs_(new QTabWidget),
      tree_(new QTreeWidget),
      graphs_(new ComparisonView),
      costs_(new QTableWidget),
      summary_(new QLabel) {
  pool_.setMaxThreadCount(1);
  auto* compare = new QPushButton(tr("Compare with..."));
  compare->setToolTip(tr("Which instructions differ from those of another file"));
  passes_->setAccessibleName(tr("Rewrite"));
  tabs_->setAccessibleName(tr("Views of the differences"));
  passes_->addItem(tr("Usual rewrites"), QString());
  for (const PassInfo& pass : AllPasses()) {
    passes_->addItem(ToQString(pass.name), ToQString(pass.name));
    passes_->setItemData(passes_->count() - 1, ToQString(pass.summary), Qt::ToolTipRole);
  }
  auto* preview = new QPushButton(tr("Preview"));
  preview->setToolTip(tr("What the rewrite would do, and what it would save"));
  apply_->setToolTip(tr("Make the rewritten module the text; undo takes it back"));
  apply_->setEnabled(false);
  tree_->setHeaderHidden(true);
  tree_->setUniformRowHeights(true);
  tree_->setAccessibleName(tr("Changes"));
  summary_->setWordWrap(true);
  costs_->setColumnCount(4);
  costs_->setHorizontalHeaderLabels({tr("Cost"), tr("Before"), tr("After"), tr("Ratio")});
  costs_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  costs_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  costs_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + Space::kGap);
  costs_->verticalHeader()->hide();
  costs_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  costs_->setShowGrid(false);
  costs_->setAlternatingRowColors(true);
  costs_->setAccessibleName(tr("Costs before and after"));
  tabs_->setDocumentMode(true);
  tabs_->addTab(graphs_, tr("Graphs"));
  tabs_->addTab(tree_, tr("List"));
  tabs_->addTab(costs_, tr("Costs"));
  auto* enlarge = new QToolButton;
  enlarge->setText(tr("Enlarge"));
  enlarge->setObjectName(QStringLiteral("enlarge_changes"));
  enlarge->setToolTip(tr("Show this panel in the whole centre, or put it back"));
  connect(enlarge, &QToolButton::clicked, this, &ChangesPanel::EnlargeRequested);
  auto* bar = MakeWrapBar();
  for (QWidget* widget :
       {static_cast<QWidget*>(compare), static_cast<QWidget*>(passes_), static_cast<QWidget*>(preview),
        static_cast<QWidget*>(apply_), static_cast<QWidget*>(enlarge)}) {
    bar->layout()->addWidget(widget);
  }
  auto* column = new QVBoxLayout(this);
  column->setSpacing(Space::kTight);
  setMinimumSize(260, 120);
  column->addWidget(bar);
  column->addWidget(tabs_, 1);
  column->addWidget(summary_);
  connect(compare, &QPushButton::clicked, this, [this] {
    const QString path = QFileDialog::getOpenFileName(this, tr("Compare with"), QString(),
                                                      tr("HLO modules (*.hlo *.txt);;All files (*)"));
    if (!path.isEmpty()) CompareWith(path);
  });
  connect(preview, &QPushButton::clicked, this, [this] { Preview(passes_->currentData().toString()); });
  connect(apply_, &QPushButton::clicked, this, &ChangesPanel::Apply);
  connect(tree_, &QTreeWidget::itemClicked, this, [this](const QTreeWidgetItem* item) {
    const QVariant id = item->data(0, kInstructionOfChangeRole);
    if (id.isValid()) selection_->SelectInstruction(InstructionId(id.toUInt()));
  });
  connect(graphs_, &ComparisonView::Selected, this, [this](ComparisonView::Side side, InstructionId id) {
    // The other version is no document of the window.
    const VersionComparison* shown = graphs_->comparison();
    const ComparedVersion* here = shown == nullptr ? nullptr : shown->VersionOf(selection_->document().get());
    if (here == nullptr) return;
    const bool is_here = here == (side == ComparisonView::Side::kBefore ? &shown->before : &shown->after);
    const ComparedVersion& clicked = side == ComparisonView::Side::kBefore ? shown->before : shown->after;
    selection_->SelectInstruction(is_here ? id : clicked.counterparts[id.index()]);
  });
  connect(selection_, &Selection::DocumentChanged, this, [this] {
    compared_path_.clear();
    Clear();
  });
  Clear();
}

ChangesPanel::~ChangesPanel() {
  pool_.clear();
  pool_.waitForDone();
}

void ChangesPanel::Clear() {
  ++request_;
  busy_ = false;
  proposed_.clear();
  apply_->setEnabled(false);
  tree_->clear();
  const bool compared = graphs_->comparison() != nullptr;
  graphs_->SetComparison(nullptr, QString(), QString());
  ShowCosts({});
  if (compared) Q_EMIT Compared(nullptr);
  summary_->setText(tr("Compare the module with another file, or preview what a rewrite would do to it."));
}

void ChangesPanel::ShowCosts(const std::vector<CostRow>& rows) {
  costs_->setRowCount(static_cast<int>(rows.size()));
  for (int i = 0; i < costs_->rowCount(); ++i) {
    const CostRow& row = rows[static_cast<size_t>(i)];
    const QString texts[] = {row.what, row.before, row.after, row.ratio};
    for (int k = 0; k < 4; ++k) {
      auto* item = new QTableWidgetItem(texts[k]);
      if (k > 0) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      costs_->setItem(i, k, item);
    }
  }
  tabs_->setTabVisible(tabs_->indexOf(costs_), !rows.empty());
}

void ChangesPanel::Start(std::function<Answer()> work) {
  Clear();
  busy_ = true;
  summary_->setText(tr("At work..."));
  const int request = request_;
  pool_.clear();
  pool_.start([this, request, work = std::move(work)] {
    Answer answer = work();
    QMetaObject::invokeMethod(this, [this, request, answer = std::move(answer)] {
      if (request == request_) ShowAnswer(answer);
    });
  });
}

void ChangesPanel::ShowAnswer(const Answer& answer) {
  busy_ = false;
  const Theme theme = Theme::For(palette());
  QTreeWidgetItem* heading = nullptr;
  for (const Line& line : answer.lines) {
    const bool is_heading = line.kind == Line::Kind::kHeading;
    auto* item = is_heading || heading == nullptr ? new QTreeWidgetItem(tree_) : new QTreeWidgetItem(heading);
    const char* sign = line.kind == Line::Kind::kAdded     ? "+ "
                       : line.kind == Line::Kind::kRemoved ? "\u2212 "
                       : line.kind == Line::Kind::kChanged ? "~ "
                                                           : "";
    item->setText(0, QString::fromUtf8(sign) + line.text);
    if (line.kind == Line::Kind::kAdded) item->setForeground(0, theme.executed);
    if (line.kind == Line::Kind::kRemoved) item->setForeground(0, theme.error);
    if (line.kind == Line::Kind::kChanged) item->setForeground(0, theme.warning);
    if (line.here.has_value()) item->setData(0, kInstructionOfChangeRole, line.here.value);
    for (const QString& detail : line.details) {
      auto* child = new QTreeWidgetItem(item);
      child->setText(0, detail);
      if (line.here.has_value()) child->setData(0, kInstructionOfChangeRole, line.here.value);
    }
    if (is_heading) {
      heading = item;
      heading->setExpanded(true);
    }
  }
  summary_->setText(answer.summary);
  graphs_->SetComparison(answer.comparison, answer.before_title, answer.after_title);
  ShowCosts(answer.costs);
  if (answer.comparison != nullptr) Q_EMIT Compared(answer.comparison);
  proposed_ = answer.text;
  apply_->setEnabled(!proposed_.isEmpty());
}

void ChangesPanel::CompareWith(const QString& path) {
  if (selection_->document() == nullptr) return;
  compared_path_ = path;
  Start([document = selection_->document(), path] {
    Answer answer;
    const auto other = Document::Open(QFile::encodeName(path).toStdString());
    if (!other.ok()) {
      answer.summary = ToQString(other.status().message());
      return answer;
    }
    const Module& a = (*other)->module();
    const Module& b = document->module();
    const ModuleDiff diff = DiffModules(a, b);
    size_t changed = 0, removed = 0, added = 0, unchanged = 0;
    for (const std::string& line : diff.header) answer.lines.push_back({Line::Kind::kNote, ToQString(line), {}, {}});
    for (const ComputationDiff& computation : diff.computations) {
      changed += computation.changed.size();
      removed += computation.removed.size();
      added += computation.added.size();
      unchanged += computation.unchanged;
      if (computation.IsEmpty()) continue;
      const QString name =
          ToQString(computation.b.has_value() ? b.ComputationName(computation.b) : a.ComputationName(computation.a));
      answer.lines.push_back({Line::Kind::kHeading, name, {}, {}});
      for (const std::string& change : computation.changes) {
        answer.lines.push_back({Line::Kind::kNote, ToQString(change), {}, {}});
      }
      for (const ChangedInstruction& one : computation.changed) {
        Line line{Line::Kind::kChanged, NameOf(b, one.b), {}, one.b};
        for (const std::string& change : one.changes) line.details.push_back(Elide(ToQString(change), kLongestLine));
        answer.lines.push_back(line);
      }
      for (InstructionId id : computation.removed) {
        answer.lines.push_back({Line::Kind::kRemoved, NameOf(a, id), {}, {}});
      }
      for (InstructionId id : computation.added) answer.lines.push_back({Line::Kind::kAdded, NameOf(b, id), {}, id});
    }
    answer.comparison = CompareVersions(*other, document, diff);
    answer.before_title = tr("The file: %1").arg(QFileInfo(path).fileName());
    answer.after_title = tr("Here");
    answer.summary = diff.IsEmpty() ? tr("No difference: %1 instruction(s) correspond(s|) to each other.", nullptr,
                                         ForPlural(unchanged))
                                          .arg(unchanged)
                                    : tr("%1 changed, %2 only in the file, %3 only here, %4 the same")
                                          .arg(changed)
                                          .arg(removed)
                                          .arg(added)
                                          .arg(unchanged);
    return answer;
  });
}

void ChangesPanel::Preview(const QString& pass) {
  if (selection_->document() == nullptr) return;
  if (selection_->document()->has_errors()) {
    Clear();
    summary_->setText(tr("A module with errors is not rewritten."));
    return;
  }
  Start([document = selection_->document(), pass] {
    Answer answer;
    const Module& module = document->module();
    const std::vector<std::string> passes =
        pass.isEmpty() ? DefaultPasses() : std::vector<std::string>{pass.toStdString()};
    TransformOptions options;
    options.explain = true;
    options.fold = evaluator::FoldInstruction;
    const absl::StatusOr<TransformResult> result = TransformModule(module, passes, options);
    if (!result.ok()) {
      answer.summary = ToQString(result.status().message());
      return answer;
    }
    for (const Application& one : result->applications) {
      const ComputationId computation = module.FindComputation(one.computation);
      const InstructionId here =
          computation.has_value() ? module.FindInstruction(computation, one.instruction) : InstructionId();
      answer.lines.push_back(
          {Line::Kind::kHeading, QStringLiteral("%1: %2").arg(ToQString(one.pass), ToQString(one.pattern)), {}, here});
      for (const std::string& note : one.notes) answer.lines.push_back({Line::Kind::kNote, ToQString(note), {}, here});
      for (const std::string& line : one.removed) {
        answer.lines.push_back({Line::Kind::kRemoved, Elide(ToQString(line), kLongestLine), {}, here});
      }
      for (const std::string& line : one.added) {
        answer.lines.push_back({Line::Kind::kAdded, Elide(ToQString(line), kLongestLine), {}, {}});
      }
    }
    if (!result->changed) {
      answer.summary = tr("Nothing to rewrite.");
      return answer;
    }
    PrintOptions print = PrintOptions::Dump();
    print.large_constants = true;
    print.keep_written_tuple_access = true;
    const std::string text = PrintModule(result->module, print);
    // A module with errors is never proposed.
    const std::shared_ptr<const Document> rewritten = Document::Parse(SourceText::FromString("rewritten", text));
    if (rewritten->has_errors()) {
      answer.summary = tr("The rewritten module has errors; this is a mistake of HLOscope, please report it.");
      return answer;
    }
    answer.text = ToQString(text);
    answer.comparison = CompareVersions(document, rewritten, DiffModules(module, rewritten->module()));
    answer.before_title = tr("Before");
    answer.after_title = tr("After the rewrite");
    const ModuleCost before = MeasureCost(module, options.target), after = MeasureCost(result->module, options.target);
    auto add = [&](const QString& what, int64_t a, int64_t b, bool bytes) {
      const double ratio = b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
      answer.costs.push_back({what, bytes ? FormatBytes(a) : FormatCount(a), bytes ? FormatBytes(b) : FormatCount(b),
                              a == b       ? QStringLiteral("1")
                              : b == 0     ? QStringLiteral("\u221e")
                              : ratio < 10 ? QString::number(ratio, 'f', 2)
                                           : QString::number(ratio, 'f', 0)});
    };
    const auto indented = [](const QString& part) { return QString(4, QChar(QChar::Nbsp)) + part; };
    add(tr("Instructions"), static_cast<int64_t>(module.instruction_count()),
        static_cast<int64_t>(result->module.instruction_count()), false);
    add(tr("Bytes moved"), before.total.moved_bytes(), after.total.moved_bytes(), true);
    add(indented(tr("by relayouts")), before.total.relayout_bytes, after.total.relayout_bytes, true);
    add(indented(tr("by reduces")), before.total.reduce_bytes, after.total.reduce_bytes, true);
    add(indented(tr("by elementwise")), before.total.elementwise_bytes, after.total.elementwise_bytes, true);
    add(indented(tr("by broadcasts")), before.total.broadcast_bytes, after.total.broadcast_bytes, true);
    add(tr("Reshapes"), before.total.reshapes, after.total.reshapes, false);
    add(tr("Elements reshaped"), before.total.reshaped_elements, after.total.reshaped_elements, false);
    add(tr("Padding in results"), before.total.padding_bytes(), after.total.padding_bytes(), true);
    add(tr("Peak memory"), before.peak_live_bytes, after.peak_live_bytes, true);
    answer.summary =
        tr("%1 rewrite(s): moved %2 \u2192 %3, peak memory %4 \u2192 %5. Apply makes it the text; undo takes "
           "it back.",
           nullptr, ForPlural(result->applications.size()))
            .arg(result->applications.size())
            .arg(FormatBytes(before.total.moved_bytes()), FormatBytes(after.total.moved_bytes()),
                 FormatBytes(before.peak_live_bytes), FormatBytes(after.peak_live_bytes));
    return answer;
  });
}

void ChangesPanel::Apply() {
  if (!proposed_.isEmpty()) Q_EMIT TextProposed(std::exchange(proposed_, QString()));
  apply_->setEnabled(false);
}

}  // namespace hloscope::gui
