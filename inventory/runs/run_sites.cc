// SPDX-License-Identifier: Apache-2.0
#include "inventory/runs/run_sites.h"

#include <fmt/format.h>

#include <limits>

#include "input/json_object.h"

namespace culprit::inventory {
namespace {

constexpr char kSchema[] = "culprit.sites/1";

Frame ReadFrame(const JsonObject& object) {
  constexpr uint64_t kMostLines = std::numeric_limits<uint32_t>::max();
  return {object.Text("file"), static_cast<uint32_t>(object.Number("line", 0, kMostLines)),
          object.Text("function")};
}

RunSite ReadSite(const JsonObject& object) {
  const std::string name = object.Text("entry");
  RunSite site;
  site.entry = FindEntry(name);
  if (!site.entry)
    throw InputError(fmt::format("{}: '{}' is no entry of the driver API", object.where(), name));
  site.frames.push_back(ReadFrame(object));
  if (object.Has("callers")) {
    for (const JsonObject& caller : object.Objects("callers", "caller"))
      site.frames.push_back(ReadFrame(caller));
  }
  site.runs = object.Number("runs");
  site.failed = object.Number("failed");
  site.retried = object.Number("retried");
  return site;
}

}  // namespace

std::vector<RunSite> ParseRunSites(const std::string& text, const std::string& path) {
  const JsonObject document(ParseJson(text, path), path);
  if (document.Text("schema") != kSchema)
    throw InputError(fmt::format("{}: the schema must be \"{}\"", path, kSchema));
  std::vector<RunSite> sites;
  for (const JsonObject& site : document.Objects("sites", "site")) sites.push_back(ReadSite(site));
  return sites;
}

}  // namespace culprit::inventory
