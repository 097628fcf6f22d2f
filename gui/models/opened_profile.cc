// SPDX-License-Identifier: Apache-2.0
#include "gui/models/opened_profile.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/print/quantity.h"
#include "gui/models/compared_profiles.h"
#include "gui/models/plurals.h"
#include "gui/models/text.h"
#include "interop/files/open_file.h"
#include "interop/profile/profile.h"

namespace hloscope::gui {
namespace {

constexpr double kSecondsPerPs = 1e-12;
// Events inside of that many others are not drawn: those around them are.
constexpr size_t kMostNested = 16;

struct ProfileText {
  Q_DECLARE_TR_FUNCTIONS(Profile)
};

QString TimeText(double ps) { return FormatSeconds(ps * kSecondsPerPs); }

QString LimitText(insight::TimeLimit limit) {
  switch (limit) {
    case insight::TimeLimit::kUnknown:
      return QString();
    case insight::TimeLimit::kMemory:
      return ProfileText::tr("memory");
    case insight::TimeLimit::kCompute:
      return ProfileText::tr("compute");
    case insight::TimeLimit::kLatency:
      return ProfileText::tr("latency");
    case insight::TimeLimit::kCommunication:
      return ProfileText::tr("communication");
  }
  return QString();
}

// Appends the events of one line, from `lane` on, and returns how many lanes they take.
uint32_t AddLane(const insight::ProfileAnalysis& analysis, const insight::TimelineLane& line, uint32_t lane,
                 TimeSpans* spans) {
  std::vector<uint32_t> order(line.events.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto end_of = [&](uint32_t i) { return line.events[i]->begin_ps + line.events[i]->duration_ps; };
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const int64_t begin_a = line.events[a]->begin_ps, begin_b = line.events[b]->begin_ps;
    return begin_a != begin_b ? begin_a < begin_b : end_of(a) > end_of(b);
  });
  std::vector<int64_t> open;  // ends of the events around
  size_t depth = 0;
  for (uint32_t i : order) {
    const interop::ProfileEvent& event = *line.events[i];
    if (event.occurrences > 1 || event.duration_ps < 0) continue;  // has no place in time
    while (!open.empty() && open.back() <= event.begin_ps) open.pop_back();
    if (open.size() < kMostNested) {
      TimeSpans::Span span;
      span.begin = static_cast<double>(event.begin_ps - analysis.begin_ps()) * kSecondsPerPs;
      span.end = span.begin + static_cast<double>(event.duration_ps) * kSecondsPerPs;
      span.lane = lane + static_cast<uint32_t>(open.size());
      const int32_t row = line.rows[i];
      if (row >= 0) {
        span.instruction = InstructionId(static_cast<uint32_t>(row));
        span.category = CategoryOf(analysis.OpcodeOf(analysis.instructions()[static_cast<size_t>(row)]));
      } else {
        span.category = NodeCategory::kUnknown;
        span.name = analysis.profile().planes[line.plane].metadata[event.metadata].name;
      }
      spans->spans.push_back(std::move(span));
    }
    open.push_back(end_of(i));
    depth = std::max(depth, std::min(open.size(), kMostNested));
  }
  return static_cast<uint32_t>(depth);
}

absl::StatusOr<std::shared_ptr<const insight::ProfileAnalysis>> AnalyseProfile(const QString& path,
                                                                               const insight::ProfileOptions& options,
                                                                               const std::atomic<bool>& cancelled) {
  const std::string name = QFile::encodeName(path).toStdString();
  const auto named = [&](const absl::Status& status) {
    return absl::Status(status.code(), absl::StrCat(name, ": ", status.message()));
  };
  absl::StatusOr<std::string> bytes = interop::ReadFileBytes(name);
  if (!bytes.ok()) return bytes.status();
  absl::StatusOr<interop::Profile> profile =
      interop::ReadProfile(std::make_shared<const std::string>(*std::move(bytes)));
  if (!profile.ok()) return named(profile.status());
  if (cancelled) return absl::CancelledError("cancelled");
  absl::StatusOr<insight::ProfileAnalysis> analysis =
      insight::ProfileAnalysis::Of(std::make_shared<const interop::Profile>(*std::move(profile)), options);
  if (!analysis.ok()) return named(analysis.status());
  if (cancelled) return absl::CancelledError("cancelled");
  return std::make_shared<const insight::ProfileAnalysis>(*std::move(analysis));
}

// Adds the self time and the executions of the document's instructions.
void AddTimes(const insight::ProfileAnalysis& analysis, const Module& module, std::vector<double>* seconds,
              std::vector<int64_t>* runs) {
  absl::flat_hash_map<absl::string_view, InstructionId> by_name;
  for (const insight::InstructionTime& row : analysis.instructions()) {
    if (analysis.programs()[row.program]->name() != module.name()) continue;
    if (by_name.empty()) {
      for (size_t i = 0; i < module.instruction_count(); ++i) {
        by_name.try_emplace(module.InstructionName(InstructionId(i)), InstructionId(i));
      }
    }
    const auto found = by_name.find(analysis.NameOf(row));
    if (found == by_name.end()) continue;
    seconds->resize(module.instruction_count(), 0);
    runs->resize(module.instruction_count(), 0);
    (*seconds)[found->second.index()] += static_cast<double>(row.self_ps) * kSecondsPerPs;
    (*runs)[found->second.index()] += row.executions;
  }
}

}  // namespace

absl::Status AddDevicesOf(const QString& path, insight::DeviceTable* devices) {
  const std::string name = QFile::encodeName(path).toStdString();
  const absl::StatusOr<std::string> text = interop::ReadFileBytes(name);
  return text.ok() ? devices->Add(*text, name) : text.status();
}

bool IsProfileName(const QString& path) {
  return path.endsWith(QLatin1String(".xplane.pb")) || path.endsWith(QLatin1String(".xplane.pb.gz"));
}

absl::StatusOr<OpenedProfile> OpenProfile(const ProfileRequest& request, const std::atomic<bool>& cancelled) {
  insight::ProfileOptions options;
  options.device = request.device.toStdString();
  options.devices = request.devices;
  options.document = request.document;
  if (request.program >= 0) options.module = absl::StrCat(request.program);
  absl::StatusOr<std::shared_ptr<const insight::ProfileAnalysis>> analysis =
      AnalyseProfile(request.path, options, cancelled);
  if (!analysis.ok()) return analysis.status();
  OpenedProfile opened;
  opened.path = request.path;
  opened.analysis = *std::move(analysis);
  opened.lanes = std::make_shared<const TimeSpans>(SpansOfProfile(*opened.analysis));
  if (request.before_path.isEmpty()) return opened;
  options.module = request.program >= 0 ? request.program_name.toStdString() : std::string();
  absl::StatusOr<std::shared_ptr<const insight::ProfileAnalysis>> before =
      AnalyseProfile(request.before_path, options, cancelled);
  if (!before.ok()) return before.status();
  opened.before_path = request.before_path;
  opened.before = *std::move(before);
  opened.compared = std::make_shared<const std::vector<insight::ComparedTime>>(
      insight::CompareProfiles(*opened.before, *opened.analysis));
  return opened;
}

TimeSpans SpansOfProfile(const insight::ProfileAnalysis& analysis) {
  TimeSpans spans;
  spans.measured = true;
  uint32_t lane = 0;
  for (const insight::TimelineLane& line : analysis.lanes()) {
    spans.lane_names.resize(lane + 1);
    spans.lane_names[lane++] = line.name;
    lane += AddLane(analysis, line, lane, &spans);
  }
  spans.Arrange();
  return spans;
}

QString OpenedProfile::Summary() const {
  const insight::ProfileAnalysis& a = *analysis;
  const double share =
      a.total_ps() > 0 ? 100 * static_cast<double>(a.attributed_ps()) / static_cast<double>(a.total_ps()) : 0;
  QString text = ProfileText::tr("%1: %2 event(s), ", nullptr, ForPlural(static_cast<size_t>(a.events())))
                     .arg(QFileInfo(path).fileName(), FormatCount(a.events())) +
                 ProfileText::tr("%1, %2 % of it in instructions. ")
                     .arg(TimeText(static_cast<double>(a.total_ps())))
                     .arg(share, 0, 'f', 1);
  if (a.device().name.empty()) {
    text += ProfileText::tr("The device is not in the table: nothing is known about its limits.");
  } else {
    text += ProfileText::tr("%1, at most %2.")
                .arg(ToQString(a.device().name), ToQString(ByteRateText(a.device().bytes_per_second)));
  }
  if (before != nullptr) {
    text += ProfileText::tr(" Compared with %1: %2 there (%3).")
                .arg(QFileInfo(before_path).fileName(), TimeText(static_cast<double>(before->total_ps())),
                     TimesAsLong(static_cast<double>(before->total_ps()), static_cast<double>(a.total_ps())));
  }
  if (const qsizetype problems = Problems().size(); problems > 0) {
    text += ProfileText::tr(" %n kind(s) of data could not be used: see \"Left over\".", nullptr,
                            static_cast<int>(problems));
  }
  return text;
}

QStringList OpenedProfile::Problems() const {
  QStringList lines;
  for (const auto& [problem, count] : analysis->profile().problems) {
    lines << QStringLiteral("%1: %2").arg(ToQString(problem), FormatCount(count));
  }
  for (const auto& program : analysis->programs()) {
    if (!program->problem().empty()) {
      lines << QStringLiteral("%1: %2").arg(ToQString(program->name()), ToQString(program->problem()));
    } else if (!program->has_module()) {
      lines << ProfileText::tr("%1: the profile has no module of this program").arg(ToQString(program->name()));
    }
  }
  for (const std::string& error : analysis->profile().errors) lines << ToQString(error);
  for (const std::string& warning : analysis->profile().warnings) lines << ToQString(warning);
  return lines;
}

ProfiledTimes TimesIn(const OpenedProfile& profile, std::shared_ptr<const Document> document) {
  ProfiledTimes times;
  times.document = std::move(document);
  if (times.document == nullptr) return times;
  times.total = static_cast<double>(profile.analysis->total_ps()) * kSecondsPerPs;
  AddTimes(*profile.analysis, times.document->module(), &times.seconds, &times.runs);
  if (profile.before == nullptr || times.seconds.empty()) return times;
  std::vector<int64_t> runs;
  AddTimes(*profile.before, times.document->module(), &times.before, &runs);
  times.before.resize(times.seconds.size(), 0);
  for (size_t i = 0; i < runs.size(); ++i) {
    if (runs[i] > 1) times.before[i] /= static_cast<double>(runs[i]);
  }
  return times;
}

void ProfileOverlay::Set(ProfiledTimes times) {
  times_ = std::move(times);
  Q_EMIT Changed();
}

const std::vector<double>& ProfileOverlay::SecondsOf(const Document* document) const {
  static const std::vector<double> kNothing;
  return document != nullptr && times_.document.get() == document ? times_.seconds : kNothing;
}

QString ProfileOverlay::TextOf(const Document* document, InstructionId id) const {
  const std::vector<double>& seconds = SecondsOf(document);
  if (id.index() >= seconds.size() || times_.runs[id.index()] == 0) return QString();
  const double share = times_.total > 0 ? seconds[id.index()] / times_.total * 100 : 0;
  const int64_t runs = times_.runs[id.index()];
  QString time = FormatSeconds(seconds[id.index()]);
  if (!times_.before.empty()) {
    // First: the ends of lines may have little room.
    const double before = times_.before[id.index()];
    time += before <= 0
                ? tr(", new")
                : tr(", ×%1 of before").arg(seconds[id.index()] / static_cast<double>(runs) / before, 0, 'f', 2);
  }
  return tr("%1, %2 %, %3 run(s)", nullptr, ForPlural(static_cast<size_t>(runs)))
      .arg(time)
      .arg(share, 0, 'f', 1)
      .arg(FormatCount(runs));
}

void ProfileTableModel::Show(std::shared_ptr<const insight::ProfileAnalysis> analysis) {
  beginResetModel();
  analysis_ = std::move(analysis);
  endResetModel();
}

int ProfileTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || analysis_ == nullptr ? 0 : static_cast<int>(analysis_->instructions().size());
}

int ProfileTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumnCount; }

QVariant ProfileTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || analysis_ == nullptr) return QVariant();
  const bool is_text = index.column() == kInstruction || index.column() == kOpcode || index.column() == kBound ||
                       index.column() == kModule;
  if (role == Qt::TextAlignmentRole && !is_text) return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != kSortRole) return QVariant();
  const bool sort = role == kSortRole;
  const insight::InstructionTime& row = analysis_->instructions()[static_cast<size_t>(index.row())];
  const auto self = static_cast<double>(row.self_ps), runs = static_cast<double>(row.executions);
  const auto time = [sort](double ps) { return sort ? QVariant(ps) : ps > 0 ? TimeText(ps) : QVariant(QString()); };
  const double share = analysis_->total_ps() > 0 ? self / static_cast<double>(analysis_->total_ps()) : 0;
  const double seconds = self * kSecondsPerPs;
  const double flops = seconds > 0 ? static_cast<double>(row.flops) * runs / seconds : 0;
  const double bytes = seconds > 0 ? static_cast<double>(row.bytes) * runs / seconds : 0;
  switch (static_cast<Column>(index.column())) {
    case kInstruction:
      return ToQString(analysis_->NameOf(row));
    case kOpcode:
      return ToQString(OpcodeName(analysis_->OpcodeOf(row)));
    case kGain:
      return time(row.gain_ps);
    case kTime:
      return time(self);
    case kShare:
      return sort ? QVariant(share) : QStringLiteral("%1 %").arg(share * 100, 0, 'f', 1);
    case kRuns:
      return sort ? QVariant(static_cast<qlonglong>(row.executions)) : FormatCount(row.executions);
    case kOneRun:
      return time(runs > 0 ? self / runs : 0);
    case kLimit:
      return time(row.limit_ps);
    case kBound:
      return LimitText(row.limit);
    case kFlopRate:
      return sort ? QVariant(flops) : flops > 0 ? ToQString(FlopRateText(flops)) : QString();
    case kByteRate:
      return sort ? QVariant(bytes) : bytes > 0 ? ToQString(ByteRateText(bytes)) : QString();
    case kModule:
      return ToQString(analysis_->programs()[row.program]->name());
    case kColumnCount:
      break;
  }
  return QVariant();
}

QVariant ProfileTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return QVariant();
  const QString titles[] = {tr("Instruction"), tr("Opcode"), tr("To gain"),  tr("Time"),   tr("Share"), tr("Runs"),
                            tr("One run"),     tr("Limit"),  tr("Bound by"), tr("FLOP/s"), tr("B/s"),   tr("Module")};
  return titles[section];
}

}  // namespace hloscope::gui
