// SPDX-License-Identifier: Apache-2.0
// Modules that were not read from text, as documents: their text is printed when somebody looks at it.
#ifndef HLOSCOPE_CORE_DOCUMENT_MODULE_TEXT_H_
#define HLOSCOPE_CORE_DOCUMENT_MODULE_TEXT_H_

#include <memory>
#include <string>
#include <vector>

#include "core/document/text_map.h"
#include "core/ir/module.h"
#include "core/print/print_options.h"
#include "core/print/printer.h"
#include "core/source/source_text.h"

namespace hloscope {

// Document::Parse takes the module of a text that this makes as it is, where the module has no errors, instead of
// reading what it prints.
class ModuleText final : public TextMaker {
 public:
  // `module` has what the reader of texts gives: instructions in the order of their ids, operands and control
  // predecessors before users, callees before callers, no asynchronous sugar, nothing inline. `style` is one that can
  // be read, without canonical names; the module is moved from. Null where reading the text would give another module,
  // such as one with other names or defaults; the module prints as before then.
  static std::shared_ptr<const ModuleText> Of(Module* module, const PrintOptions& style);

  // As reading the text gives it.
  const Module& module() const { return module_; }
  std::string MakeText() const override;
  // `source` has this maker.
  TextMap MapOf(const SourceText& source) const;

 private:
  ModuleText(Module module, const PrintOptions& style) : module_(std::move(module)), style_(style) {}

  Module module_;
  const PrintOptions style_;
  mutable std::vector<PrintedModule::Part> parts_;  // of the text, once that was made
};

}  // namespace hloscope

#endif  // HLOSCOPE_CORE_DOCUMENT_MODULE_TEXT_H_
