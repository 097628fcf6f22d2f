// SPDX-License-Identifier: Apache-2.0
// A profile that was measured on a device, for the profile panel: times of the instructions of its programs, and its
// events in lanes.
#ifndef HLOSCOPE_GUI_MODELS_OPENED_PROFILE_H_
#define HLOSCOPE_GUI_MODELS_OPENED_PROFILE_H_

#include <QAbstractTableModel>
#include <QObject>
#include <QString>
#include <QStringList>
#include <atomic>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "core/document/document.h"
#include "gui/models/time_spans.h"
#include "insight/profile/analysis.h"

namespace hloscope::gui {

struct OpenedProfile {
  QString path;
  std::shared_ptr<const insight::ProfileAnalysis> analysis;
  // Another profile to compare with, and the instructions of both; null: there is none.
  QString before_path;
  std::shared_ptr<const insight::ProfileAnalysis> before;
  std::shared_ptr<const std::vector<insight::ComparedTime>> compared;
  // Events by device, line and depth. The instruction of a span is a row of the analysis, not one of a module.
  std::shared_ptr<const TimeSpans> lanes;

  // "78 events, 4.48 ms, 80.1 % of the time in instructions; MI300X, 5.30 TB/s".
  QString Summary() const;
  // Everything that could not be used, and why: a line each.
  QStringList Problems() const;
};

// What is wanted of a file.
struct ProfileRequest {
  QString path;
  QString before_path;  // of a profile to compare with; empty: none
  insight::DeviceTable devices;
  QString device;                            // a name of the table; empty: what the profile says
  int64_t program = -1;                      // only the events of the program with this id; below 0: of all
  QString program_name;                      // its name, for the other profile, where ids are others
  std::shared_ptr<const Document> document;  // for programs that the profile has without a module; may be null
};
// Errors: those of reading; the file holds no profile; it has no such device or program; Cancelled.
absl::StatusOr<OpenedProfile> OpenProfile(const ProfileRequest& request, const std::atomic<bool>& cancelled);
// Adds the rows of a user's table. Errors: those of reading; InvalidArgument with the line.
absl::Status AddDevicesOf(const QString& path, insight::DeviceTable* devices);
// Whether files of this name are profiles.
bool IsProfileName(const QString& path);

// The analysis's events in lanes; those inside of others lie below them.
TimeSpans SpansOfProfile(const insight::ProfileAnalysis& analysis);

// Measured times of the instructions of one document.
struct ProfiledTimes {
  std::shared_ptr<const Document> document;
  std::vector<double> seconds;  // by instruction: all runs, without what is inside; empty: nothing of it was measured
  std::vector<int64_t> runs;
  double total = 0;  // of the whole profile
  // Seconds of one run in the profile that is compared with; empty: there is none.
  std::vector<double> before;
};
// By name, in the programs of the profile that have the name of the document's module.
ProfiledTimes TimesIn(const OpenedProfile& profile, std::shared_ptr<const Document> document);

// What the views of a window show of a profile. Lives on the main thread.
class ProfileOverlay : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;
  void Set(ProfiledTimes times);
  // Seconds of the document's instructions; empty if nothing of it was measured.
  const std::vector<double>& SecondsOf(const Document* document) const;
  // "12.3 µs, 4.5 %, 5 runs", or where two profiles are compared "12.3 µs, ×1.25 of before, ..."; empty: it was not
  // measured.
  QString TextOf(const Document* document, InstructionId id) const;

 Q_SIGNALS:
  void Changed();

 private:
  ProfiledTimes times_;
};

// The instructions of a profile, one a row.
class ProfileTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column {
    kInstruction,
    kOpcode,
    kGain,
    kTime,
    kShare,
    kRuns,
    kOneRun,
    kLimit,
    kBound,
    kFlopRate,
    kByteRate,
    kModule,
    kColumnCount
  };
  static constexpr int kSortRole = Qt::UserRole;
  using QAbstractTableModel::QAbstractTableModel;

  void Show(std::shared_ptr<const insight::ProfileAnalysis> analysis);
  int rowCount(const QModelIndex& parent = QModelIndex()) const override;
  int columnCount(const QModelIndex& parent = QModelIndex()) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::shared_ptr<const insight::ProfileAnalysis> analysis_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_OPENED_PROFILE_H_
