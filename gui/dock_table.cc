// SPDX-License-Identifier: Apache-2.0
#include "gui/dock_table.h"

#include <QCoreApplication>

#include "gui/panels/bookmarks_panel.h"
#include "gui/panels/breakpoints_panel.h"
#include "gui/panels/broadcast_panel.h"
#include "gui/panels/changes_panel.h"
#include "gui/panels/computations_panel.h"
#include "gui/panels/diagnostics_panel.h"
#include "gui/panels/dump_panel.h"
#include "gui/panels/frames_panel.h"
#include "gui/panels/layout_panel.h"
#include "gui/panels/memory_panel.h"
#include "gui/panels/passes_panel.h"
#include "gui/panels/profile_panel.h"
#include "gui/panels/program_panel.h"
#include "gui/panels/properties_panel.h"
#include "gui/panels/sharding_panel.h"
#include "gui/panels/tensor_panel.h"
#include "gui/panels/timeline_panel.h"

namespace hloscope::gui {
namespace {

QWidget* WithWorkspace(const PanelContext& context) { return new BookmarksPanel(context.selection, context.workspace); }

QWidget* WithFile(const PanelContext& context) { return new MemoryPanel(context.selection, context.workspace); }

QWidget* WithProfile(const PanelContext& context) { return new ProfilePanel(context.selection, context.profile); }

template <typename Panel>
QWidget* WithSelection(const PanelContext& context) {
  return new Panel(context.selection);
}

template <typename Panel>
QWidget* WithNothing(const PanelContext&) {
  return new Panel;
}

template <typename Panel>
QWidget* WithSession(const PanelContext& context) {
  return new Panel(context.selection, context.session);
}

constexpr Qt::DockWidgetArea kLeft = Qt::LeftDockWidgetArea;
constexpr Qt::DockWidgetArea kRight = Qt::RightDockWidgetArea;
constexpr Qt::DockWidgetArea kBottom = Qt::BottomDockWidgetArea;

constexpr DockRow kRows[] = {
    // clang-format off
    {"computations", QT_TRANSLATE_NOOP("DockTable", "Computations"), kLeft, nullptr, true, WithSession<ComputationsPanel>},
    {"frames", QT_TRANSLATE_NOOP("DockTable", "Run"), kLeft, nullptr, true, WithSession<FramesPanel>},
    {"breakpoints", QT_TRANSLATE_NOOP("DockTable", "Breakpoints"), kLeft, "frames", true, WithSession<BreakpointsPanel>},
    {"properties", QT_TRANSLATE_NOOP("DockTable", "Properties"), kRight, nullptr, true, WithSession<PropertiesPanel>},
    {"value", QT_TRANSLATE_NOOP("DockTable", "Value"), kRight, nullptr, true, WithSession<TensorPanel>},
    // Hidden until there is something to say.
    {"diagnostics", QT_TRANSLATE_NOOP("DockTable", "Diagnostics"), kBottom, nullptr, false, WithSelection<DiagnosticsPanel>},
    {"timeline", QT_TRANSLATE_NOOP("DockTable", "Timeline"), kBottom, "diagnostics", false, WithSession<TimelinePanel>},
    {"memory", QT_TRANSLATE_NOOP("DockTable", "Memory"), kBottom, "diagnostics", false, WithFile},
    {"profile", QT_TRANSLATE_NOOP("DockTable", "Profile"), kBottom, "diagnostics", false, WithProfile},
    {"changes", QT_TRANSLATE_NOOP("DockTable", "Differences and rewrites"), kBottom, "diagnostics", false, WithSession<ChangesPanel>},
    {"index_map", QT_TRANSLATE_NOOP("DockTable", "Index map"), kBottom, "diagnostics", false, WithSession<BroadcastPanel>},
    {"sharding", QT_TRANSLATE_NOOP("DockTable", "Devices"), kBottom, "diagnostics", false, WithSession<ShardingPanel>},
    {"layout", QT_TRANSLATE_NOOP("DockTable", "Layout"), kBottom, "diagnostics", false, WithSelection<LayoutPanel>},
    {"program", QT_TRANSLATE_NOOP("DockTable", "Program"), kRight, "properties", false, WithSession<ProgramPanel>},
    {"bookmarks", QT_TRANSLATE_NOOP("DockTable", "Bookmarks"), kLeft, "frames", false, WithWorkspace},
    {"dump", QT_TRANSLATE_NOOP("DockTable", "Dump folder"), kBottom, "diagnostics", false, WithNothing<DumpPanel>},
    {"passes", QT_TRANSLATE_NOOP("DockTable", "Passes"), kBottom, "diagnostics", false, WithSelection<PassesPanel>},
    // clang-format on
};

}  // namespace

absl::Span<const DockRow> DockTable() { return kRows; }

QString DockTitle(const DockRow& row) { return QCoreApplication::translate("DockTable", row.title); }

}  // namespace hloscope::gui
