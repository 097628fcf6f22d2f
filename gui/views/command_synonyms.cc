// SPDX-License-Identifier: Apache-2.0
#include "gui/views/command_synonyms.h"

#include <QCoreApplication>

namespace hloscope::gui {
namespace {

struct Synonyms {
  const char* name;
  const char* words;
};
constexpr Synonyms kSynonyms[] = {
    {"show_computations", QT_TRANSLATE_NOOP("Synonyms", "functions outline search list")},
    {"show_frames", QT_TRANSLATE_NOOP("Synonyms", "call stack callstack frames iteration")},
    {"show_breakpoints", QT_TRANSLATE_NOOP("Synonyms", "watches watch expression condition")},
    {"show_properties", QT_TRANSLATE_NOOP("Synonyms", "details attributes metadata shape info help documentation")},
    {"show_value", QT_TRANSLATE_NOOP("Synonyms", "tensor array numbers heat map image plot histogram nan")},
    {"show_diagnostics", QT_TRANSLATE_NOOP("Synonyms", "problems errors warnings")},
    {"show_timeline", QT_TRANSLATE_NOOP("Synonyms", "performance flame trace lanes executed")},
    {"show_memory", QT_TRANSLATE_NOOP("Synonyms", "peak live buffers allocation out of memory oom donation lifetime")},
    {"show_profile",
     QT_TRANSLATE_NOOP("Synonyms", "profiler xplane xprof tensorboard roofline hot measured performance")},
    {"show_changes", QT_TRANSLATE_NOOP("Synonyms", "diff compare comparison optimise optimize transform passes")},
    {"show_index_map", QT_TRANSLATE_NOOP("Synonyms", "broadcast broadcasting dimensions elements dot transpose")},
    {"show_sharding", QT_TRANSLATE_NOOP("Synonyms", "mesh partition replica spmd sharding")},
    {"show_layout", QT_TRANSLATE_NOOP("Synonyms", "tiling tiles tile padding memory minor_to_major stride")},
    {"show_program", QT_TRANSLATE_NOOP("Synonyms", "stablehlo mlir source jax")},
    {"show_bookmarks", QT_TRANSLATE_NOOP("Synonyms", "notes marks favourites favorites comments")},
    {"bookmark", QT_TRANSLATE_NOOP("Synonyms", "note mark remember favourite favorite")},
    {"copy_view_line", QT_TRANSLATE_NOOP("Synonyms", "link share command line place reopen")},
    {"show_dump", QT_TRANSLATE_NOOP("Synonyms", "xla_dump_to directory passes stages folder")},
    {"show_passes", QT_TRANSLATE_NOOP("Synonyms", "pass viewer pipeline stages optimisation optimization follow diff")},
    {"run", QT_TRANSLATE_NOOP("Synonyms", "start go execute play continue debug evaluate")},
    {"pause", QT_TRANSLATE_NOOP("Synonyms", "break interrupt halt")},
    {"stop", QT_TRANSLATE_NOOP("Synonyms", "end kill terminate quit cancel")},
    {"step_over", QT_TRANSLATE_NOOP("Synonyms", "next line forward")},
    {"step_into", QT_TRANSLATE_NOOP("Synonyms", "enter element inside")},
    {"step_out", QT_TRANSLATE_NOOP("Synonyms", "finish return leave")},
    {"step_back", QT_TRANSLATE_NOOP("Synonyms", "previous undo reverse backwards")},
    {"reverse", QT_TRANSLATE_NOOP("Synonyms", "rewind backwards back")},
    {"run_to_nan", QT_TRANSLATE_NOOP("Synonyms", "not a number infinity inf non-finite")},
    {"arguments", QT_TRANSLATE_NOOP("Synonyms", "inputs parameters npy fill random seed")},
    {"preferences", QT_TRANSLATE_NOOP("Synonyms", "settings options configuration theme dark font")},
    {"find", QT_TRANSLATE_NOOP("Synonyms", "grep regular expression replace")},
    {"search", QT_TRANSLATE_NOOP("Synonyms", "go to symbol jump name opcode")},
    {"go_to_line", QT_TRANSLATE_NOOP("Synonyms", "jump number")},
    {"definition", QT_TRANSLATE_NOOP("Synonyms", "declaration jump follow")},
    {"reset_panels", QT_TRANSLATE_NOOP("Synonyms", "default layout docks windows restore")},
    {"open_session", QT_TRANSLATE_NOOP("Synonyms", "workspace project restore state load")},
    {"save_session", QT_TRANSLATE_NOOP("Synonyms", "workspace project keep state")},
    {"copy_markdown", QT_TRANSLATE_NOOP("Synonyms", "mermaid bug report issue share diagram github")},
    {"export_panel", QT_TRANSLATE_NOOP("Synonyms", "picture image screenshot svg pdf png html page save print")},
    {"signature", QT_TRANSLATE_NOOP("Synonyms", "parameters arguments help hint")},
    {"enlarge_panel", QT_TRANSLATE_NOOP("Synonyms", "maximise maximize full screen large zoom")},
};

}  // namespace

QString SynonymsOf(const QString& action) {
  for (const Synonyms& row : kSynonyms) {
    if (action != QLatin1String(row.name)) continue;
    const QString words = QCoreApplication::translate("Synonyms", row.words);
    return action.startsWith(QLatin1String("show_")) ? words + QCoreApplication::translate("Synonyms", " panel view")
                                                     : words;
  }
  return QString();
}

}  // namespace hloscope::gui
