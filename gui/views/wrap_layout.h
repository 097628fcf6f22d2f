// SPDX-License-Identifier: Apache-2.0
// Widgets in rows, as many in each as fit: for bars of controls in docks of any width.
#ifndef HLOSCOPE_GUI_VIEWS_WRAP_LAYOUT_H_
#define HLOSCOPE_GUI_VIEWS_WRAP_LAYOUT_H_

#include <QLayout>
#include <QList>

namespace hloscope::gui {

class WrapLayout : public QLayout {
  Q_OBJECT

 public:
  explicit WrapLayout(QWidget* parent = nullptr, int spacing = 4);
  ~WrapLayout() override;

  void addItem(QLayoutItem* item) override { items_.append(item); }
  int count() const override { return static_cast<int>(items_.size()); }
  QLayoutItem* itemAt(int index) const override { return items_.value(index); }
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override {
    const QMargins around = contentsMargins();
    return Place(QRect(0, 0, width - around.left() - around.right(), 0), /*move=*/false) + around.top() +
           around.bottom();
  }
  void setGeometry(const QRect& rect) override;
  QSize sizeHint() const override { return minimumSize(); }
  QSize minimumSize() const override;

 private:
  static int NarrowestWidth(QLayoutItem& item);
  // Height of the rows within the rectangle's width.
  int Place(const QRect& rect, bool move) const;

  QList<QLayoutItem*> items_;
  int spacing_;
};

// A widget with such a layout that takes only the height it needs.
QWidget* MakeWrapBar(QWidget* parent = nullptr);

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_WRAP_LAYOUT_H_
