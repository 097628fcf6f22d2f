#include "lsp/server/feature_support.h"

#include "absl/status/status.h"

namespace hloscope::lsp {

absl::StatusOr<protocol::Position> PositionOf(const nlohmann::json& params) {
  const nlohmann::json* value = FindPath(params, {"position"});
  const std::optional<protocol::Position> position = value ? ReadPosition(*value) : std::nullopt;
  if (!position.has_value()) return absl::InvalidArgumentError("expected `position` with `line` and `character`");
  return *position;
}

absl::StatusOr<protocol::Range> RangeOf(const nlohmann::json& params) {
  const nlohmann::json* value = FindPath(params, {"range"});
  const std::optional<protocol::Range> range = value ? ReadRange(*value) : std::nullopt;
  if (!range.has_value()) return absl::InvalidArgumentError("expected `range` with `start` and `end`");
  return *range;
}

nlohmann::json Supported() { return true; }
nlohmann::json AnnouncedElsewhere() { return nullptr; }

}  // namespace hloscope::lsp
