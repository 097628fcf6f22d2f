// SPDX-License-Identifier: Apache-2.0
// What the user looks at: one object shared by every view and panel. Choosing an instruction anywhere goes through it,
// and everything that shows instructions follows its signals.
#ifndef HLOSCOPE_GUI_MODELS_SELECTION_H_
#define HLOSCOPE_GUI_MODELS_SELECTION_H_

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/document/document.h"

namespace hloscope::gui {

class Selection : public QObject {
  Q_OBJECT

 public:
  // What happens where closed groups of the graph hide an instruction: whoever goes to it wants to see it, whoever
  // passes it with the cursor of the text only where it is.
  enum class Reach : uint8_t { kMark, kOpen };

  explicit Selection(QObject* parent = nullptr) : QObject(parent) {}

  // Forgets everything and selects the entry computation. If `keep_place` is set, the document is another version of
  // the one before: the selected computation and instruction and those selected before are looked up by name in it.
  void SetDocument(std::shared_ptr<const Document> document, bool keep_place);
  // Whether the document is another version of the one before it.
  bool is_new_version() const { return is_new_version_; }
  // Null before a document is opened.
  const std::shared_ptr<const Document>& document() const { return document_; }
  const Module& module() const { return document_->module(); }

  // None if the document has no computation.
  ComputationId computation() const { return place_.computation; }
  // None if only a computation is selected.
  InstructionId instruction() const { return place_.instruction; }
  // How it was selected.
  Reach reach() const { return reach_; }

  // Ids that are not of the document are ignored.
  void SelectInstruction(InstructionId instruction, Reach reach = Reach::kOpen);
  void SelectComputation(ComputationId computation);

  // A group of the graph that is looked at, beside the place that is selected.
  struct Group {
    QString title;
    uint32_t repeats = 0;                // layers that are alike; 0: it is no such group
    bool is_path = false;                // steps from one instruction to another
    std::vector<InstructionId> members;  // of one computation, in the order of the text
  };
  // Null as soon as something else is selected.
  const std::shared_ptr<const Group>& group() const { return group_; }
  void SelectGroup(std::shared_ptr<const Group> group);

  // Through the places that were selected before, as in a browser.
  bool can_go_back() const { return position_ > 0; }
  bool can_go_forward() const { return position_ + 1 < history_.size(); }
  void GoBack();
  void GoForward();

  // Asks the text view to show a range that is not an instruction's (a diagnostic).
  void RevealRange(SourceRange range) { Q_EMIT RangeRevealed(range); }

 Q_SIGNALS:
  void DocumentChanged();
  // The computation or the instruction is another one than before.
  void Changed();
  // Somebody goes to the instruction that is selected already.
  void VisitedAgain();
  void RangeRevealed(SourceRange range);
  void GroupChanged();

 private:
  struct Place {
    ComputationId computation;
    InstructionId instruction;
    friend bool operator==(const Place&, const Place&) = default;
  };
  static constexpr size_t kMaxHistory = 200;

  // The same place of another version of the document; an empty computation if it is not there any more.
  static Place SamePlace(const Module& before, const Module& after, Place place);
  void CarryHistoryOver(const Module& before);
  void GoTo(Place place);
  void Visit(Place place);

  std::shared_ptr<const Document> document_;
  Place place_;
  Reach reach_ = Reach::kMark;
  std::shared_ptr<const Group> group_;
  std::vector<Place> history_;
  size_t position_ = 0;
  bool is_new_version_ = false;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_SELECTION_H_
