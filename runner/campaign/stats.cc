// runner/campaign/stats.cc: writes and reads stats.csv.
#include "runner/campaign/stats.h"

#include <fmt/format.h>

#include <cinttypes>
#include <cstdio>
#include <sstream>

namespace dlpack_cts::runner {
namespace {

constexpr const char* kHeading =
    "seconds,cpu_seconds,exchanges,conclusive,refused,inconclusive,legs,causes,listed_causes\n";
constexpr int kColumns = 9;

}  // namespace

std::string LineOf(const CampaignPoint& point) {
  const ExchangeCounts& counts = point.counts;
  return fmt::format("{:.1f},{:.1f},{},{},{},{},{},{},{}\n", point.seconds, point.cpu_seconds, counts.exchanges,
                     counts.conclusive, counts.refused, counts.inconclusive, point.legs, point.causes, point.listed);
}

std::string StatsOf(const std::vector<CampaignPoint>& points) {
  std::string text = kHeading;
  for (const CampaignPoint& point : points) text += LineOf(point);
  return text;
}

std::vector<CampaignPoint> PointsIn(const std::string& stats) {
  std::vector<CampaignPoint> points;
  std::istringstream lines(stats);
  for (std::string line; std::getline(lines, line);) {
    CampaignPoint point;
    ExchangeCounts& counts = point.counts;
    const int read = std::sscanf(
        line.c_str(), "%lf,%lf,%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%" SCNu64 ",%" SCNd64 ",%" SCNd64,
        &point.seconds, &point.cpu_seconds, &counts.exchanges, &counts.conclusive, &counts.refused,
        &counts.inconclusive, &point.legs, &point.causes, &point.listed);
    // The line is the heading, or it is damaged.
    if (read != kColumns || LineOf(point) != line + "\n") continue;
    points.push_back(point);
  }
  return points;
}

}  // namespace dlpack_cts::runner
