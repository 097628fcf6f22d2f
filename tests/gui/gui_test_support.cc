// SPDX-License-Identifier: Apache-2.0
#include "gui_test_support.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QSettings>
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace hloscope::gui {

const char kLoopModule[] = R"(HloModule loop

not_done {
  s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  limit = s32[] constant(3)
  ROOT go_on = pred[] compare(i, limit), direction=LT
}

body {
  s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  v = f32[4] get-tuple-element(s), index=1
  one = s32[] constant(1)
  next_i = s32[] add(i, one)
  doubled = f32[4] add(v, v)
  ROOT next = (s32[], f32[4]) tuple(next_i, doubled)
}

ENTRY main {
  x = f32[4] parameter(0)
  negated = f32[4] negate(x)
  zero = s32[] constant(0)
  initial = (s32[], f32[4]) tuple(zero, negated)
  final = (s32[], f32[4]) while(initial), condition=not_done, body=body
  ROOT result = f32[4] get-tuple-element(final), index=1
}
)";

const char kNanModule[] = R"(HloModule not_a_number
ENTRY main {
  x = f32[4] parameter(0)
  minus = f32[4] constant({-1, -1, -1, -1})
  good = f32[4] add(x, minus)
  bad = f32[4] log(minus)
  worse = f32[4] add(bad, good)
  ROOT result = f32[4] negate(worse)
}
)";

bool WaitUntil(const std::function<bool()>& condition, int timeout_ms) {
  QElapsedTimer clock;
  clock.start();
  while (!condition()) {
    if (clock.elapsed() > timeout_ms) return false;
    QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
  }
  return true;
}

std::shared_ptr<const Document> ParseText(const std::string& text) {
  return Document::Parse(SourceText::FromString("test.hlo", text));
}

InstructionId FindByName(const Module& module, const std::string& name) {
  for (size_t i = 0; i < module.instruction_count(); ++i) {
    if (module.InstructionName(InstructionId(i)) == name) return InstructionId(i);
  }
  return InstructionId();
}

evaluator::Tensor Counting(std::vector<int64_t> dimensions) {
  absl::StatusOr<evaluator::Tensor> tensor = evaluator::Tensor::Zeros(ElementType::kS32, dimensions);
  EXPECT_TRUE(tensor.ok());
  for (int64_t i = 0; i < tensor->element_count(); ++i) tensor->mutable_data_as<int32_t>()[i] = static_cast<int32_t>(i);
  return *std::move(tensor);
}

evaluator::Tensor FloatTensor(std::vector<int64_t> dimensions, const std::vector<float>& values) {
  absl::StatusOr<evaluator::Tensor> tensor =
      evaluator::Tensor::FromValues<float>(ElementType::kF32, dimensions, absl::MakeConstSpan(values));
  EXPECT_TRUE(tensor.ok());
  return *std::move(tensor);
}

std::string ChainModule(int length) {
  std::string text = "HloModule chain\nENTRY main {\n  x0 = f32[8,16] parameter(0)\n  y0 = f32[8,16] parameter(1)\n";
  for (int i = 1; i <= length; ++i) {
    absl::StrAppend(&text, "  x", i, " = f32[8,16] ", i % 3 == 0 ? "tanh(x" : "negate(x", i - 1, ")\n");
    absl::StrAppend(&text, "  y", i, " = f32[8,16] add(y", i - 1, ", x", i, ")\n");
  }
  absl::StrAppend(&text, "  ROOT result = f32[8,16] multiply(x", length, ", y", length, ")\n}\n");
  return text;
}

QPoint BoxCenter(GraphPane* graph, InstructionId id) {
  const uint32_t box = graph->graph().BoxOf(id);
  EXPECT_NE(box, VisibleGraph::kNone);
  return graph->canvas()->ToScreen(graph->canvas()->graph().rect(box).center()).toPoint();
}

void WindowTest::OpenPath(const QString& path) {
  window_.Open(path);
  ASSERT_TRUE(WaitUntil([this] { return !window_.workspace()->loading(); }));
}

void WindowTest::OpenText(const std::string& text, const char* file_name) {
  QFile file(Path(file_name));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(text.data(), static_cast<qint64>(text.size()));
  file.close();
  OpenPath(Path(file_name));
}

void WindowTest::Trigger(const char* action) {
  ASSERT_NE(window_.action(action), nullptr) << action;
  ASSERT_TRUE(window_.action(action)->isEnabled()) << action;
  window_.action(action)->trigger();
  ASSERT_TRUE(WaitUntil([this] { return !window_.session()->busy(); }));
}

TestApplication::TestApplication(int& argc, char** argv) : app_(argc, argv) {
  QCoreApplication::installTranslator(&english_);
  QSettings::setDefaultFormat(QSettings::IniFormat);
  QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
  QCoreApplication::setOrganizationName(QStringLiteral("hloscope-tests"));
}

}  // namespace hloscope::gui
