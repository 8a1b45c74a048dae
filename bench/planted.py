# bench/planted.py: the example plug-in with one planted defect, built in the ways that bench/fuzz.sh compares.
import shutil
import subprocess

from measure import ROOT, Unusable

FUZZER = ROOT / "build" / "fuzz" / "dlpack-cts-fuzz"
EXAMPLE = ROOT / "examples" / "cpp-plugin"
IMPORTS = "  tensor.first = static_cast<uint8_t*>(source.data) + source.byte_offset;\n"
CLANG = "clang++-19"
LONGEST = 3600  # seconds of one search


def run(command, **options):
    return subprocess.run([str(word) for word in command], text=True, errors="replace", capture_output=True, check=False,
                          timeout=LONGEST, **options)


def need(program, how):
    if not program.exists():
        raise Unusable(f"{program} is not built", how)


def build(command):
    done = run(command)
    if done.returncode != 0:
        raise Unusable(f"{' '.join(map(str, command))} failed", (done.stdout + done.stderr).strip()[-400:])


class Planted:
    """The example plug-in with one defect, built in the three ways that are compared."""

    def __init__(self, folder, defect):
        need(FUZZER, "cmake --preset fuzz && ninja -C build/fuzz dlpack-cts-fuzz")
        self.name, self.conditions = defect["name"], defect["conditions"]
        self.source = folder / self.name
        shutil.copytree(EXAMPLE, self.source)
        reader = self.source / "exchange.cc"
        text = reader.read_text(encoding="utf-8")
        tests = "".join(f"  if ({condition}) {{\n" for condition in self.conditions)
        wrong = tests + "  tensor.first += tensor.Item();\n" + "}" * len(self.conditions) + "\n"
        if IMPORTS not in text:
            raise Unusable("the example plug-in reads element 0 in another way", f"adapt IMPORTS in {__file__}")
        reader.write_text(text.replace(IMPORTS, IMPORTS + wrong), encoding="utf-8")
        self.ordinary = self.plugin("ordinary", "")
        self.instrumented = self.plugin("instrumented", "-fsanitize=fuzzer-no-link")
        self.plain = self.source / "plain"
        build([CLANG, "-std=c++20", "-O2", "-fsanitize=fuzzer", f"-I{self.source}", ROOT / "bench" / "plain_reader.cc", reader,
               self.source / "tensor.cc", "-o", self.plain])

    def plugin(self, name, flags):
        folder = self.source / name
        build(["cmake", "-S", self.source, "-B", folder, f"-DCMAKE_CXX_COMPILER={CLANG}", f"-DCMAKE_CXX_FLAGS={flags}",
               "-DCMAKE_BUILD_TYPE=Release", f"-DDLPACK_CTS_PLUGIN_H_DIR={ROOT / 'subject'}"])
        build(["cmake", "--build", folder])
        return folder
