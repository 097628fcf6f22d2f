// SPDX-License-Identifier: Apache-2.0
// The search for random modules that lack a property, for a time and from a seed that the environment sets:
// HLOSCOPE_RANDOM_SECONDS and HLOSCOPE_RANDOM_SEED.
#ifndef HLOSCOPE_TESTS_SUPPORT_RANDOM_SEARCH_H_
#define HLOSCOPE_TESTS_SUPPORT_RANDOM_SEARCH_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/document/document.h"
#include "core/print/printer.h"
#include "tests/support/module_generator.h"

namespace hloscope {

using DocumentPointer = std::shared_ptr<const Document>;
// Says what is wrong with a module without errors; empty if nothing is.
using Property = std::function<std::string(const DocumentPointer& document, uint64_t seed)>;

// With mixed precision allowed, as in every command but `check`.
DocumentPointer ParseRandomModule(std::string text);

// Style dump with all elements of constants: reads back as the same module.
PrintOptions WholeText();

// Messages of the errors of a document, one on each line.
std::string ErrorsOf(const Document& document);

// The text of the smallest module found that lacks the property as `document` does. Asks for at most `max_candidates`
// smaller modules.
std::string SmallestWithout(const DocumentPointer& document, uint64_t seed, const Property& property,
                            int max_candidates = 400);

// HLOSCOPE_RANDOM_SECONDS; `usual` where it is not set.
double SecondsOfSearch(double usual);
// HLOSCOPE_RANDOM_SEED; 1 where it is not set.
uint64_t FirstSeed();

// Looks for a module that lacks the property for SecondsOfSearch(2), but for one module at least. The test fails with
// the seed and the smallest module if there is one. A signal that ends the process says the seed too.
void Search(const GeneratorOptions& options, const Property& property);

}  // namespace hloscope

#endif  // HLOSCOPE_TESTS_SUPPORT_RANDOM_SEARCH_H_
