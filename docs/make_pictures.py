"""The picture in the README: the first screen of the report of an example, as a browser shows it.

    python docs/make_pictures.py

Needs Debian's chromium. The page's buttons, which need scripts, and the contents are left out.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageChops

PICTURE = Path(__file__).parent / "images" / "report.png"
WIDTH, HEIGHT, SCALE = 1180, 1700, 1.5


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        page, shot = Path(folder) / "report.html", Path(folder) / "shot.png"
        podium = Path(sys.executable).parent / "podium"
        subprocess.run([podium, "compare", "benavoli2016", "--quiet", "--html", page], check=True)
        page.write_text(shortened(page.read_text(encoding="utf-8")), encoding="utf-8")
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        look = [f"--window-size={WIDTH},{HEIGHT}", f"--force-device-scale-factor={SCALE}", f"--screenshot={shot}"]
        subprocess.run(["chromium", *flags, *look, page.as_uri()], check=True, capture_output=True)
        picture = Image.open(shot).convert("RGB")
    PICTURE.parent.mkdir(exist_ok=True)
    cut = picture.crop((0, 0, picture.width, last_ink(picture) + int(24 * SCALE)))
    cut.quantize(256, dither=Image.Dither.NONE).save(PICTURE, optimize=True)
    print(f"{PICTURE.name}: {cut.width} x {cut.height}, {PICTURE.stat().st_size // 1024} KB")


def shortened(html: str) -> str:
    """The page from the verdict to the ranking."""
    html = re.sub(r"<(script|nav|footer).*?</\1>", "", html, flags=re.DOTALL)
    html = re.sub(r'<p class="note">.*?</p>', "", html, flags=re.DOTALL)
    html = re.sub(r"<details>.*?</details>", "", html, flags=re.DOTALL)
    return re.sub(r'<section id="pairs".*</main>', "</main>", html, flags=re.DOTALL)


def last_ink(picture: Image.Image) -> int:
    """The lowest row that is not ground."""
    ground = Image.new("RGB", picture.size, picture.getpixel((2, 2)))
    box = ImageChops.difference(picture, ground).getbbox()
    return box[3] if box else picture.height


if __name__ == "__main__":
    main()
