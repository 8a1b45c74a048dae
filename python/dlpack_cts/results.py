# python/dlpack_cts/results.py: runs the program, and makes Python objects of the lines that it prints.
"""The classes have the fields that most callers need. `line` has every field, as results/results.schema.json describes them."""
import json
import subprocess
from dataclasses import dataclass, field
from typing import Any, Dict, List

import dlpack_cts

AS_EXPECTED, UNEXPECTED = 0, 1  # the exit statuses of a run that judged the library


class Failed(RuntimeError):
    """The library could not be judged. `status` is the exit status: 2 if something is missing, 3 for a fault of dlpack-cts."""

    def __init__(self, message: str, status: int):
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Result:
    """What one case found."""

    case: str
    verdict: str  # PASS, FAIL, WARN, NOTE, CRASH, TIMEOUT, LEAK, UNSAFE, SKIP or BLOCKED
    as_expected: bool
    rule: str  # the violated rule, or the first rule of the case
    message: str
    wanted: str
    got: str
    replay: str  # a command
    line: Dict[str, Any] = field(repr=False, compare=False)


@dataclass(frozen=True)
class Cause:
    """What has to be fixed: one cause of one or more results."""

    id: str
    verdict: str
    as_expected: bool
    rule: str
    cases: List[str]
    message: str
    wanted: str
    got: str
    replay: str
    line: Dict[str, Any] = field(repr=False, compare=False)


@dataclass(frozen=True)
class Choice:
    """What the library does where the specification leaves a choice."""

    id: str
    rule: str
    question: str
    line: Dict[str, Any] = field(repr=False, compare=False)


@dataclass(frozen=True)
class Report:
    """A run of one library. `as_expected` is False if a deviation is not known, or a known one no longer occurs."""

    library: str
    library_version: str
    as_expected: bool
    complete: bool  # False if an interrupt or --time-limit left something out
    results: List[Result]
    causes: List[Cause]
    limitations: List[Cause]
    choices: List[Choice]
    header: Dict[str, Any] = field(repr=False)
    footer: Dict[str, Any] = field(repr=False)

    def unexpected(self) -> List[Result]:
        """The results that make the exit status 1."""
        return [result for result in self.results if not result.as_expected]


def _of(kind, line):
    names = [name for name in kind.__dataclass_fields__ if name != "line"]
    return kind(**{name: line[name] for name in names}, line=line)


def read(text: str) -> Report:
    """The report of the lines of results.ndjson, or of `dlpack-cts run --format json`. Raises ValueError for other text."""
    lines = [json.loads(line) for line in text.splitlines() if line.strip()]
    kinds = [line.get("type") for line in lines]
    if kinds.count("header") != 1 or kinds[0] != "header" or kinds[-1] != "footer":
        raise ValueError("these are not the lines of one run: a header, results, and a footer")
    header, footer = lines[0], lines[-1]
    causes = [_of(Cause, line) for line in lines if line["type"] == "cause"]
    return Report(
        library=header["library"], library_version=header["library_version"],
        as_expected=footer["unexpected"] == 0, complete=footer.get("complete", True),
        results=[_of(Result, line) for line in lines if line["type"] == "result"],
        causes=[cause for cause in causes if not cause.line.get("limitation")],
        limitations=[cause for cause in causes if cause.line.get("limitation")],
        choices=[_of(Choice, line) for line in lines if line["type"] == "reading"],
        header=header, footer=footer)


def _output(*arguments: str) -> str:
    """What the program prints. Raises Failed."""
    command = [dlpack_cts.program(), *map(str, arguments)]
    try:
        ran = subprocess.run(command, env=dlpack_cts.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, encoding="utf-8", errors="replace", check=False)
    except OSError as error:
        raise Failed("the program %s cannot be started: %s" % (command[0], error.strerror), 2) from error
    if ran.returncode not in (AS_EXPECTED, UNEXPECTED):
        raise Failed(ran.stderr.strip() or "dlpack-cts ended with status %d" % ran.returncode, ran.returncode)
    return ran.stdout


def run(library: str, *arguments: str) -> Report:
    """dlpack_cts.run()."""
    return read(_output("run", library, "--format", "json", *arguments))


def cases() -> Dict[str, List[str]]:
    """The cases that judge one library, in their order, with their rules."""
    listed = json.loads(_output("list", "cases", "--json"))
    return {case["case"]: case["rules"] for case in listed if not case["suite"].startswith("interop/")}
