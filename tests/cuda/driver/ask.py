# tests/cuda/driver/ask.py: asks the CUDA driver of this machine, and compares its answers with answers.toml.
"""Usage: ask.py [--write FILE]. Exit status 1 if an answer differs from the one in answers.toml, or is not in it."""
import concurrent.futures
import os
import pathlib
import signal
import subprocess
import sys
import tomllib

TABLE = pathlib.Path(__file__).resolve().with_name("answers.toml")
PATIENCE = 60  # seconds for one question


def answer_of(number):
    """Asks one question in a process of its own; a crash is an answer."""
    try:
        done = subprocess.run([sys.executable, "-B", __file__, "--one", str(number)], capture_output=True, text=True,
                              timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return "no answer"
    if done.returncode < 0:
        return signal.Signals(-done.returncode).name
    return done.stdout.strip() if done.returncode == 0 else "failed: " + (done.stderr.strip().splitlines() or [""])[-1]


def text_of(answers, heading):
    """The answers as TOML: a question with one answer, or with one for each variant."""
    lines = [heading]
    table = None
    questions = {}
    for (kind, question, variant), answer in answers.items():
        questions.setdefault((kind, question), {})[variant] = answer
    for (kind, question), by_variant in questions.items():
        if kind != table:
            lines += ["", f"[{kind}]"]
            table = kind
        if "" in by_variant:
            lines.append(f'"{question}" = "{by_variant[""]}"')
        else:
            pairs = ", ".join(f'{key!r} = "{value}"'.replace("'", '"') for key, value in by_variant.items())
            lines.append(f'"{question}" = {{{pairs}}}')
    return "\n".join(lines) + "\n"


def known_answers():
    if not TABLE.exists():
        return {}
    known = {}
    for table, questions in tomllib.loads(TABLE.read_text(encoding="utf-8")).items():
        for question, answer in questions.items():
            for variant, text in ({"": answer} if isinstance(answer, str) else answer).items():
                known[table, question, variant] = text
    return known


def main():
    import questions  # opens the driver
    asked = list(questions.questions())
    if sys.argv[1:2] == ["--one"]:
        print(asked[int(sys.argv[2])][1](), flush=True)
        os._exit(0)  # the end of a process is not asked about
    with concurrent.futures.ThreadPoolExecutor(min(8, os.cpu_count() or 1)) as pool:
        answers = dict(zip((key for key, _ in asked), pool.map(answer_of, range(len(asked)))))
    heading = "# answers.toml: how a real CUDA driver answers the questions of questions.py."
    if sys.argv[1:2] == ["--write"]:
        pathlib.Path(sys.argv[2]).write_text(text_of(answers, heading), encoding="utf-8")
    known = known_answers()
    different = 0
    for key, answer in answers.items():
        if key in known and known[key] == answer:
            continue
        different += 1
        table, question, variant = key
        print(f"{table}: {question}{' (' + variant + ')' if variant else ''}: {answer}; answers.toml has "
              f"{known.get(key, 'no answer to this')}")
    print(f"{len(answers)} questions, {different} answers differ from answers.toml")
    return 1 if different else 0


sys.exit(main())
