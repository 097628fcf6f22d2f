// SPDX-License-Identifier: Apache-2.0
// The GUI's tests run without a display unless the environment says otherwise.
#include <gtest/gtest.h>

#include "gui_test_support.h"
#include "memory_policy/memory_policy.h"

int main(int argc, char** argv) {
  // As the app does: what a run gives back depends on it.
  hloscope::memory_policy::SetUpMemory(hloscope::memory_policy::TextThreads::kAny);
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  testing::InitGoogleTest(&argc, argv);
  const hloscope::gui::TestApplication application(argc, argv);
  return RUN_ALL_TESTS();
}
