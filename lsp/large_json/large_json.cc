// SPDX-License-Identifier: Apache-2.0
#include "lsp/large_json/large_json.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "nlohmann/json.hpp"
#define SIMDJSON_EXCEPTIONS 0
#include "simdjson.h"

namespace hloscope::lsp {
namespace {

using nlohmann::json;
namespace dom = simdjson::dom;

// The parser's limit of nesting bounds the recursion.
json Converted(const dom::element& element) {
  switch (element.type()) {
    case dom::element_type::ARRAY: {
      json array = json::array();
      for (const dom::element item : dom::array(element.get_array().value_unsafe())) array.push_back(Converted(item));
      return array;
    }
    case dom::element_type::OBJECT: {
      json object = json::object();
      for (const dom::key_value_pair field : dom::object(element.get_object().value_unsafe())) {
        object[std::string(field.key)] = Converted(field.value);
      }
      return object;
    }
    case dom::element_type::INT64: {
      // What is not negative is unsigned, as json::parse has it.
      const int64_t number = element.get_int64().value_unsafe();
      return number < 0 ? json(number) : json(static_cast<uint64_t>(number));
    }
    case dom::element_type::UINT64:
      return element.get_uint64().value_unsafe();
    case dom::element_type::DOUBLE:
      return element.get_double().value_unsafe();
    case dom::element_type::STRING:
      return std::string(element.get_string().value_unsafe());
    case dom::element_type::BOOL:
      return element.get_bool().value_unsafe();
    case dom::element_type::NULL_VALUE:
      return nullptr;
  }
  return nullptr;
}

}  // namespace

std::optional<json> ParseLargeJson(const std::string& text) {
  dom::parser parser;
  dom::element root;
  if (parser.parse(text).get(root) != simdjson::SUCCESS) return std::nullopt;
  return Converted(root);
}

}  // namespace hloscope::lsp
