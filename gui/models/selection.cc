// SPDX-License-Identifier: Apache-2.0
#include "gui/models/selection.h"

#include <utility>

namespace hloscope::gui {

Selection::Place Selection::SamePlace(const Module& before, const Module& after, Place place) {
  Place same;
  if (!place.computation.has_value()) return same;
  same.computation = after.FindComputation(before.ComputationName(place.computation));
  if (same.computation.has_value() && place.instruction.has_value()) {
    same.instruction = after.FindInstruction(same.computation, before.InstructionName(place.instruction));
  }
  return same;
}

void Selection::CarryHistoryOver(const Module& before) {
  std::vector<Place> history;
  size_t position = 0;
  for (size_t i = 0; i < history_.size(); ++i) {
    const Place place = SamePlace(before, module(), history_[i]);
    // A place whose instruction is gone is left out, not turned into one that nobody selected.
    const bool gone =
        !place.computation.has_value() || (history_[i].instruction.has_value() && !place.instruction.has_value());
    if (!gone && (history.empty() || history.back() != place)) history.push_back(place);
    if (i == position_) position = history.empty() ? 0 : history.size() - 1;
  }
  history_ = std::move(history);
  position_ = position;
  // What is selected now may not be what was there.
  if (history_.empty() || history_[position_] != place_) {
    position_ = history_.empty() ? 0 : position_ + 1;
    history_.insert(history_.begin() + static_cast<std::ptrdiff_t>(position_), place_);
  }
}

void Selection::SetDocument(std::shared_ptr<const Document> document, bool keep_place) {
  const std::shared_ptr<const Document> before = std::exchange(document_, std::move(document));
  group_ = nullptr;
  reach_ = Reach::kMark;
  is_new_version_ = keep_place && before != nullptr && document_ != nullptr;
  place_ = is_new_version_ ? SamePlace(before->module(), module(), place_) : Place();
  if (document_ != nullptr && !place_.computation.has_value()) {
    place_.computation = module().entry();
    if (!place_.computation.has_value() && !module().computations().empty()) place_.computation = ComputationId(0);
  }
  if (is_new_version_) {
    CarryHistoryOver(before->module());
  } else {
    history_.clear();
    position_ = 0;
    if (document_ != nullptr) history_.push_back(place_);
  }
  Q_EMIT DocumentChanged();
  Q_EMIT Changed();
}

void Selection::SelectInstruction(InstructionId instruction, Reach reach) {
  if (document_ == nullptr || !instruction.has_value() || instruction.index() >= module().instruction_count()) return;
  const Place place{module().instruction(instruction).computation, instruction};
  reach_ = reach;
  if (place != place_) return Visit(place);
  SelectGroup(nullptr);
  if (reach == Reach::kOpen) Q_EMIT VisitedAgain();
}

void Selection::SelectComputation(ComputationId computation) {
  if (document_ == nullptr || !computation.has_value() || computation.index() >= module().computations().size()) return;
  Visit({computation, InstructionId()});
}

void Selection::SelectGroup(std::shared_ptr<const Group> group) {
  if (std::exchange(group_, std::move(group)) != group_) Q_EMIT GroupChanged();
}

void Selection::Visit(Place place) {
  if (place == place_) return SelectGroup(nullptr);
  history_.resize(position_ + 1);
  history_.push_back(place);
  if (history_.size() > kMaxHistory) history_.erase(history_.begin());
  position_ = history_.size() - 1;
  GoTo(place);
}

void Selection::GoTo(Place place) {
  place_ = place;
  group_ = nullptr;
  Q_EMIT Changed();
}

void Selection::GoBack() {
  reach_ = Reach::kOpen;
  if (can_go_back()) GoTo(history_[--position_]);
}

void Selection::GoForward() {
  reach_ = Reach::kOpen;
  if (can_go_forward()) GoTo(history_[++position_]);
}

}  // namespace hloscope::gui
