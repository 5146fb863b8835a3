// SPDX-License-Identifier: Apache-2.0
// docs/inventory/inventory.schema.json and the reader are two descriptions of one format. Contracts
// are made from the schema, key by key, and both must judge them alike.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "inventory/contract/contract_reader.h"
#include "inventory/contract/toml_table.h"
#include "inventory/scan/file_walk.h"

// valijson's adapter needs the library it adapts first.
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace culprit::inventory {
namespace {

using Json = nlohmann::json;

const Json& Schema() {
  static const Json* schema = new Json(Json::parse(ReadFile(CULPRIT_INVENTORY_SCHEMA)));
  return *schema;
}

bool SchemaAccepts(const Json& document) {
  static const valijson::Schema* parsed = [] {
    auto* schema = new valijson::Schema;
    valijson::SchemaParser(valijson::SchemaParser::kDraft4)
        .populateSchema(valijson::adapters::NlohmannJsonAdapter(Schema()), *schema);
    return schema;
  }();
  const valijson::adapters::NlohmannJsonAdapter target(document);
  return valijson::Validator().validate(*parsed, target, nullptr);
}

// TOML has inline tables, so any JSON value without null is a TOML value with other punctuation.
std::string Toml(const Json& value) {
  if (value.is_object()) {
    std::string text;
    for (const auto& [key, member] : value.items())
      text += (text.empty() ? "" : ", ") + Json(key).dump() + " = " + Toml(member);
    return "{" + text + "}";
  }
  if (value.is_array()) {
    std::string text;
    for (const Json& element : value) text += (text.empty() ? "" : ", ") + Toml(element);
    return "[" + text + "]";
  }
  return value.dump();
}

std::string ErrorOf(const Json& document) {
  std::string text;
  for (const auto& [key, value] : document.items())
    text += Json(key).dump() + " = " + Toml(value) + "\n";
  try {
    ParseContract(text, "inventory.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// A value that the schema allows, with every key it knows.
Json Sample(const Json& schema) {
  if (schema.contains("enum")) return schema["enum"][0];
  const std::string type = schema.value("type", "object");
  if (type == "string") return "cuMemFree";  // everything that must be a driver entry is one
  if (type == "integer") return 12000;
  if (type == "boolean") return true;
  if (type == "array") return Json::array({Sample(schema["items"])});
  Json sample = Json::object();
  for (const auto& [key, property] : schema["properties"].items()) sample[key] = Sample(property);
  return sample;
}

const Json& WholeContract() {
  static const Json* whole = new Json(Sample(Schema()));
  return *whole;
}

struct Place {
  Json::json_pointer at;  // in a contract
  const Json* schema;
};

void Walk(const Json& schema, const Json::json_pointer& at, std::vector<Place>* places) {
  places->push_back({at, &schema});
  if (schema.contains("items")) Walk(schema["items"], at / 0, places);
  if (!schema.contains("properties")) return;
  for (const auto& [key, property] : schema["properties"].items()) Walk(property, at / key, places);
}

std::vector<Place> AllPlaces() {
  std::vector<Place> places;
  Walk(Schema(), Json::json_pointer(), &places);
  return places;
}

bool IsTable(const Place& place) { return place.schema->contains("properties"); }

// Whether both say the same, and what the reader said.
testing::AssertionResult BothSay(bool accepted, const Json& document) {
  const std::string error = ErrorOf(document);
  if (error.empty() == accepted && SchemaAccepts(document) == accepted)
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << (error.empty() ? "the reader accepts it" : error) << "; the schema "
         << (SchemaAccepts(document) ? "accepts" : "refuses") << " it";
}

TEST(ContractSchemaTest, AContractWithEveryKeyIsAcceptedByBoth) {
  EXPECT_TRUE(BothSay(true, WholeContract()));
}

TEST(ContractSchemaTest, TheReaderKnowsTheKeysOfTheSchemaAndNoOthers) {
  for (const Place& place : AllPlaces()) {
    if (!IsTable(place) || place.at.to_string() == "/rules") continue;
    SCOPED_TRACE(place.at.to_string());
    Json contract = WholeContract();
    contract[place.at]["no_such_key"] = 1;
    EXPECT_TRUE(BothSay(false, contract));
    std::set<std::string> known;
    std::istringstream list(ErrorOf(contract));
    std::string word;
    while (list >> word && word != "known:") continue;
    while (list >> word) known.insert(word.substr(0, word.find(',')));
    std::set<std::string> in_schema;
    for (const auto& [key, property] : (*place.schema)["properties"].items()) in_schema.insert(key);
    EXPECT_EQ(known, in_schema);
  }
}

TEST(ContractSchemaTest, AValueOfAnotherTypeIsRefusedByBoth) {
  for (const Place& place : AllPlaces()) {
    if (place.at.empty()) continue;
    SCOPED_TRACE(place.at.to_string());
    for (const Json& other : {Json("text"), Json(7), Json(false), Json(1.5), Json::array({7}),
                              Json::object({{"x", 1}})}) {
      const bool same =
          other.type() == WholeContract()[place.at].type() && !place.schema->contains("enum");
      if (same && !other.is_structured()) continue;
      if (other.is_number() && place.schema->value("type", "") == "integer" &&
          !other.is_number_float())
        continue;
      Json contract = WholeContract();
      contract[place.at] = other;
      EXPECT_TRUE(BothSay(false, contract)) << other;
    }
  }
}

TEST(ContractSchemaTest, ARequiredKeyMayNotBeMissingOrEmpty) {
  for (const Place& place : AllPlaces()) {
    if (!IsTable(place)) continue;
    for (const auto& [key, property] : (*place.schema)["properties"].items()) {
      SCOPED_TRACE((place.at / key).to_string());
      const Json required = place.schema->value("required", Json::array());
      const bool needed = std::find(required.begin(), required.end(), key) != required.end();
      Json without = WholeContract();
      without[place.at].erase(key);
      EXPECT_TRUE(BothSay(!needed, without)) << "missing";
      Json& value = without[place.at][key] = WholeContract()[place.at][key];
      if (value.is_string() && !property.contains("enum")) {
        value = "";
        EXPECT_TRUE(BothSay(!needed, without)) << "empty";
      } else if (value.is_array()) {
        value = Json::array();
        EXPECT_TRUE(BothSay(!needed, without)) << "empty";
      }
    }
  }
}

TEST(ContractSchemaTest, ALoaderNeedsANameOrAFile) {
  Json contract = WholeContract();
  contract["loader"][0] = {{"name", "load"}};
  EXPECT_TRUE(BothSay(true, contract));
  contract["loader"][0] = {{"file", "load.c"}};
  EXPECT_TRUE(BothSay(true, contract));
  contract["loader"][0] = Json::object();
  EXPECT_TRUE(BothSay(false, contract));
}

TEST(ContractSchemaTest, TheRulesAreThoseOfTheChecker) {
  std::set<std::string> rules, in_schema;
  for (const RuleInfo& rule : AllRules()) rules.emplace(rule.name);
  for (const auto& [key, property] : Schema()["properties"]["rules"]["properties"].items()) {
    in_schema.insert(key);
    EXPECT_THAT(property["enum"], testing::UnorderedElementsAre("error", "warning", "note", "off"));
  }
  EXPECT_EQ(rules, in_schema);
  Json contract = WholeContract();
  contract["rules"]["no-such-rule"] = "off";
  EXPECT_TRUE(BothSay(false, contract));
}

TEST(ContractSchemaTest, TheContractsOfTheProjectFollowIt) {
  const std::string paths[] = {CULPRIT_REFERENCE_CONTRACT,
                               CULPRIT_INVENTORY_TESTDATA "/extractors/inventory.toml"};
  for (const std::string& path : paths) {
    std::ostringstream json;
    json << toml::json_formatter(toml::parse(ReadFile(path)));
    EXPECT_TRUE(SchemaAccepts(Json::parse(json.str()))) << path;
  }
}

}  // namespace
}  // namespace culprit::inventory
