# scripts/lib/browser.py: a headless Chromium that shows our pages: wide, narrow, dark or as they are printed.
import json
import pathlib
import shutil

try:
    from axe_core_python.base import AXE_SCRIPT
    from selenium import webdriver
    MISSING = ""
except ImportError as error:
    MISSING = f"the Python module {error.name} is not installed"

PROGRAMS = ("chromium", "chromedriver")
PATIENCE = 300  # seconds, for a large page on a busy machine
WIDE = {"width": 1280, "media": "screen", "scheme": "light"}
# The width of paper is that between margins of 1 cm: Letter in landscape, and A4 upright.
MODES = {"wide": WIDE, "narrow": WIDE | {"width": 420}, "dark": WIDE | {"scheme": "dark"},
         "printed across": WIDE | {"width": 980, "media": "print"},
         "printed upright": WIDE | {"width": 717, "media": "print"}}

OVERFLOW = """const beyond = e => Math.max(e.scrollWidth - e.clientWidth, 0);
let most = beyond(document.documentElement);
if (matchMedia('print').matches)
  for (const e of document.querySelectorAll('body *')) {
    const style = getComputedStyle(e);
    if (/auto|scroll|hidden/.test(style.overflowX + style.overflowY))
      most = Math.max(most, beyond(e), e.scrollHeight - e.clientHeight);
  }
return most;"""

# It reports only what is wrong, and does not see what is folded. Both would take most of its time on a large page.
CHECK = """const done = arguments[0];
for (const e of document.querySelectorAll('details:not([open]) > :not(summary)')) e.remove();
axe.run(document, {resultTypes: ["violations"]}).then(seen => done(seen.violations), error => done(String(error)));"""


def missing():
    """Why no page can be shown here, in a sentence; empty if pages can be shown."""
    absent = [program for program in PROGRAMS if shutil.which(program) is None]
    return MISSING or (f"there is no {absent[0]} on PATH" if absent else "")


class Browser:
    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which(PROGRAMS[0])
        # In a container Chromium runs as root, without its sandbox and with little shared memory.
        for option in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars"):
            options.add_argument(option)
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which(PROGRAMS[1])))
        self.driver.set_script_timeout(PATIENCE)
        self.driver.command_executor.client_config.timeout = PATIENCE

    def close(self):
        self.driver.quit()

    def look(self, mode, **changes):
        """From now on pages are shown as in this mode of MODES, with these changes of it."""
        wanted = MODES[mode] | changes
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": wanted["width"], "height": 720, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "media": wanted["media"], "features": [{"name": "prefers-color-scheme", "value": wanted["scheme"]}]})

    def open(self, path, state=""):
        """Loads the page anew, with the state behind the # of its address."""
        self.driver.get("about:blank")
        self.driver.get(pathlib.Path(path).resolve().as_uri() + (f"#{state}" if state else ""))

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def open_all_details(self):
        self.run("for (const e of document.querySelectorAll('details')) e.open = true")

    def overflow(self):
        """By how many pixels the page is wider than its window. Paper does not scroll: parts that would count too."""
        return self.run(OVERFLOW)

    def violations(self):
        """What axe-core finds in what is not folded, one line each. The page is of no use afterwards."""
        self.driver.execute_script(AXE_SCRIPT)
        seen = self.driver.execute_async_script(CHECK)
        assert isinstance(seen, list), seen
        return [f"{one['id']}: {one['help']}: {len(one['nodes'])} times, first {one['nodes'][0]['html'][:200]}"
                f" {json.dumps(one['nodes'][0]['target'])}"
                for one in seen]
