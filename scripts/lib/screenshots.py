# scripts/lib/screenshots.py: makes the pictures in docs/images: pages of the site, and the first screen of three runs.
"""Usage: screenshots.py PROGRAM. scripts/screenshots.sh installs what it needs."""
import base64
import fcntl
import io
import os
import pathlib
import pty
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

import ansi2html
import markdown_it
import PIL.Image

from browser import Browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
COLUMNS, LINES = 80, 24
COLOURS = 256  # of a palette, which keeps a picture under 100 kB
# The plug-in lets the producer's memory go at the end of the import, and reads it later.
FAULT = ("exchange.cc", "  tensor.memory = std::move(owner);\n", "")
# Picture, page of the site, mode, state of its filter.
PAGES = (("site-wide", "index.html", "wide", ""), ("site-narrow", "index.html", "narrow", ""), ("site-dark", "index.html", "dark", ""),
         ("features-wide", "features.html", "wide", ""), ("features-narrow", "features.html", "narrow", ""),
         ("pairs-wide", "pairs.html", "wide", ""),
         ("rules-dark", "rules.html", "dark", "chapter=C-STRIDES"), ("library-wide", "libraries/numpy.html", "wide", ""))
TERMINAL = """<!DOCTYPE html><meta charset="utf-8"><title>Terminal</title><style>body{margin:0;background:#101418}
pre{margin:12px;width:80ch;height:calc(24*1.3em);overflow:hidden;white-space:pre-wrap;line-break:anywhere;
font:15px/1.3 "DejaVu Sans Mono",monospace;color:#e6e9ee}body{width:max-content;padding:.1px}</style><pre>%s</pre>"""
MARKDOWN = """<!DOCTYPE html><meta charset="utf-8"><title>Markdown</title><style>
body{font:16px/1.5 "DejaVu Sans",sans-serif;max-width:980px;margin:24px auto;color:#1f2328}
h1,h2{border-bottom:1px solid #d1d9e0;padding-bottom:.3em}table{border-collapse:collapse}
th,td{border:1px solid #d1d9e0;padding:6px 13px;text-align:left}code{background:#eff1f3;padding:.2em .4em;border-radius:6px;font-size:85%%}
pre{background:#f6f8fa;padding:16px;overflow:auto}pre code{background:none;padding:0}</style>%s"""


def libraries(folder, program):
    """The three runs: a name for the pictures, and the arguments of `run`."""
    source, built = folder / "tiny", folder / "tiny/build"
    shutil.copytree(ROOT / "examples/cpp-plugin", source)
    file, right, wrong = FAULT
    text = (source / file).read_text(encoding="utf-8")
    assert text.count(right) == 1, f"{file} has another import"
    (source / file).write_text(text.replace(right, wrong), encoding="utf-8")
    for command in (["cmake", "-S", source, "-B", built, f"-DDLPACK_CTS_PLUGIN_H_DIR={ROOT / 'subject'}"], ["cmake", "--build", built]):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for library in ("numpy", "mlx"):
        subprocess.run([program, "env", "create", library], check=True, stdout=subprocess.DEVNULL)
    return (("conforms", ["numpy"]), ("known", ["mlx"]), ("new", ["tiny", "--adapter", "tiny/build"]))


def on_terminal(command, folder):
    """What a command prints on a terminal of 80 columns and 24 lines, with colours."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    with subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=its, stderr=subprocess.DEVNULL):
        os.close(its)
        text = b""
        while True:
            try:
                part = os.read(ours, 1 << 16)
            except OSError:  # the end of a terminal
                break
            text += part
    os.close(ours)
    return text.decode().replace("\r\n", "\n")


def first_screen(arguments, text):
    """The first lines of a terminal, with the command before them, as HTML."""
    lines = [f"$ dlpack-cts run {' '.join(arguments)}", *text.splitlines()][:LINES]
    return ansi2html.Ansi2HTMLConverter(inline=True, scheme="osx").convert("\n".join(lines), full=False)


class Camera:
    def __init__(self):
        self.browser = Browser()

    def shoot(self, name, page, mode="wide", state="", element=None):
        """A picture of the first screen of a page, or of one element."""
        self.browser.look(mode)
        self.browser.open(page, state)
        if element:
            box = self.browser.run("const b = document.querySelector(arguments[0]).getBoundingClientRect();"
                                   "return {x: 0, y: 0, width: b.width, height: b.height, scale: 1}", element)
            shot = self.browser.driver.execute_cdp_cmd("Page.captureScreenshot", {"clip": box, "captureBeyondViewport": True})["data"]
        else:
            shot = self.browser.driver.get_screenshot_as_base64()
        picture = PIL.Image.open(io.BytesIO(base64.b64decode(shot))).convert("RGB")
        picture.quantize(COLOURS, dither=PIL.Image.Dither.NONE).save(IMAGES / f"{name}.png", optimize=True)


def main(program):
    IMAGES.mkdir(exist_ok=True)
    # The reports name the command as it was typed.
    os.environ["PATH"] = f"{pathlib.Path(program).parent}:{os.environ['PATH']}"
    camera = Camera()
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            subprocess.run([ROOT / "scripts/site.sh", folder / "site"], check=True, stdout=subprocess.DEVNULL)
            for picture, page, mode, state in PAGES:
                camera.shoot(picture, folder / "site" / page, mode, state)
            for picture, arguments in libraries(folder, program):
                text = on_terminal(["dlpack-cts", "run", *arguments, "--out", picture], folder)
                (folder / "terminal.html").write_text(TERMINAL % first_screen(arguments, text), encoding="utf-8")
                camera.shoot(f"{picture}-terminal", folder / "terminal.html", element="body")
                camera.shoot(f"{picture}-page", folder / picture / "index.html")
                report = (folder / picture / "report.md").read_text(encoding="utf-8")
                body = markdown_it.MarkdownIt("gfm-like", {"linkify": False}).render(report)
                (folder / "markdown.html").write_text(MARKDOWN % body, encoding="utf-8")
                camera.shoot(f"{picture}-markdown", folder / "markdown.html")
    finally:
        camera.browser.close()


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()))
