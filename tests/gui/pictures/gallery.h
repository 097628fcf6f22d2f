// SPDX-License-Identifier: Apache-2.0
// Pictures for people to look at, in one folder, with a page (index.html) that shows all of them with what to see
// there.
#ifndef HLOSCOPE_TESTS_GUI_PICTURES_GALLERY_H_
#define HLOSCOPE_TESTS_GUI_PICTURES_GALLERY_H_

#include <gtest/gtest.h>

#include <QWidget>

#include "tests/gui/gui_test_support.h"

namespace hloscope::gui {

// The folder that pictures are written to.
void SetPictureFolder(const QString& folder);
// Writes the page about the pictures made so far; false if it cannot be written.
bool WriteIndex();

// Makes pictures of one subject. GoogleTest runs one case after the other: each has windows of its own, and what fails
// does not keep the others from being made.
class PictureCase : public ::testing::Test {
 protected:
  void TearDown() override { MainWindow::SetAppearance(QStringLiteral("system")); }
  // A picture of the widget in that size, when everything had time to be painted.
  void Save(QWidget* widget, const QString& name, QSize size, const QString& caption);
};

// One picture of all that were made so far under a name that begins with `film` and "_": the steps of a task, small, in
// their order, with what is said of them. False if it cannot be written.
bool SaveFilmSheet(const QString& film, const QString& caption);

// Pictures of a whole window.
class WindowPictureCase : public PictureCase, public WindowTest {
 protected:
  // Waits for the graph and the run.
  void SaveWindow(const char* name, QSize size, const char* caption);
  // Shows a dock and gives it that many pixels.
  void ShowDock(const char* name, int height = 330);
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_TESTS_GUI_PICTURES_GALLERY_H_
