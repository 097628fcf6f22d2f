// SPDX-License-Identifier: Apache-2.0
// Two profiles beside each other: what takes longer or shorter now, by instruction and summed by what they belong to.
#ifndef HLOSCOPE_GUI_MODELS_COMPARED_PROFILES_H_
#define HLOSCOPE_GUI_MODELS_COMPARED_PROFILES_H_

#include <QAbstractTableModel>
#include <QString>
#include <cstdint>
#include <memory>
#include <vector>

#include "gui/models/opened_profile.h"
#include "insight/profile/analysis.h"

namespace hloscope::gui {

enum class ProfileGrouping { kOpcode, kSourceLine, kScope, kProgram, kLane };

struct ProfileGroup {
  QString name;
  double seconds = 0;         // without what is inside; a lane: while it is busy
  double before_seconds = 0;  // in the profile that is compared with
  int64_t events = 0;         // of the opened profile, as what follows
  double flops = 0, bytes = 0;
};
// Most time first; what only the other profile has at the end.
std::vector<ProfileGroup> GroupsOf(const OpenedProfile& profile, ProfileGrouping by);

// "×1.25"; "gone" and "new" for what only one of them has; empty if neither has it.
QString TimesAsLong(double before, double after);

// The instructions of two profiles, one a row.
class ComparedProfilesModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column {
    kInstruction,
    kChange,  // of all runs
    kBefore,  // one run
    kAfter,
    kFactor,
    kAllBefore,
    kAllAfter,
    kModule,
    kColumnCount
  };
  static constexpr int kSortRole = Qt::UserRole;
  using QAbstractTableModel::QAbstractTableModel;

  void Show(std::shared_ptr<const std::vector<insight::ComparedTime>> rows);
  const insight::ComparedTime& RowAt(int row) const { return (*rows_)[static_cast<size_t>(row)]; }
  int rowCount(const QModelIndex& parent = QModelIndex()) const override;
  int columnCount(const QModelIndex& parent = QModelIndex()) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::shared_ptr<const std::vector<insight::ComparedTime>> rows_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_COMPARED_PROFILES_H_
