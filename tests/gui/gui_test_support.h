// SPDX-License-Identifier: Apache-2.0
// What the GUI's tests share: an application without a display, waiting for something to become true while the event
// loop turns, and a small module.
#ifndef HLOSCOPE_TESTS_GUI_GUI_TEST_SUPPORT_H_
#define HLOSCOPE_TESTS_GUI_GUI_TEST_SUPPORT_H_

#include <QApplication>
#include <QString>
#include <QTemporaryDir>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "gui/main_window.h"
#include "gui/models/plurals.h"
#include "tests/gui/stall_meter.h"

namespace hloscope::gui {

// The application of a test program. It neither sees nor changes what the user of this machine has set.
class TestApplication {
 public:
  TestApplication(int& argc, char** argv);

 private:
  QApplication app_;
  EnglishPlurals english_;
  QTemporaryDir settings_;
};

// Turns the event loop until the condition holds. False if it does not within the time.
bool WaitUntil(const std::function<bool()>& condition, int timeout_ms = 20'000);

std::shared_ptr<const Document> ParseText(const std::string& text);
// First instruction of that name anywhere in the module; none if there is none.
InstructionId FindByName(const Module& module, const std::string& name);

// s32 elements 0, 1, 2, ... in row-major order.
evaluator::Tensor Counting(std::vector<int64_t> dimensions);
// An f32 array.
evaluator::Tensor FloatTensor(std::vector<int64_t> dimensions, const std::vector<float>& values);

// A loop that doubles a vector three times, and a call.
extern const char kLoopModule[];
// The logarithm of -1, and what comes of it.
extern const char kNanModule[];
// Two chains of `length` instructions each, beside one another.
std::string ChainModule(int length);

// Where the canvas shows the middle of an instruction's box.
QPoint BoxCenter(GraphPane* graph, InstructionId id);

// A window with a file open.
class WindowTest {
 public:
  // Writes the text to a file and opens it; waits until it is shown.
  void OpenText(const std::string& text, const char* file_name = "module.hlo");
  // Opens the path and waits until it is shown or refused.
  void OpenPath(const QString& path);
  QString Path(const char* file_name) const { return folder_.filePath(QLatin1String(file_name)); }
  MainWindow& window() { return window_; }
  const Module& module() { return window_.selection()->module(); }
  InstructionId Find(const std::string& name) { return FindByName(module(), name); }
  // Triggers an action of the toolbar and waits until the run is not busy.
  void Trigger(const char* action);

 private:
  QTemporaryDir folder_;
  MainWindow window_;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_TESTS_GUI_GUI_TEST_SUPPORT_H_
