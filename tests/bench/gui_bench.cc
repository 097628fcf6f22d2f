// SPDX-License-Identifier: Apache-2.0
// The graph panel on the largest module: layout, opening, painting, memory. Without a display, in the raster renderer.
#include <sys/resource.h>
#include <unistd.h>

#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <optional>
#include <utility>

#include "gui/main_window.h"
#include "tests/bench/bench.h"
#include "tests/gui/stall_meter.h"
#include "tests/support/shared_files.h"

namespace hloscope::bench {
namespace {

constexpr char kLargest[] = "xla-benchmarks/hlo_mixtral_8x7b_bf16_2x8.hlo";

bool WaitFor(const std::function<bool()>& condition) {
  QElapsedTimer clock;
  clock.start();
  while (!condition() && clock.elapsed() < 60'000) {
    QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 5);
  }
  return condition();
}

double ProcessorSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double ResidentMegabytes() {
  std::ifstream file("/proc/self/statm");
  double pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

// Frames a second while the canvas is dragged about, in processor time: other programs on the machine do not count.
double FrameRate(gui::GraphCanvas* canvas) {
  QImage frame(canvas->size(), QImage::Format_RGB32);
  const QPointF middle = canvas->visible().center();
  const double step = 3 / canvas->scale();
  constexpr int kFrames = 40;
  canvas->render(&frame);
  const double begin = ProcessorSeconds();
  for (int i = 0; i < kFrames; ++i) {
    canvas->CenterOn(middle + QPointF(step * (i % 10), step * (i % 7)), canvas->scale());
    canvas->render(&frame);
  }
  return kFrames / (ProcessorSeconds() - begin);
}

// The scale at which about `count` boxes are in view.
void ShowBoxes(gui::GraphCanvas* canvas, size_t count) {
  double low = gui::GraphCanvas::kMinScale, high = 2;
  // Around a box somewhere in the middle: between columns there is nothing.
  const QPointF middle = canvas->graph().rect(static_cast<uint32_t>(canvas->graph().rects().size() / 2)).center();
  std::vector<uint32_t> boxes;
  for (int i = 0; i < 24; ++i) {
    const double scale = std::sqrt(low * high);
    canvas->CenterOn(middle, scale);
    canvas->graph().FindBoxes(canvas->visible(), &boxes);
    (boxes.size() > count ? low : high) = scale;
  }
}

// Milliseconds of processor time for each frame of a zoom from everything to one box, twice as near every eight frames.
std::vector<double> ZoomFrames(gui::GraphCanvas* canvas) {
  QImage frame(canvas->size(), QImage::Format_RGB32);
  canvas->FitAll();
  const QPointF target = canvas->graph().rect(static_cast<uint32_t>(canvas->graph().rects().size() / 2)).center();
  std::vector<double> times;
  for (double scale = canvas->scale(); scale < 2; scale *= std::exp2(0.125)) {
    canvas->CenterOn(target, scale);
    const double begin = ProcessorSeconds();
    canvas->render(&frame);
    times.push_back((ProcessorSeconds() - begin) * 1e3);
  }
  std::sort(times.begin(), times.end());
  return times;
}

}  // namespace

void BenchGui(Report& report) {
  report.Section("gui: the module of 43 700 instructions, raster renderer");
  const std::string path = CorpusFile(kLargest);
  if (path.empty()) return report.Note("the corpus is not beside this checkout");
  qputenv("QT_QPA_PLATFORM", "offscreen");
  int argc = 1;
  char name[] = "hloscope_bench";
  char* argv[] = {name, nullptr};
  QApplication app(argc, argv);
  QTemporaryDir settings;
  QSettings::setDefaultFormat(QSettings::IniFormat);
  QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());

  const double before = ResidentMegabytes();
  QElapsedTimer clock;
  clock.start();
  gui::MainWindow window;
  window.resize(1920, 1080);
  window.show();
  QCoreApplication::processEvents();
  // Of processor time of this thread: what a user would feel on a machine that does nothing else.
  std::optional<gui::StallMeter> stalls(std::in_place);
  window.Open(QString::fromStdString(path));
  gui::GraphPane* pane = window.graph_pane();
  gui::GraphCanvas* canvas = pane->canvas();
  if (!WaitFor([&] { return !pane->graph().empty() && !pane->laying_out(); })) return report.Note("no graph");
  window.grab();
  report.Figure("window with an overview", static_cast<double>(clock.nsecsElapsed()) * 1e-6, "ms", 1000, false);
  report.Figure("longest work of the UI thread while it opens", stalls->longest_work_ms(), "ms", 100, false);
  stalls.reset();

  // Opening the largest closed group.
  uint32_t group = gui::VisibleGraph::kNone;
  for (uint32_t i = 0; i < pane->graph().boxes.size(); ++i) {
    const gui::VisibleGraph::Box& box = pane->graph().boxes[i];
    if (!box.openable || box.inside != gui::VisibleGraph::kNone) continue;
    if (group == gui::VisibleGraph::kNone || box.members > pane->graph().boxes[group].members) group = i;
  }
  if (group != gui::VisibleGraph::kNone) {
    clock.start();
    pane->Toggle(group);
    WaitFor([&] { return !pane->laying_out(); });
    canvas->grab();
    report.Figure("opening the largest group", static_cast<double>(clock.nsecsElapsed()) * 1e-6, "ms", 150, false);
  }

  pane->SetScope(gui::GraphPane::Scope::kWhole);
  WaitFor([&] { return !pane->laying_out(); });
  const gui::VisibleGraph& flat = pane->graph();
  std::vector<gui::FlowSize> sizes;
  std::vector<gui::FlowEdge> edges;
  std::vector<uint32_t> identities;
  for (uint32_t i = 0; i < flat.boxes.size(); ++i) {
    sizes.push_back(
        {static_cast<float>(canvas->graph().rect(i).width()), static_cast<float>(canvas->graph().rect(i).height())});
    identities.push_back(static_cast<uint32_t>(flat.boxes[i].key));
  }
  for (const gui::VisibleGraph::Edge& edge : flat.edges) edges.push_back({edge.from, edge.to});
  const double layout = MedianSeconds(9, [&] { gui::LayOutFlow(sizes, edges, identities); });
  report.Figure("layout of the flat entry computation", layout * 1e3, "ms", 100, false);

  // The same with an instruction more, in the middle of the program.
  const gui::FlowLayout unedited = gui::LayOutFlow(sizes, edges, identities);
  std::vector<uint32_t> former(sizes.size());
  std::iota(former.begin(), former.end(), 0u);
  const auto middle = static_cast<uint32_t>(sizes.size() / 2);
  former.insert(former.begin() + middle, gui::kNoFlowBox);
  sizes.insert(sizes.begin() + middle, gui::FlowSize{100, 32});
  for (gui::FlowEdge& edge : edges) {
    edge.from += edge.from >= middle;
    edge.to += edge.to >= middle;
  }
  edges.push_back({middle - 1, middle});
  const double update = MedianSeconds(9, [&] { gui::UpdateFlow(unedited, former, sizes, edges); });
  report.Figure("layout after an instruction was added", update * 1e3, "ms", 100, false);

  ShowBoxes(canvas, 5000);
  report.Figure("panning with 5 000 boxes in view", FrameRate(canvas), "frames/s", 60, true);
  canvas->FitAll();
  report.Figure("panning with everything in view", FrameRate(canvas), "frames/s", 60, true);
  // Names are placed for each frame: where there is least room, for the most that have to be seen.
  pane->search()->setText(QStringLiteral("opcode:dot"));
  report.Figure("panning with everything in view and names of what was found", FrameRate(canvas), "frames/s", 60, true);
  pane->search()->clear();
  ShowBoxes(canvas, 150);
  report.Figure("panning where texts can be read", FrameRate(canvas), "frames/s", 60, true);
  const std::vector<double> zoom = ZoomFrames(canvas);
  report.Figure("zooming in from everything, median frame", zoom[zoom.size() / 2], "ms", 16, false);
  report.Figure("zooming in from everything, slowest frame", zoom.back(), "ms", 33, false);
  report.Figure("memory of the window", ResidentMegabytes() - before, "MB", 400, false);

  pane->SetScope(gui::GraphPane::Scope::kGroups);
  WaitFor([&] { return !pane->laying_out(); });
  stalls.emplace();
  const Module& module = window.selection()->document()->module();
  const std::vector<InstructionId>& all = module.computation(module.entry()).instructions;
  for (size_t i = 0; i < all.size(); i += all.size() / 20) {
    window.selection()->SelectInstruction(all[i]);
    WaitFor([&] { return !pane->laying_out(); });
  }
  report.Figure("longest work of the UI thread while one walks about", stalls->longest_work_ms(), "ms", 100, false);
}

}  // namespace hloscope::bench
