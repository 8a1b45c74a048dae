// runner/catalogue/features.cc: checks that each case and limitation of a feature exists.
#include "runner/catalogue/features.h"

#include <algorithm>
#include <set>

#include "base/failure.h"
#include "runner/base/places.h"
#include "runner/base/toml.h"

namespace dlpack_cts::runner {
namespace {

Feature ReadFeature(const TomlTable& table) {
  table.AllowOnly({"id", "group", "title", "what", "cases", "limits", "profile", "yes", "no", "dtype"});
  Feature feature;
  feature.id = table.Text("id");
  feature.group = table.Text("group");
  feature.title = table.Text("title");
  feature.what = table.Text("what");
  feature.cases = table.TextsOr("cases", {});
  feature.limits = table.TextsOr("limits", {});
  feature.profile = table.TextOr("profile", "");
  feature.yes = table.TextsOr("yes", {});
  feature.no = table.TextsOr("no", {});
  feature.dtype = table.TextOr("dtype", "");
  return feature;
}

void Check(const TomlTable& table, const Feature& feature, const Catalogue& catalogue,
           const std::set<std::string>& limits) {
  for (const std::string& id : feature.cases) {
    if (catalogue.Find(id) == nullptr) table.Wrong("cases", "names a case that does not exist: " + id);
  }
  for (const std::string& id : feature.limits) {
    if (!limits.contains(id)) table.Wrong("limits", "names a limitation that does not exist: " + id);
  }
  const bool reads_profile = !feature.dtype.empty() || !feature.yes.empty() || !feature.no.empty();
  if (feature.profile.empty() == reads_profile) table.Wrong("profile", "needs `yes` and `no`, or `dtype`");
  if (feature.cases.empty() && feature.limits.empty() && !reads_profile)
    table.Wrong("cases", "nothing could show the feature");
}

}  // namespace

std::vector<Feature> ReadFeatures(const std::string& file, const Catalogue& catalogue, const nlohmann::json& limits) {
  std::set<std::string> known;
  for (const nlohmann::json& limit : limits) known.insert(limit.at("limit"));
  const toml::table parsed = ParseToml(file);
  const toml::array* const list = parsed["feature"].as_array();
  if (list == nullptr) throw Failure(file + ": holds no [[feature]]", "restore the file of the source tree", kHarness);
  std::vector<Feature> features;
  for (const toml::node& node : *list) {
    if (!node.is_table()) throw Failure(file + ": a feature is not a table", "its first lines list the fields");
    const TomlTable table(*node.as_table(), file);
    Feature feature = ReadFeature(table);
    Check(table, feature, catalogue, known);
    if (std::ranges::find(features, feature.id, &Feature::id) != features.end())
      table.Wrong("id", "is used twice: " + feature.id);
    features.push_back(std::move(feature));
  }
  return features;
}

std::vector<Feature> ReadFeatures(const Catalogue& catalogue) {
  return ReadFeatures(DataFolder() + "/rules/features/features.toml", catalogue, WorkerList("limits"));
}

}  // namespace dlpack_cts::runner
