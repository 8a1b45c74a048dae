# python/dlpack_cts/pytest_plugin.py: `pytest --dlpack-cts LIBRARY`: a test for each case, from one run of the program.
"""pytest imports this module in each of its runs, so everything else is imported when the option is given.

The program runs once, when the first case is about to run, with the cases that -k and --deselect left.
"""
import pytest

NOT_JUDGED = ("SKIP", "BLOCKED")
NO_DEVIATION = ("PASS", "NOTE")
EXPECTATIONS = "expectations"  # the name of the test of what no case reports


def pytest_addoption(parser):
    group = parser.getgroup("dlpack-cts", "DLPack conformance")
    group.addoption("--dlpack-cts", metavar="LIBRARY", action="append", default=[],
                    help="judge the DLPack support of this library, one test for each case (repeatable)")
    group.addoption("--dlpack-cts-adapter", metavar="DIR", action="append", default=[],
                    help="folder of an additional adapter (repeatable)")
    group.addoption("--dlpack-cts-python", metavar="PATH",
                    help="interpreter that has the library installed; default: the one that runs pytest")
    group.addoption("--dlpack-cts-args", metavar="ARGS", default="",
                    help="more options of dlpack-cts run, as one word of the shell: '--seed 7 --strict'")


@pytest.hookimpl(tryfirst=True)  # -k and --deselect come later
def pytest_collection_modifyitems(session, config, items):
    for library in config.getoption("--dlpack-cts"):
        node = Library.from_parent(session, name=library, nodeid="dlpack-cts::" + library)
        report = node.ihook.pytest_make_collect_report(collector=node)
        node.ihook.pytest_collectreport(report=report)
        for item in report.result:
            node.ihook.pytest_itemcollected(item=item)
        items.extend(report.result)


class NotAsExpected(Exception):
    """The text of a failure, which is shown without a traceback."""


class Library(pytest.Collector):
    """One library. Its report is made when the first of its tests asks for it."""

    _report = _failure = None

    def collect(self):
        from dlpack_cts import results

        try:
            self.cases = results.cases()
        except results.Failed as failed:
            raise self.CollectError(str(failed)) from failed
        return [Case.from_parent(self, name=case, rules=rules) for case, rules in self.cases.items()] + [
            Expectations.from_parent(self, name=EXPECTATIONS)]

    def report(self):
        """Fails the first test, and skips the others, if the library cannot be judged."""
        from dlpack_cts import results

        if self._failure is not None:
            pytest.skip("the library could not be judged")
        if self._report is None:
            try:
                self._report = results.run(self.name, *self._arguments())
            except results.Failed as failed:
                self._failure = failed
                raise NotAsExpected(str(failed)) from failed
        return self._report

    def _arguments(self):
        import shlex

        option = self.config.getoption
        arguments = [word for folder in option("--dlpack-cts-adapter") for word in ("--adapter", folder)]
        if option("--dlpack-cts-python"):
            arguments += ["--python", option("--dlpack-cts-python")]
        arguments += shlex.split(option("--dlpack-cts-args"))
        chosen = [item.name for item in self.session.items if item.parent is self and isinstance(item, Case)]
        # A run of all cases also says which known deviations no longer occur.
        return arguments if len(chosen) == len(self.cases) else arguments + ["--select", *chosen]


class _Test(pytest.Item):
    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, NotAsExpected):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path / "dlpack-cts", None, "%s: %s" % (self.parent.name, self.name)


class Case(_Test):
    """A known deviation is xfail. One that is listed by its case and no longer occurs fails."""

    def __init__(self, *, rules, **arguments):
        super().__init__(**arguments)
        self.extra_keyword_matches.update(rules)

    def runtest(self):
        report = self.parent.report()
        result = next((result for result in report.results if result.case == self.name), None)
        if result is None:
            pytest.skip("not selected by the options of dlpack-cts, or not reached")
        if result.verdict in NOT_JUDGED:
            pytest.skip("%s: %s" % (result.verdict, result.message))
        if not result.as_expected:
            raise NotAsExpected(text_of(report, result))
        if result.verdict not in NO_DEVIATION:
            pytest.xfail("%s: %s" % (result.verdict, result.line["expectation"]))
        stale = stale_of(report, self.name)
        if stale:
            raise NotAsExpected("[XPASS(strict)] " + "\n".join(stale))


class Expectations(_Test):
    """What makes a run fail without a case: a listed deviation that no longer occurs, and a cause whose cases are listed."""

    def runtest(self):
        report = self.parent.report()
        reported = {result.line.get("cause") for result in report.unexpected()}
        alone = [cause for cause in report.causes + report.limitations
                 if not cause.as_expected and cause.id not in reported]
        of_cases = {sentence for case in self.parent.cases for sentence in stale_of(report, case)}
        stale = [sentence for sentence in report.footer.get("stale", []) if sentence not in of_cases]
        if alone or stale:
            raise NotAsExpected("\n\n".join(stale + [text_of(report, cause) for cause in alone]))


def stale_of(report, case):
    """The sentences about listed deviations of this very case that no longer occur."""
    return [sentence for sentence in report.footer.get("stale", []) if " %s is listed as " % case in sentence]


def text_of(report, found):
    """A result or a cause: its sentence, its example and its values, and the command that runs it again."""
    words = found.line.get("words", {})
    cause = found.line.get("cause", "")
    rows = (("rule", found.rule), ("cause", cause), ("example", words.get("example", "")),
            ("wrong", words.get("meaning", "")), ("expected", words.get("wanted") or found.wanted),
            ("got", words.get("got") or found.got), ("replay", found.replay))
    of_cause = next((one.message for one in report.causes if one.id == cause), "")
    sentence = "%s: %s" % (found.verdict, found.message or of_cause or getattr(found, "id", ""))
    return "\n".join([sentence] + ["  %-9s %s" % (name + ":", text) for name, text in rows if text])
