#include "gui/models/selection.h"

#include <string>
#include <utility>

namespace hloscope {

void Selection::SetDocument(std::shared_ptr<const Document> document, bool keep_place) {
  std::string computation_name, instruction_name;
  if (keep_place && document_ != nullptr && place_.computation.has_value()) {
    computation_name = std::string(module().ComputationName(place_.computation));
    if (place_.instruction.has_value()) instruction_name = std::string(module().InstructionName(place_.instruction));
  }
  document_ = std::move(document);
  place_ = Place();
  history_.clear();
  position_ = 0;
  if (document_ != nullptr) {
    if (!computation_name.empty()) place_.computation = module().FindComputation(computation_name);
    if (place_.computation.has_value() && !instruction_name.empty()) {
      place_.instruction = module().FindInstruction(place_.computation, instruction_name);
    }
    if (!place_.computation.has_value()) place_.computation = module().entry();
    if (!place_.computation.has_value() && !module().computations().empty()) place_.computation = ComputationId(0);
    history_.push_back(place_);
  }
  Q_EMIT DocumentChanged();
  Q_EMIT Changed();
}

void Selection::SelectInstruction(InstructionId instruction) {
  if (document_ == nullptr || !instruction.has_value() || instruction.index() >= module().instruction_count()) return;
  Visit({module().instruction(instruction).computation, instruction});
}

void Selection::SelectComputation(ComputationId computation) {
  if (document_ == nullptr || !computation.has_value() || computation.index() >= module().computations().size()) return;
  Visit({computation, InstructionId()});
}

void Selection::Visit(Place place) {
  if (place == place_) return;
  history_.resize(position_ + 1);
  history_.push_back(place);
  if (history_.size() > kMaxHistory) history_.erase(history_.begin());
  position_ = history_.size() - 1;
  GoTo(place);
}

void Selection::GoTo(Place place) {
  place_ = place;
  Q_EMIT Changed();
}

void Selection::GoBack() {
  if (can_go_back()) GoTo(history_[--position_]);
}

void Selection::GoForward() {
  if (can_go_forward()) GoTo(history_[++position_]);
}

}  // namespace hloscope
