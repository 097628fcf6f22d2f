// SPDX-License-Identifier: Apache-2.0
// The module beside another one, and what rewriting it would do: instructions that were added, removed or changed, as a
// list and as two graphs, and a table of costs before and after. Nothing is changed until the user applies it, as one
// edit that undo takes back.
#ifndef HLOSCOPE_GUI_PANELS_CHANGES_PANEL_H_
#define HLOSCOPE_GUI_PANELS_CHANGES_PANEL_H_

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QTableWidget>
#include <QThreadPool>
#include <QTreeWidget>
#include <QWidget>
#include <memory>

#include "gui/models/selection.h"
#include "gui/models/session_controller.h"
#include "gui/models/version_comparison.h"
#include "gui/views/comparison_view.h"

namespace hloscope::gui {

class ChangesPanel : public QWidget {
  Q_OBJECT

 public:
  ChangesPanel(Selection* selection, SessionController* session, QWidget* parent = nullptr);
  ~ChangesPanel() override;

  // What the module has that the file has not, and the other way round.
  void CompareWith(const QString& path);
  // What the passes ("" : the usual ones) would make of the module.
  void Preview(const QString& pass);
  void Apply();

  QComboBox* passes() { return passes_; }
  QTreeWidget* tree() { return tree_; }
  QPushButton* apply_button() { return apply_; }
  QTabWidget* tabs() { return tabs_; }
  ComparisonView* graphs() { return graphs_; }
  QTableWidget* costs() { return costs_; }
  // The file that the module was last compared with; empty if it was with none.
  const QString& compared_path() const { return compared_path_; }
  QString summary() const { return summary_->text(); }
  bool busy() const { return busy_; }

 Q_SIGNALS:
  // Two graphs need the whole centre, or do not any more.
  void EnlargeRequested();
  // The user wants this to be the text of the module.
  void TextProposed(const QString& text);
  // The module was compared with another version, or, with null, is not any more.
  void Compared(std::shared_ptr<const hloscope::gui::VersionComparison> comparison);

 private:
  // One line of the tree, made off the UI's thread.
  struct Line {
    enum class Kind { kHeading, kChanged, kRemoved, kAdded, kNote } kind = Kind::kNote;
    QString text;
    QStringList details;
    InstructionId here;  // in the module that is open; none if it is not there
  };
  struct CostRow {
    QString what;
    QString before, after, ratio;
  };
  struct Answer {
    std::vector<Line> lines;
    QString summary;
    QString text;  // of the rewritten module; empty: nothing to apply
    std::shared_ptr<const VersionComparison> comparison;
    QString before_title, after_title;  // of the graphs
    std::vector<CostRow> costs;
  };

  void Start(std::function<Answer()> work);
  void ShowAnswer(const Answer& answer);
  void ShowCosts(const std::vector<CostRow>& rows);
  void Clear();

  Selection* selection_;
  QComboBox* passes_;
  QPushButton* apply_;
  QTabWidget* tabs_;
  QTreeWidget* tree_;
  ComparisonView* graphs_;
  QTableWidget* costs_;
  QLabel* summary_;
  QString compared_path_;
  QString proposed_;
  bool busy_ = false;
  int request_ = 0;
  QThreadPool pool_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_CHANGES_PANEL_H_
