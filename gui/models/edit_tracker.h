// SPDX-License-Identifier: Apache-2.0
// What has been typed into a text since a document was made of it, as one edit of that document.
#ifndef HLOSCOPE_GUI_MODELS_EDIT_TRACKER_H_
#define HLOSCOPE_GUI_MODELS_EDIT_TRACKER_H_

#include <QTextDocument>
#include <string>

#include "core/document/document.h"

namespace hloscope::gui {

// The text may be edited only if every byte of the source can be got back from what the view shows.
bool IsEditable(const SourceText& source);

class EditTracker {
 public:
  // The text is that of the document again.
  void Reset(int length);
  // As QTextDocument::contentsChange tells it; `length` of the text after the change.
  void Change(int position, int removed, int added, int length);
  bool is_empty() const { return !changed_; }
  // The edit that makes the source what the text is now. Requires that something has changed.
  TextEdit EditOf(const SourceText& source, const QTextDocument& text) const;

 private:
  bool changed_ = false;
  // Characters at the begin and at the end that are still the old ones.
  int prefix_ = 0, suffix_ = 0;
};

// The source after the edit.
std::string AfterEdit(const SourceText& source, const TextEdit& edit);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_EDIT_TRACKER_H_
