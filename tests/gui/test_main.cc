// The GUI's tests run without a display unless the environment says otherwise.
#include <gtest/gtest.h>

#include "gui_test_support.h"

int main(int argc, char** argv) {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  testing::InitGoogleTest(&argc, argv);
  const hloscope::gui::TestApplication application(argc, argv);
  return RUN_ALL_TESTS();
}
