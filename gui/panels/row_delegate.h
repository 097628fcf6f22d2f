// SPDX-License-Identifier: Apache-2.0
// Rows with a little air: lists of names are easier to read and to hit.
#ifndef HLOSCOPE_GUI_PANELS_ROW_DELEGATE_H_
#define HLOSCOPE_GUI_PANELS_ROW_DELEGATE_H_

#include <QStyledItemDelegate>

namespace hloscope::gui {

// A delegate and not a style sheet, because widgets below a style sheet do not follow a change of the palette.
class RowDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(0, 4);
  }
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_PANELS_ROW_DELEGATE_H_
