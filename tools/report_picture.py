"""Takes the picture of a report that the README shows, from a review on the sandbox; needs a Chromium on the path."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "report.png"
GOAL = "Which treatments lower mortality in cancer?"
SIZE = "1180,2060"
CUT = """<style>
nav, #flow, #search, #scores, #notices, #articles, #method, footer { display: none }
.rows tbody tr:nth-child(n+4), .panel:nth-child(n+2) { display: none }
</style>"""
"""The parts that a picture has no room for: all behind the effects, and all but the first rows of each table."""


def main() -> int:
    """Write the picture; the exit code."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        sys.stderr.write("error: there is no Chromium on the path\n")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        review = [sys.executable, "-m", "biofact", "literature", "review", GOAL, "--sandbox", "--output", folder]
        subprocess.run(review, check=True, stdout=subprocess.DEVNULL)
        report = Path(folder) / "report.html"
        report.write_text(report.read_text("utf-8").replace("</head>", f"{CUT}</head>"), "utf-8")
        options = ("--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={SIZE}")
        subprocess.run([browser, *options, f"--screenshot={PICTURE}", report.as_uri()], check=True, capture_output=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
