// SPDX-License-Identifier: Apache-2.0
// What the tensor panel computes, without widgets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gui/models/background_task.h"
#include "gui/models/color_scale.h"
#include "gui/models/element_search.h"
#include "gui/models/health_scan.h"
#include "gui/models/slice_reader.h"
#include "gui/models/tensor_export.h"
#include "gui/models/tensor_model.h"
#include "gui/models/tensor_statistics.h"
#include "gui/models/value_tiles.h"
#include "gui_test_support.h"
#include "numerics/elements/numeric.h"

namespace hloscope::gui {
namespace {

constexpr float kTensorModelsNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
const std::atomic<bool> kGoOn{false};

QString Cell(const TensorModel& model, int row, int column) {
  return model.data(model.index(row, column), Qt::DisplayRole).toString();
}

// 100 million elements without memory for them.
evaluator::Tensor Huge() { return FloatTensor({1}, {1.5F}).View({10'000, 10'000}, {0, 0}, 0); }

TEST(TensorSliceTest, AnyTwoDimensionsAreRowsAndColumns) {
  TensorSlice slice(std::vector<int64_t>{2, 3, 4});
  EXPECT_EQ(slice.row_axis(), 1);
  EXPECT_EQ(slice.column_axis(), 2);
  EXPECT_TRUE(slice.IsFixed(0));
  slice.SetIndex(0, 99);  // clamped
  EXPECT_EQ(slice.IndexOf({1, 2}), evaluator::DimensionVector({1, 1, 2}));
  slice.SetIndex(1, 1);  // not a fixed dimension
  slice.SetRowAxis(0);   // its index is no longer fixed
  EXPECT_EQ(slice.IndexOf({1, 2}), evaluator::DimensionVector({1, 0, 2}));
  slice.SetColumnAxis(0);  // the rows have it: they change places
  EXPECT_EQ(slice.row_axis(), 2);
  EXPECT_EQ(slice.column_axis(), 0);
  EXPECT_EQ(slice.rows(), 4);
  slice.SetRowAxis(7);
  EXPECT_EQ(slice.row_axis(), 2);
  EXPECT_EQ(slice.Reveal({1, 2, 3}), (TensorSlice::Cell{3, 1}));
  EXPECT_EQ(slice.index(1), 2);
  const evaluator::Tensor view = slice.ViewOf(Counting({2, 3, 4}));
  EXPECT_EQ(*reinterpret_cast<const int32_t*>(view.At({3, 1})), 12 + 8 + 3);
}

TEST(TensorSliceTest, VectorsScalarsAndEmptyArrays) {
  const TensorSlice vector(std::vector<int64_t>{5});
  EXPECT_EQ(vector.rows(), 5);
  EXPECT_EQ(vector.columns(), 1);
  const TensorSlice scalar(std::vector<int64_t>{});
  EXPECT_EQ(scalar.rows(), 1);
  EXPECT_EQ(scalar.columns(), 1);
  EXPECT_TRUE(scalar.IndexOf({0, 0}).empty());
  const TensorSlice empty(std::vector<int64_t>{0, 7, 3});
  EXPECT_EQ(empty.rows(), 0);
  EXPECT_EQ(empty.columns(), 0);
}

TEST(TensorModelTest, ShowsAnySlice) {
  TensorModel model;
  EXPECT_EQ(model.rowCount(), 0);
  const evaluator::Tensor tensor = Counting({2, 3, 4});
  model.SetTensor(tensor);
  ASSERT_EQ(model.rowCount(), 3);
  ASSERT_EQ(model.columnCount(), 4);
  EXPECT_EQ(Cell(model, 2, 1), QStringLiteral("9"));
  TensorSlice slice = model.slice();
  slice.SetIndex(0, 1);
  model.SetSource(ReaderOf(tensor), slice);
  EXPECT_EQ(Cell(model, 2, 1), QStringLiteral("21"));
  slice.SetRowAxis(0);
  slice.SetIndex(1, 2);
  model.SetSource(ReaderOf(tensor), slice);
  ASSERT_EQ(model.rowCount(), 2);
  EXPECT_EQ(Cell(model, 1, 3), QStringLiteral("23"));
  model.SetTensor(Counting({}));
  EXPECT_EQ(model.rowCount(), 1);
  EXPECT_EQ(model.columnCount(), 1);
  model.SetTensor(Counting({5, 0}));
  EXPECT_EQ(model.rowCount(), 0);
  model.SetTensor(evaluator::Tensor());
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(TensorModelTest, HugeTensorsAreShownAPageAtATime) {
  TensorModel model;
  model.SetTensor(Counting({100'000}));
  EXPECT_EQ(model.rowCount(), TensorModel::kMaxRows);
  EXPECT_EQ(model.total_rows(), 100'000);
  model.SetOrigin(99'990, 0);
  EXPECT_EQ(model.rowCount(), 10);
  EXPECT_EQ(Cell(model, 9, 0), QStringLiteral("99999"));
}

TEST(TensorModelTest, BroadcastViewsAreReadThroughTheirStrides) {
  TensorModel model;
  const evaluator::Tensor row = Counting({3});
  model.SetTensor(row.View({2, 3}, {0, 1}, 0));
  EXPECT_EQ(Cell(model, 1, 2), QStringLiteral("2"));
}

TEST(ElementReaderTest, ReadsEveryTypeAlongEveryAxis) {
  const evaluator::Tensor counting = Counting({3, 4});
  double out[4];
  ReaderOf(counting)->Read({0, 1}, 0, 3, out);
  EXPECT_THAT(std::vector<double>(out, out + 3), ::testing::ElementsAre(1, 5, 9));
  for (const ElementType type : {ElementType::kF64, ElementType::kBF16, ElementType::kF16, ElementType::kS8,
                                 ElementType::kU8, ElementType::kU16, ElementType::kC64, ElementType::kS4}) {
    absl::StatusOr<evaluator::Tensor> tensor = evaluator::Tensor::Zeros(type, {2, 2});
    ASSERT_TRUE(tensor.ok());
    WriteReal(type, 3, tensor->mutable_data() + 3 * tensor->element_bytes());
    ReaderOf(*tensor)->Read({1, 0}, 1, 2, out);
    EXPECT_EQ(out[0], 0) << ElementTypeName(type);
    EXPECT_EQ(out[1], 3) << ElementTypeName(type);
  }
  ReaderOf(Counting({}))->Read({}, TensorSlice::kNoAxis, 1, out);
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(ReaderOf(evaluator::Tensor())->element_count(), 0);
}

TEST(ElementReaderTest, Differences) {
  const evaluator::Tensor a = FloatTensor({4}, {1, 2, kTensorModelsNan, kTensorModelsNan}),
                          b = FloatTensor({4}, {1, 2.5, kTensorModelsNan, 0});
  double out[4];
  (*DifferenceReaderOf(a, b, DifferenceKind::kAbsolute))->Read({0}, 0, 4, out);
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(out[1], -0.5);
  EXPECT_EQ(out[2], 0);  // both are no numbers
  EXPECT_TRUE(std::isnan(out[3]));
  (*DifferenceReaderOf(a, b, DifferenceKind::kRelative))->Read({0}, 0, 2, out);
  EXPECT_EQ(out[1], 0.25);
  (*DifferenceReaderOf(a, b, DifferenceKind::kUlps))->Read({0}, 0, 4, out);
  EXPECT_EQ(out[1], 1 << 21);
  EXPECT_TRUE(std::isinf(out[3]));
  const auto refused = DifferenceReaderOf(a, Counting({4}), DifferenceKind::kUlps);
  EXPECT_THAT(std::string(refused.status().message()), ::testing::HasSubstr("f32[4] with s32[4]"));
  EXPECT_FALSE(DifferenceReaderOf(a, evaluator::Tensor(), DifferenceKind::kUlps).ok());
}

TEST(TensorStatisticsTest, CountsEveryKindOfNumber) {
  const float denormal = std::numeric_limits<float>::denorm_min();
  const evaluator::Tensor t = FloatTensor({2, 4}, {kTensorModelsNan, kInfinity, -kInfinity, 0, -0.0F, denormal, -2, 4});
  const TensorStatistics s = StatisticsOf(*ReaderOf(t), kGoOn);
  EXPECT_EQ(s.summary.count, 8);
  EXPECT_EQ(s.summary.nan_count, 1);
  EXPECT_EQ(s.summary.infinity_count, 2);
  EXPECT_EQ(s.summary.zero_count, 2);
  EXPECT_EQ(s.negative_count, 2);
  EXPECT_EQ(s.denormal_count, 1);
  EXPECT_EQ(s.summary.max, kInfinity);
  EXPECT_EQ(s.finite_min, -2);
  EXPECT_EQ(s.finite_max, 4);
  EXPECT_EQ(s.least_magnitude, denormal);
  EXPECT_DOUBLE_EQ(s.summary.mean, 2.0 / 5);
  EXPECT_NEAR(s.summary.standard_deviation, std::sqrt(20.0 / 5 - 0.16), 1e-12);
  const QString text = StatisticsText(s, ElementType::kF32);
  EXPECT_TRUE(text.contains(QStringLiteral("1\u00a0denormal"))) << text.toStdString();
  EXPECT_FALSE(StatisticsText(s, ElementType::kS32).contains(QStringLiteral("NaN")));
  EXPECT_EQ(StatisticsText(StatisticsOf(*ReaderOf(Counting({0})), kGoOn), ElementType::kS32),
            QStringLiteral("no elements"));
}

TEST(TensorStatisticsTest, AgreesWithTheSummaryOfTheEvaluatorOverManyBlocks) {
  std::vector<float> values;
  for (int i = 0; i < 3 * 5 * 1999; ++i) values.push_back(1e4F + std::sin(static_cast<float>(i)));
  for (const evaluator::Tensor& t :
       {FloatTensor({3, 5, 1999}, values), FloatTensor({29985}, values), FloatTensor({29985, 1}, values)}) {
    const TensorStatistics s = StatisticsOf(*ReaderOf(t), kGoOn);
    const evaluator::TensorSummary expected = evaluator::Summarize(t);
    EXPECT_EQ(s.summary.count, expected.count);
    EXPECT_EQ(s.summary.min, expected.min);
    EXPECT_EQ(s.summary.max, expected.max);
    EXPECT_NEAR(s.summary.mean, expected.mean, 1e-8);
    EXPECT_NEAR(s.summary.standard_deviation, expected.standard_deviation, 1e-8);
  }
  EXPECT_EQ(StatisticsOf(*ReaderOf(Counting({})), kGoOn).summary.count, 1);
  const std::atomic<bool> cancelled{true};
  EXPECT_TRUE(StatisticsOf(*ReaderOf(Huge()), cancelled).summary.incomplete);
}

TEST(TensorStatisticsTest, HistogramHasEveryFiniteElementOnce) {
  const evaluator::Tensor t = FloatTensor({7}, {0, 1, 2, 3, 4, kTensorModelsNan, kInfinity});
  Histogram h = HistogramOf(*ReaderOf(t), 0, 4, 4, kGoOn);
  EXPECT_THAT(h.bins, ::testing::ElementsAre(1, 1, 1, 2));
  EXPECT_EQ(h.below + h.above, 0);
  h = HistogramOf(*ReaderOf(t), 1, 2, 2, kGoOn);
  EXPECT_EQ(h.below, 1);
  EXPECT_EQ(h.above, 2);
  // A range without width, and one whose width is no number.
  EXPECT_THAT(HistogramOf(*ReaderOf(t), 2, 2, 2, kGoOn).bins, ::testing::ElementsAre(1, 0));
  const double huge = std::numeric_limits<double>::max();
  EXPECT_THAT(HistogramOf(*ReaderOf(t), -huge, huge, 3, kGoOn).bins, ::testing::ElementsAre(0, 5, 0));
  EXPECT_THAT(HistogramOf(*ReaderOf(t), 1, 0, 2, kGoOn).bins, ::testing::ElementsAre(0, 0));
}

TEST(ColorScaleTest, EndsMiddleAndSignals) {
  ColorScale scale;
  ASSERT_TRUE(scale.SetRange(-1, 3));
  EXPECT_EQ(scale.ColorOf(-1), qRgb(0x44, 0x01, 0x54));
  EXPECT_EQ(scale.ColorOf(3), qRgb(0xfd, 0xe7, 0x25));
  EXPECT_EQ(scale.ColorOf(99), scale.ColorOf(3));
  EXPECT_EQ(scale.ColorOf(kTensorModelsNan), ColorScale::NanColor());
  EXPECT_EQ(scale.ColorOf(kInfinity), ColorScale::InfinityColor(true));
  EXPECT_EQ(scale.ColorOf(-kInfinity), ColorScale::InfinityColor(false));
  EXPECT_DOUBLE_EQ(scale.FractionOf(1), 0.5);
  EXPECT_DOUBLE_EQ(scale.ValueAt(0.25), 0);
  EXPECT_FALSE(scale.SetRange(2, 1));
  EXPECT_FALSE(scale.SetRange(kTensorModelsNan, 1));
  EXPECT_EQ(scale.low(), -1);
  for (int map = 0; map < kColorMapCount; ++map) {
    scale.set_map(static_cast<ColorMap>(map));
    EXPECT_NE(scale.ColorOf(-1), scale.ColorOf(3));
    EXPECT_FALSE(ColorMapName(scale.map()).isEmpty());
  }
}

TEST(ColorScaleTest, RangesFitTheMapAndTheScale) {
  ColorScale scale;
  scale.set_map(ColorMap::kBlueRed);
  scale.FitRange(-1, 3, 0.5);
  EXPECT_EQ(scale.low(), -3);
  EXPECT_DOUBLE_EQ(scale.FractionOf(0), 0.5);
  scale.set_scale(NumberScale::kSymmetricLog);
  EXPECT_DOUBLE_EQ(scale.FractionOf(0), 0.5);
  EXPECT_DOUBLE_EQ(scale.FractionOf(-2) + scale.FractionOf(2), 1);
  EXPECT_NEAR(scale.ValueAt(scale.FractionOf(1.25)), 1.25, 1e-12);
  scale.set_map(ColorMap::kViridis);
  scale.set_scale(NumberScale::kLog);
  scale.FitRange(-1, 100, 0.01);
  EXPECT_EQ(scale.low(), 0.01);
  EXPECT_NEAR(scale.FractionOf(1), 0.5, 1e-12);
  EXPECT_LT(scale.FractionOf(-5), 0);
  // Nothing that can be spread.
  scale.FitRange(0, 0, 0);
  EXPECT_TRUE(std::isfinite(scale.FractionOf(0)) || scale.FractionOf(0) < 0);
  scale.set_scale(NumberScale::kLinear);
  scale.FitRange(7, 7, 7);
  EXPECT_EQ(scale.FractionOf(7), 0.5);
  EXPECT_LT(scale.FractionOf(6), 0);
  EXPECT_GT(scale.FractionOf(8), 1);
}

TEST(ColorScaleTest, OverlaysMarkAndTheRestRecedes) {
  ColorScale scale;
  scale.SetRange(0, 1);
  const auto is_gray = [](QRgb color) { return qRed(color) == qGreen(color) && qGreen(color) == qBlue(color); };
  for (const auto& [overlay, marked, other] :
       std::vector<std::tuple<Overlay, double, double>>{{Overlay::kNan, kTensorModelsNan, 0.5},
                                                        {Overlay::kInfinity, kInfinity, kTensorModelsNan},
                                                        {Overlay::kNegative, -0.5, 0.5},
                                                        {Overlay::kOutOfRange, 1.5, 1},
                                                        {Overlay::kOutOfRange, -0.1, 0}}) {
    scale.set_overlay(overlay);
    EXPECT_FALSE(is_gray(scale.ColorOf(marked))) << marked;
    EXPECT_TRUE(is_gray(scale.ColorOf(other))) << other;
  }
  // One of many elements of a pixel is enough.
  scale.set_overlay(Overlay::kNegative);
  EXPECT_FALSE(is_gray(scale.ColorOf(0.5, -3, 4, false, false)));
}

TEST(ValueTilesTest, CellsStandForManyElements) {
  ValueTiles tiles;
  evaluator::Tensor tensor = Counting({300, 200});
  tiles.SetSource(ReaderOf(tensor), TensorSlice(tensor.dimensions()));
  const TileKey fine{0, 0, 2, 1}, coarse{2, 1, 0, 0};
  EXPECT_EQ(tiles.Find(fine), nullptr);
  tiles.Want({fine, coarse});
  ASSERT_TRUE(WaitUntil([&] { return !tiles.busy(); }));
  const auto exact = tiles.Find(fine);
  ASSERT_NE(exact, nullptr);
  EXPECT_EQ(exact->rows, 300 - 256);
  EXPECT_EQ(exact->columns, 200 - 128);
  EXPECT_EQ(exact->cell(0, 3, 4).mean, (256 + 3) * 200 + 128 + 4);
  const auto rough = tiles.Find(coarse);
  ASSERT_NE(rough, nullptr);
  EXPECT_EQ(rough->rows, 75);
  EXPECT_EQ(rough->columns, 100);
  EXPECT_EQ(rough->cell(0, 1, 1).low, 4 * 200 + 2);
  EXPECT_EQ(rough->cell(0, 1, 1).high, 7 * 200 + 3);
  EXPECT_EQ(rough->cell(0, 1, 1).mean, (4 * 200 + 2 + 7 * 200 + 3) / 2.0);
  // Tiles of another array are not mistaken for them.
  tiles.SetSource(ReaderOf(Counting({2, 2})), TensorSlice(std::vector<int64_t>{2, 2}));
  EXPECT_EQ(tiles.Find(coarse), nullptr);
}

TEST(ValueTilesTest, NothingFiniteIsNoNumberAndChannelsArePlanes) {
  ValueTiles tiles;
  const evaluator::Tensor odd = FloatTensor({2, 2}, {kTensorModelsNan, kTensorModelsNan, kInfinity, kInfinity});
  tiles.SetSource(ReaderOf(odd), TensorSlice(odd.dimensions()));
  tiles.Want({{0, 1, 0, 0}});
  ASSERT_TRUE(WaitUntil([&] { return !tiles.busy(); }));
  const auto tile = tiles.Find({0, 1, 0, 0});
  EXPECT_TRUE(std::isnan(tile->cell(0, 0, 0).mean));
  EXPECT_TRUE(tile->cell(0, 0, 0).has_nan);
  EXPECT_FALSE(tile->cell(0, 0, 0).has_infinity);
  EXPECT_TRUE(tile->cell(0, 1, 0).has_infinity);
  EXPECT_FALSE(tile->cell(0, 1, 0).has_nan);

  TensorSlice slice(std::vector<int64_t>{2, 2, 3});
  slice.SetRowAxis(0);
  slice.SetColumnAxis(1);
  tiles.SetSource(ReaderOf(Counting({2, 2, 3})), slice, 2, 3);
  tiles.Want({{0, 0, 0, 0}});
  ASSERT_TRUE(WaitUntil([&] { return !tiles.busy(); }));
  EXPECT_EQ(tiles.Find({0, 0, 0, 0})->cell(2, 1, 1).mean, 11);
}

TEST(ValueTilesTest, AHundredMillionElementsNeverBlockTheEventLoop) {
  ValueTiles tiles;
  StallMeter meter;
  const evaluator::Tensor huge = Huge();
  tiles.SetSource(ReaderOf(huge), TensorSlice(huge.dimensions()));
  std::vector<TileKey> all;
  for (int64_t r = 0; r < 3; ++r) {
    for (int64_t c = 0; c < 3; ++c) all.push_back({5, 5, r, c});
  }
  tiles.Want(all);
  ASSERT_TRUE(WaitUntil([&] { return tiles.Find({5, 5, 0, 0}) != nullptr; }));
  // Another source drops what is not done.
  tiles.SetSource(ReaderOf(Counting({2, 2})), TensorSlice(std::vector<int64_t>{2, 2}));
  tiles.Want({{0, 0, 0, 0}});
  ASSERT_TRUE(WaitUntil([&] { return tiles.Find({0, 0, 0, 0}) != nullptr; }));
  EXPECT_LT(meter.longest_work_ms(), 250);
}

TEST(LineOfTest, LongLinesBecomeBands) {
  const evaluator::Tensor t = Counting({2, 10});
  const std::vector<TileCell> line = LineOf(*ReaderOf(t), {1, 2}, 1, 8, 4, kGoOn);
  ASSERT_EQ(line.size(), 4u);
  EXPECT_EQ(line[0].low, 12);
  EXPECT_EQ(line[3].high, 19);
  EXPECT_EQ(LineOf(*ReaderOf(Counting({})), {}, TensorSlice::kNoAxis, 1, 4, kGoOn).size(), 1u);
  const std::atomic<bool> cancelled{true};
  EXPECT_TRUE(LineOf(*ReaderOf(t), {0, 0}, 1, 8, 4, cancelled).empty());
}

TEST(ElementSearchTest, Conditions) {
  const auto accepts = [](const char* text, double value) {
    const auto condition = ReadElementCondition(QString::fromUtf8(text));
    EXPECT_TRUE(condition.ok()) << text;
    return condition.ok() && condition->Accepts(value);
  };
  EXPECT_TRUE(accepts("nan", kTensorModelsNan));
  EXPECT_TRUE(accepts(" Inf ", -kInfinity));
  EXPECT_TRUE(accepts("0.5", 0.5));
  EXPECT_TRUE(accepts("> 3", 4));
  EXPECT_FALSE(accepts("x>3", 3));
  EXPECT_TRUE(accepts(">=3", 3));
  EXPECT_TRUE(accepts("<= -1e-3", -1));
  EXPECT_TRUE(accepts("!= 0", kTensorModelsNan));
  EXPECT_TRUE(accepts("|x| > 100", -101));
  EXPECT_FALSE(accepts("|x| < 100", -101));
  EXPECT_EQ(ReadElementCondition(QStringLiteral("[3, 5]"))->index, (std::vector<int64_t>{3, 5}));
  EXPECT_TRUE(ReadElementCondition(QStringLiteral("[]"))->index.empty());
  for (const char* bad : {"", "what", "> ", "[3", "[a]", "|x|", "> nan"}) {
    EXPECT_FALSE(ReadElementCondition(QString::fromUtf8(bad)).ok()) << bad;
  }
}

TEST(ElementSearchTest, GoesRoundInBothDirections) {
  std::vector<float> values(3 * 9001, 0);
  values[5] = values[9001 + 7] = 1;
  const evaluator::Tensor t = FloatTensor({3, 9001}, values);
  const auto reader = ReaderOf(t);
  const ElementCondition one = *ReadElementCondition(QStringLiteral("1"));
  using Index = std::vector<int64_t>;
  EXPECT_EQ(FindElement(*reader, one, std::nullopt, false, kGoOn), Index({0, 5}));
  EXPECT_EQ(FindElement(*reader, one, Index({0, 5}), false, kGoOn), Index({1, 7}));
  EXPECT_EQ(FindElement(*reader, one, Index({1, 7}), false, kGoOn), Index({0, 5}));
  EXPECT_EQ(FindElement(*reader, one, Index({1, 7}), true, kGoOn), Index({0, 5}));
  EXPECT_EQ(FindElement(*reader, one, Index({0, 5}), true, kGoOn), Index({1, 7}));
  EXPECT_EQ(FindElement(*reader, *ReadElementCondition(QStringLiteral("2")), std::nullopt, false, kGoOn), std::nullopt);
  EXPECT_EQ(FindElement(*ReaderOf(Counting({0})), one, std::nullopt, false, kGoOn), std::nullopt);
  EXPECT_EQ(FindElement(*ReaderOf(Counting({})), *ReadElementCondition(QStringLiteral("0")), Index(), true, kGoOn),
            Index());
  const std::atomic<bool> cancelled{true};
  EXPECT_EQ(FindElement(*reader, one, std::nullopt, false, cancelled), std::nullopt);
}

TEST(TensorExportTest, CsvHasALineForEachRow) {
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("slice.csv"));
  TensorSlice slice(std::vector<int64_t>{2, 2, 3});
  slice.SetIndex(0, 1);
  ASSERT_TRUE(WriteCsv(path, *ReaderOf(Counting({2, 2, 3})), slice, kGoOn).ok());
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_EQ(file.readAll(), QByteArray("6,7,8\n9,10,11\n"));
  absl::StatusOr<evaluator::Tensor> complex = evaluator::Tensor::Zeros(ElementType::kC64, {1});
  ASSERT_TRUE(WriteCsv(path, *ReaderOf(*complex), TensorSlice(complex->dimensions()), kGoOn).ok());
  QFile quoted(path);
  ASSERT_TRUE(quoted.open(QIODevice::ReadOnly));
  EXPECT_EQ(quoted.readAll(), QByteArray("\"(0, 0)\"\n"));
  const absl::Status refused =
      WriteCsv(folder.filePath(QStringLiteral("no/such/place.csv")), *ReaderOf(Counting({2})), slice, kGoOn);
  EXPECT_EQ(refused.code(), absl::StatusCode::kUnavailable);
  const std::atomic<bool> cancelled{true};
  const evaluator::Tensor many = Counting({300, 300});
  EXPECT_EQ(WriteCsv(path, *ReaderOf(many), TensorSlice(many.dimensions()), cancelled).code(),
            absl::StatusCode::kCancelled);
  EXPECT_EQ(QFileInfo(path).size(), 9);  // the old file is as it was
}

TEST(BackgroundTaskTest, OnlyTheNewestRequestAnswers) {
  BackgroundTask task;
  std::vector<int> answers;
  std::vector<bool> busy;
  QObject::connect(&task, &BackgroundTask::BusyChanged, [&](bool now) { busy.push_back(now); });
  for (int i = 0; i < 20; ++i) {
    task.Start([&answers, i](const std::atomic<bool>& cancelled) -> BackgroundTask::Done {
      for (int k = 0; k < 50 && !cancelled; ++k) QThread::usleep(100);
      return [&answers, i] { answers.push_back(i); };
    });
  }
  ASSERT_TRUE(WaitUntil([&] { return !task.busy(); }));
  EXPECT_THAT(answers, ::testing::ElementsAre(19));
  EXPECT_THAT(busy, ::testing::ElementsAre(true, false));
  task.Start([](const std::atomic<bool>& cancelled) -> BackgroundTask::Done {
    while (!cancelled) QThread::usleep(100);
    return [] { ADD_FAILURE() << "cancelled work answered"; };
  });
  task.Cancel();
  EXPECT_FALSE(task.busy());
  WaitUntil([] { return false; }, 20);
}

TEST(HealthScanTest, TilesFindWhatOneLookFinds) {
  std::atomic<bool> cancelled{false};
  std::vector<float> values(3 * 50 * 70, 1.0F);
  const auto scan = [&](int64_t tile) {
    return FindNonFiniteInTiles(evaluator::Value(FloatTensor({3, 50, 70}, values)), tile, cancelled);
  };
  EXPECT_FALSE(scan(100).nan);
  for (const size_t at : {size_t{0}, size_t{5321}, values.size() - 1}) {
    values[at] = std::numeric_limits<float>::quiet_NaN();
    for (const int64_t tile : {1, 64, 1000, 1 << 20}) {
      EXPECT_TRUE(scan(tile).nan) << at << " " << tile;
      EXPECT_FALSE(scan(tile).infinity);
    }
    values[at] = 1;
  }
  values[9000] = -std::numeric_limits<float>::infinity();
  EXPECT_TRUE(scan(128).infinity);
  cancelled = true;
  EXPECT_FALSE(scan(128).infinity);
  EXPECT_FALSE(FindNonFiniteInTiles(evaluator::Value(), 128, cancelled).nan);
}

TEST(SliceReaderTest, ReadsAlongBothAxes) {
  TensorSlice slice(std::array<int64_t, 3>{2, 3, 4});
  slice.SetRowAxis(0);
  slice.SetColumnAxis(2);
  slice.SetIndex(1, 1);
  const auto reader = SliceReaderOf(ReaderOf(Counting({2, 3, 4})), slice);
  EXPECT_EQ(reader->element_count(), 8);
  double row[4];
  reader->Read(std::array<int64_t, 2>{1, 0}, 1, 4, row);
  EXPECT_EQ(row[0], 16);
  EXPECT_EQ(row[3], 19);
  double column[2];
  reader->Read(std::array<int64_t, 2>{0, 2}, 0, 2, column);
  EXPECT_EQ(column[0], 6);
  EXPECT_EQ(column[1], 18);
  EXPECT_EQ(reader->TextOf(std::array<int64_t, 2>{1, 3}), "19");
  // A vector has no columns, a scalar has neither.
  const auto vector = SliceReaderOf(ReaderOf(Counting({5})), TensorSlice(std::array<int64_t, 1>{5}));
  std::atomic<bool> cancelled{false};
  EXPECT_EQ(StatisticsOf(*vector, cancelled).summary.max, 4);
  const auto scalar = SliceReaderOf(ReaderOf(Counting({})), TensorSlice(absl::Span<const int64_t>()));
  EXPECT_EQ(StatisticsOf(*scalar, cancelled).summary.count, 1);
}

}  // namespace
}  // namespace hloscope::gui
