// SPDX-License-Identifier: Apache-2.0
// What is shown while no module is open: recent files, examples, and how to begin.
#ifndef HLOSCOPE_GUI_VIEWS_WELCOME_PAGE_H_
#define HLOSCOPE_GUI_VIEWS_WELCOME_PAGE_H_

#include <QListWidget>
#include <QWidget>

namespace hloscope::gui {

class WelcomePage : public QWidget {
  Q_OBJECT

 public:
  explicit WelcomePage(QWidget* parent = nullptr);

  void ShowRecent(const QStringList& files);
  QListWidget* recent() { return recent_; }
  QListWidget* examples() { return examples_; }

 Q_SIGNALS:
  void FileChosen(const QString& path);
  void OpenRequested();

 private:
  QListWidget* recent_;
  QListWidget* examples_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_VIEWS_WELCOME_PAGE_H_
