// SPDX-License-Identifier: Apache-2.0
// Counts in texts for people. A text that counts something is translated with its count and says in brackets what a
// plural adds, "%1 box(es)", or both forms, "%1 of them (is|are) drawn"; translations have plural forms of their own.
//
//     tr("%1 error(s)", nullptr, ForPlural(count)).arg(FormatCount(count))
#ifndef HLOSCOPE_GUI_MODELS_PLURALS_H_
#define HLOSCOPE_GUI_MODELS_PLURALS_H_

#include <QTranslator>

namespace hloscope::gui {

// A count as tr() takes it. No language that Qt knows tells counts apart beyond a thousand but by their last digits,
// which stay the same.
template <typename Count>
int ForPlural(Count count) {
  return static_cast<int>(count > Count{1'000'000'000} ? count % Count{1'000'000} + Count{1'000'000} : count);
}

// The English texts, which are in the code. Installed before all other translators: it is asked last.
class EnglishPlurals : public QTranslator {
 public:
  bool isEmpty() const override { return false; }
  // Texts without a count are left to others: nothing.
  QString translate(const char* context, const char* text, const char* disambiguation, int count) const override;
};

}  // namespace hloscope::gui

#endif  // HLOSCOPE_GUI_MODELS_PLURALS_H_
