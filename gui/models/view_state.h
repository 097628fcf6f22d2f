// SPDX-License-Identifier: Apache-2.0
// How a file is looked at besides the place in it, as one word of a command line:
// "graph=whole,colors=bytes,zoom=0.35,show=layout+timeline".
#ifndef HLOSCOPE_GUI_MODELS_VIEW_STATE_H_
#define HLOSCOPE_GUI_MODELS_VIEW_STATE_H_

#include <QString>
#include <QStringList>

namespace hloscope::gui {

// What has its default value is not written.
struct ViewState {
  enum class Graph { kAutomatic, kWhole, kAround, kGroups };
  enum class Colors { kOperation, kFlop, kBytes, kNumbers, kSharding, kChanges, kTime };

  Graph graph = Graph::kAutomatic;
  Colors colors = Colors::kOperation;
  int depth = 0;              // of kAround; 0: as it is
  double zoom = 0;            // of the graph; 0: as it fits
  bool constants = true;      // are drawn
  bool beside = false;        // the graph is beside the text
  QStringList shown, hidden;  // names of panels that are not as at the first start
  QString enlarged;           // the panel in the whole centre

  QString ToString() const;
  // Words that mean nothing are left out; `problem` names the first one.
  static ViewState Parse(const QString& text, QString* problem);

  friend bool operator==(const ViewState&, const ViewState&) = default;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_VIEW_STATE_H_
