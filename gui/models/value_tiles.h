// SPDX-License-Identifier: Apache-2.0
// The numbers behind a picture of a slice, a tile at a time: computed on another thread when a view asks for them,
// most detailed or coarse as the view's zoom needs.
#ifndef HLOSCOPE_GUI_MODELS_VALUE_TILES_H_
#define HLOSCOPE_GUI_MODELS_VALUE_TILES_H_

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "gui/models/element_reader.h"
#include "gui/models/tensor_slice.h"

namespace hloscope::gui {

// What one cell stands for: 2^row_level x 2^column_level elements (fewer at the edges).
struct TileCell {
  float mean = 0;           // of the finite elements; NaN if there are none
  float low = 0, high = 0;  // of the elements that are not NaN
  bool has_nan = false;
  bool has_infinity = false;
};

struct TileKey {
  int row_level = 0, column_level = 0;
  int64_t row = 0, column = 0;  // of the tile
  friend bool operator==(const TileKey&, const TileKey&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const TileKey& key) {
    return H::combine(std::move(h), key.row_level, key.column_level, key.row, key.column);
  }
};

struct ValueTile {
  int rows = 0, columns = 0;
  int planes = 1;
  std::vector<TileCell> cells;  // plane by plane, row-major
  const TileCell& cell(int plane, int row, int column) const {
    return cells[(static_cast<size_t>(plane) * static_cast<size_t>(rows) + static_cast<size_t>(row)) *
                     static_cast<size_t>(columns) +
                 static_cast<size_t>(column)];
  }
};

// `count` elements of a row (from `begin` on along `axis`) in at most `cells` cells of equally many elements each. What
// is there so far if it is cancelled.
std::vector<TileCell> LineOf(const ElementReader& reader, absl::Span<const int64_t> begin, int64_t axis, int64_t count,
                             int64_t cells, const std::atomic<bool>& cancelled);

class ValueTiles : public QObject {
  Q_OBJECT

 public:
  static constexpr int kTileCells = 128;  // rows and columns of a tile
  static constexpr size_t kMaxTiles = 400;

  explicit ValueTiles(QObject* parent = nullptr);
  // Cancels and waits.
  ~ValueTiles() override;

  // Forgets all tiles. With `channel_axis` a tile has `channels` planes: the slice, and those at the next indices of
  // that dimension. Requires a slice of the reader's dimensions in which that axis is fixed.
  void SetSource(std::shared_ptr<const ElementReader> reader, TensorSlice slice,
                 int64_t channel_axis = TensorSlice::kNoAxis, int channels = 1);
  const TensorSlice& slice() const { return slice_; }

  // The smallest level at which a cell has at least `elements` rows (columns).
  static int LevelFor(double elements);

  // The tile if it is there, else null.
  std::shared_ptr<const ValueTile> Find(const TileKey& key);
  // These tiles are computed next, in this order; what was wanted before and is not among them is not.
  void Want(std::vector<TileKey> keys);
  bool busy() const { return busy_; }

 Q_SIGNALS:
  void TileReady();

 private:
  struct Source {
    std::shared_ptr<const ElementReader> reader;
    TensorSlice slice;
    int64_t channel_axis = TensorSlice::kNoAxis;
    int channels = 1;
    std::atomic<bool> cancelled{false};
    std::mutex mutex;
    std::vector<TileKey> wanted;  // the next one last
  };
  static std::shared_ptr<const ValueTile> Compute(const Source& source, const TileKey& key);
  static void Work(ValueTiles* tiles, const std::shared_ptr<Source>& source);
  void Take(const std::shared_ptr<Source>& source, const TileKey& key, std::shared_ptr<const ValueTile> tile);

  TensorSlice slice_;
  std::shared_ptr<Source> source_;
  // The last used one first.
  std::list<std::pair<TileKey, std::shared_ptr<const ValueTile>>> tiles_;
  absl::flat_hash_map<TileKey, decltype(tiles_)::iterator> places_;
  bool busy_ = false;
  QThreadPool pool_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_VALUE_TILES_H_
