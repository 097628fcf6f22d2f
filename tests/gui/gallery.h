// Pictures for people to look at: written to the folder that HLOSCOPE_PICTURES names, with a page (index.html) that
// shows all of them with what to see there.
#ifndef HLOSCOPE_TESTS_GUI_GALLERY_H_
#define HLOSCOPE_TESTS_GUI_GALLERY_H_

#include <gtest/gtest.h>

#include <QWidget>

#include "gui_test_support.h"

namespace hloscope {

// A test that makes pictures; it is skipped unless a folder is named.
class PictureTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override { MainWindow::SetAppearance(QStringLiteral("system")); }
  // A picture of the widget in that size, when everything had time to be painted.
  void Save(QWidget* widget, const QString& name, QSize size, const QString& caption);
};

// The same of a whole window.
class WindowPictureTest : public PictureTest, public WindowTest {
 protected:
  // Waits for the graph and the run.
  void SaveWindow(const char* name, QSize size, const char* caption);
  // Shows a dock and gives it that many pixels.
  void ShowDock(const char* name, int height = 330);
};

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_GUI_GALLERY_H_
