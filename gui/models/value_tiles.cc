// SPDX-License-Identifier: Apache-2.0
#include "gui/models/value_tiles.h"

#include <QMetaObject>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace hloscope::gui {
namespace {

constexpr float kLargestFloat = std::numeric_limits<float>::max();

float Narrow(double value) {
  if (std::isinf(value)) return static_cast<float>(value);
  return static_cast<float>(std::clamp(value, -static_cast<double>(kLargestFloat), static_cast<double>(kLargestFloat)));
}

// A cell under way.
struct Sum {
  double sum = 0;
  int64_t finite = 0;
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  bool has_nan = false;

  void Add(const double* values, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const double x = values[i];
      const bool is_finite = std::abs(x) < std::numeric_limits<double>::infinity();
      sum += is_finite ? x : 0;
      finite += is_finite;
      low = x < low ? x : low;
      high = x > high ? x : high;
      has_nan |= x != x;
    }
  }
  TileCell Finish() const {
    TileCell cell;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    cell.mean = Narrow(finite > 0 ? sum / static_cast<double>(finite) : nan);
    cell.low = low <= high ? Narrow(low) : static_cast<float>(nan);
    cell.high = low <= high ? Narrow(high) : static_cast<float>(nan);
    cell.has_nan = has_nan;
    cell.has_infinity = low <= high && (std::isinf(low) || std::isinf(high));
    return cell;
  }
};

}  // namespace

std::vector<TileCell> LineOf(const ElementReader& reader, absl::Span<const int64_t> begin, int64_t axis, int64_t count,
                             int64_t cells, const std::atomic<bool>& cancelled) {
  std::vector<TileCell> line;
  const int64_t span = std::max<int64_t>(1, (count + cells - 1) / std::max<int64_t>(cells, 1));
  double run[4096];
  evaluator::DimensionVector index(begin.begin(), begin.end());
  for (int64_t first = 0; first < count; first += span) {
    Sum sum;
    for (int64_t at = first; at < std::min(count, first + span);) {
      if (cancelled.load(std::memory_order_relaxed)) return line;
      const int64_t part = std::min<int64_t>({4096, count - at, first + span - at});
      if (axis >= 0) index[static_cast<size_t>(axis)] = begin[static_cast<size_t>(axis)] + at;
      reader.Read(index, axis, part, run);
      sum.Add(run, part);
      at += part;
    }
    line.push_back(sum.Finish());
  }
  return line;
}

ValueTiles::ValueTiles(QObject* parent) : QObject(parent) { pool_.setMaxThreadCount(1); }

ValueTiles::~ValueTiles() {
  if (source_ != nullptr) source_->cancelled = true;
  pool_.waitForDone();
}

void ValueTiles::SetSource(std::shared_ptr<const ElementReader> reader, TensorSlice slice, int64_t channel_axis,
                           int channels) {
  if (source_ != nullptr) source_->cancelled = true;
  tiles_.clear();
  places_.clear();
  busy_ = false;
  slice_ = std::move(slice);
  source_ = nullptr;
  if (reader == nullptr) return;
  source_ = std::make_shared<Source>();
  source_->reader = std::move(reader);
  source_->slice = slice_;
  source_->channel_axis = channel_axis;
  source_->channels = channel_axis == TensorSlice::kNoAxis ? 1 : channels;
}

int ValueTiles::LevelFor(double elements) {
  int level = 0;
  while (level < 40 && std::ldexp(1.0, level) < elements) ++level;
  return level;
}

std::shared_ptr<const ValueTile> ValueTiles::Find(const TileKey& key) {
  const auto place = places_.find(key);
  if (place == places_.end()) return nullptr;
  tiles_.splice(tiles_.begin(), tiles_, place->second);
  return place->second->second;
}

void ValueTiles::Want(std::vector<TileKey> keys) {
  if (source_ == nullptr) return;
  std::reverse(keys.begin(), keys.end());
  const bool any = !keys.empty();
  {
    const std::lock_guard<std::mutex> lock(source_->mutex);
    source_->wanted = std::move(keys);
  }
  if (busy_ || !any) return;
  busy_ = true;
  pool_.start([this, source = source_] { Work(this, source); });
}

void ValueTiles::Work(ValueTiles* tiles, const std::shared_ptr<Source>& source) {
  for (;;) {
    TileKey key;
    bool done = false;
    {
      const std::lock_guard<std::mutex> lock(source->mutex);
      done = source->wanted.empty() || source->cancelled;
      if (!done) {
        key = source->wanted.back();
        source->wanted.pop_back();
      }
    }
    if (done) break;
    std::shared_ptr<const ValueTile> tile = Compute(*source, key);
    if (tile == nullptr) break;
    QMetaObject::invokeMethod(tiles, [tiles, source, key, tile = std::move(tile)] { tiles->Take(source, key, tile); });
  }
  QMetaObject::invokeMethod(tiles, [tiles, source] {
    if (source != tiles->source_) return;
    tiles->busy_ = false;
    // What was wanted while the worker was leaving.
    std::vector<TileKey> rest;
    {
      const std::lock_guard<std::mutex> lock(source->mutex);
      rest = std::exchange(source->wanted, {});
    }
    std::reverse(rest.begin(), rest.end());
    if (!rest.empty()) tiles->Want(std::move(rest));
    Q_EMIT tiles->TileReady();
  });
}

void ValueTiles::Take(const std::shared_ptr<Source>& source, const TileKey& key,
                      std::shared_ptr<const ValueTile> tile) {
  if (source != source_ || places_.contains(key)) return;
  tiles_.emplace_front(key, std::move(tile));
  places_[key] = tiles_.begin();
  while (tiles_.size() > kMaxTiles) {
    places_.erase(tiles_.back().first);
    tiles_.pop_back();
  }
  Q_EMIT TileReady();
}

std::shared_ptr<const ValueTile> ValueTiles::Compute(const Source& source, const TileKey& key) {
  const TensorSlice& slice = source.slice;
  // Elements beside one another in a cell.
  const int64_t row_span = int64_t{1} << key.row_level, span = int64_t{1} << key.column_level;
  const int64_t first_row = key.row * kTileCells * row_span, first_column = key.column * kTileCells * span;
  const int64_t end_row = std::min(slice.rows(), first_row + kTileCells * row_span);
  const int64_t end_column = std::min(slice.columns(), first_column + kTileCells * span);
  auto tile = std::make_shared<ValueTile>();
  if (end_row <= first_row || end_column <= first_column) return tile;
  tile->rows = static_cast<int>((end_row - first_row + row_span - 1) / row_span);
  tile->columns = static_cast<int>((end_column - first_column + span - 1) / span);
  tile->planes = source.channels;
  const size_t row_cells = static_cast<size_t>(tile->columns);
  tile->cells.resize(static_cast<size_t>(tile->planes) * static_cast<size_t>(tile->rows) * row_cells);
  // A run covers whole cells and stays in the first cache.
  const int64_t cells_a_run = std::max<int64_t>(1, 4096 / span);
  std::vector<double> run(static_cast<size_t>(std::min(cells_a_run * span, end_column - first_column)));
  const int64_t part = static_cast<int64_t>(run.size());
  std::vector<Sum> sums(row_cells);
  TileCell* out = tile->cells.data();
  for (int plane = 0; plane < tile->planes; ++plane) {
    for (int64_t row = first_row; row < end_row; row += row_span) {
      std::fill(sums.begin(), sums.end(), Sum());
      for (int64_t r = row; r < std::min(end_row, row + row_span); ++r) {
        for (int64_t column = first_column; column < end_column; column += part) {
          if (source.cancelled.load(std::memory_order_relaxed)) return nullptr;
          const int64_t count = std::min(part, end_column - column);
          evaluator::DimensionVector begin = slice.IndexOf({r, column});
          if (source.channel_axis != TensorSlice::kNoAxis) begin[static_cast<size_t>(source.channel_axis)] += plane;
          source.reader->Read(begin, slice.column_axis(), count, run.data());
          for (int64_t i = 0; i < count; i += span) {
            sums[static_cast<size_t>((column - first_column + i) / span)].Add(run.data() + i,
                                                                              std::min(span, count - i));
          }
        }
      }
      for (const Sum& sum : sums) *out++ = sum.Finish();
    }
  }
  return tile;
}

}  // namespace hloscope::gui
