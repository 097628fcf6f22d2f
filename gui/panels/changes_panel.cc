#include "gui/panels/changes_panel.h"

#include <QFile>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>
#include <utility>

#include "core/analysis/module_diff.h"
#include "core/print/printer.h"
#include "core/transform/transform.h"
#include "evaluator/engine/constant_folding.h"
#include "gui/models/text.h"
#include "gui/views/theme.h"

namespace hloscope {
namespace {

constexpr int kInstructionRole = Qt::UserRole;
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
      tree_(new QTreeWidget),
      summary_(new QLabel) {
  pool_.setMaxThreadCount(1);
  auto* compare = new QPushButton(tr("Compare with..."));
  compare->setToolTip(tr("Which instructions differ from those of another file"));
  passes_->setAccessibleName(tr("Rewrite"));
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
  auto* row = new QHBoxLayout;
  row->addWidget(compare);
  row->addStretch(1);
  row->addWidget(passes_);
  row->addWidget(preview);
  row->addWidget(apply_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(6, 6, 6, 6);
  column->addLayout(row);
  column->addWidget(tree_, 1);
  column->addWidget(summary_);
  connect(compare, &QPushButton::clicked, this, [this] {
    const QString path = QFileDialog::getOpenFileName(this, tr("Compare with"), QString(),
                                                      tr("HLO modules (*.hlo *.txt);;All files (*)"));
    if (!path.isEmpty()) CompareWith(path);
  });
  connect(preview, &QPushButton::clicked, this, [this] { Preview(passes_->currentData().toString()); });
  connect(apply_, &QPushButton::clicked, this, &ChangesPanel::Apply);
  connect(tree_, &QTreeWidget::itemClicked, this, [this](const QTreeWidgetItem* item) {
    const QVariant id = item->data(0, kInstructionRole);
    if (id.isValid()) selection_->SelectInstruction(InstructionId(id.toUInt()));
  });
  connect(selection_, &Selection::DocumentChanged, this, &ChangesPanel::Clear);
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
  summary_->setText(tr("Compare the module with another file, or preview what a rewrite would do to it."));
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
    if (line.here.has_value()) item->setData(0, kInstructionRole, line.here.value);
    for (const QString& detail : line.details) {
      auto* child = new QTreeWidgetItem(item);
      child->setText(0, detail);
      if (line.here.has_value()) child->setData(0, kInstructionRole, line.here.value);
    }
    if (is_heading) {
      heading = item;
      heading->setExpanded(true);
    }
  }
  summary_->setText(answer.summary);
  proposed_ = answer.text;
  apply_->setEnabled(!proposed_.isEmpty());
}

void ChangesPanel::CompareWith(const QString& path) {
  if (selection_->document() == nullptr) return;
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
    answer.summary = diff.IsEmpty() ? tr("No difference: %1 instructions stand for each other.").arg(unchanged)
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
    options.fold = FoldInstruction;
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
    const ModuleCost before = MeasureCost(module, options.target), after = MeasureCost(result->module, options.target);
    auto row = [](const QString& what, const QString& a, const QString& b) {
      return QStringLiteral(
                 "<tr><td>%1&nbsp;&nbsp;</td><td align=right>%2</td><td>&nbsp;\u2192&nbsp;</td>"
                 "<td align=right>%3</td></tr>")
          .arg(what, a, b);
    };
    answer.summary = QStringLiteral("<table>") +
                     row(tr("Instructions"), FormatCount(static_cast<int64_t>(module.instruction_count())),
                         FormatCount(static_cast<int64_t>(result->module.instruction_count()))) +
                     row(tr("Moved"), FormatBytes(before.total.moved_bytes()), FormatBytes(after.total.moved_bytes())) +
                     row(tr("Reshapes"), FormatCount(before.total.reshapes), FormatCount(after.total.reshapes)) +
                     row(tr("Peak memory"), FormatBytes(before.peak_live_bytes), FormatBytes(after.peak_live_bytes)) +
                     QStringLiteral("</table>");
    PrintOptions print = PrintOptions::Dump();
    print.large_constants = true;
    print.keep_written_tuple_access = true;
    const std::string text = PrintModule(result->module, print);
    // A module with errors is never proposed.
    if (Document::Parse(SourceText::FromString("rewritten", text))->has_errors()) {
      answer.summary = tr("The rewritten module has errors; this is a mistake of HLOscope, please report it.");
      return answer;
    }
    answer.text = ToQString(text);
    return answer;
  });
}

void ChangesPanel::Apply() {
  if (!proposed_.isEmpty()) Q_EMIT TextProposed(std::exchange(proposed_, QString()));
  apply_->setEnabled(false);
}

}  // namespace hloscope
