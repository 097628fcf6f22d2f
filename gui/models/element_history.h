// SPDX-License-Identifier: Apache-2.0
// Where an element of a value comes from, in rows for a list.
#ifndef HLOSCOPE_GUI_MODELS_ELEMENT_HISTORY_H_
#define HLOSCOPE_GUI_MODELS_ELEMENT_HISTORY_H_

#include <QString>
#include <vector>

#include "evaluator/debugger/dependences.h"
#include "gui/models/session_controller.h"

namespace hloscope::gui {

struct ElementRow {
  QString element;    // "x[0, 3]"
  QString value;      // as text
  QString operation;  // opcode
  QString where;      // path of the execution; empty: the same frame
  InstructionId instruction;
  evaluator::Element place;
};

struct ElementAnswer {
  QString summary;  // a sentence
  std::vector<ElementRow> rows;
  bool is_exact = false;  // these elements and no others, all of them in values that are there
};

// The elements of the operands that one element was computed from, as they are where the run is. At most kMaxRows.
inline constexpr size_t kMaxElementRows = 200;
ElementAnswer WhyElement(const Module& module, const SessionController& session, InstructionId instruction,
                         const evaluator::Element& element);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_ELEMENT_HISTORY_H_
