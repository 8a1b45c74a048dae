// reports/site/choices_page.cc: what each library does where the specification leaves a choice.
#include <map>
#include <ranges>

#include "base/text.h"
#include "reports/site/page.h"
#include "reports/site/pages.h"
#include "reports/text.h"

namespace dlpack_cts {
namespace {

constexpr size_t kLine = 4096;

/// A question, and the libraries with each answer. Libraries that show none are not in it.
struct Question {
  std::string rule;
  std::string text;
  std::map<std::string, std::vector<const LibraryView*>> libraries;  // by answer
};

/// By number.
std::map<std::string, Question> QuestionsOf(const Site& site) {
  std::map<std::string, Question> questions;
  for (const LibraryView& library : site.libraries) {
    for (const ObservedChoices& choice : library.run->readings) {
      Question& question = questions[choice.id];
      question.rule = choice.rule;
      question.text = choice.question;
      const auto words = choice.shown | std::views::transform(&ObservedChoices::Reading::words);
      question.libraries[Joined(words, "; ")].push_back(&library);
    }
  }
  return questions;
}

}  // namespace

std::string ChoicesPage(const Site& site) {
  Xml page(
      "<p>Where the texts of DLPack contradict each other, or say nothing, libraries choose. None of these choices is "
      "a "
      "violation by itself. A library is missing where its exchanges did not show a choice. Several choices of one "
      "library are separated by semicolons.</p>\n");
  const std::map<std::string, Question> questions = QuestionsOf(site);
  if (questions.empty()) page << "<p>No run shows any.</p>\n";
  for (const auto& [id, question] : questions) {
    page << Xml(
        "<section id=\"{0}\"><h2>{1}</h2>\n<p class=\"soft\">{0}, rule <a href=\"rules.html#{2}\">{2}</a></p>\n"
        "<table class=\"facts\"><thead><tr><th scope=\"col\">Observed choice</th><th scope=\"col\">Libraries"
        "</th></tr></thead><tbody>\n",
        id, OneLine(question.text), question.rule);
    for (const auto& [answer, libraries] : question.libraries) {
      page << Xml("<tr><td>{}</td><td>", OneLine(answer, kLine));
      for (size_t i = 0; i < libraries.size(); ++i) {
        page << Xml("{}<a href=\"{}/{}.html#choices\">{}</a>", std::string_view(i == 0 ? "" : ", "), kLibraryFolder,
                    libraries[i]->key, libraries[i]->name);
      }
      page << "</td></tr>\n";
    }
    page << "</tbody></table></section>\n";
  }
  return PageOf({.title = "Unspecified behaviour", .file = "choices.html", .root = ""}, page);
}

}  // namespace dlpack_cts
