"""The pictures of the README, by its own example, and of the home page: the report of an example, as a browser shows it.

    python docs/make_pictures.py

Needs Debian's chromium. The page's buttons, which need scripts, and the contents are left out.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageChops

IMAGES, README = Path(__file__).parent / "images", Path(__file__).parents[1] / "README.md"
WIDE, NARROW = (1180, 1700, 1.5), (500, 1700, 1.5)  # width, height, pixels for each of them
DARK = "--blink-settings=preferredColorScheme=0"


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        example = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)[1]
        subprocess.run([sys.executable, "-c", example], check=True, cwd=folder)
        (folder / "gaps.svg").replace(IMAGES / "readme.svg")
        report = folder / "report.html"
        podium = Path(sys.executable).parent / "podium"
        subprocess.run([podium, "compare", "benavoli2016", "--quiet", "--html", report], check=True)
        html = report.read_text(encoding="utf-8")
        for name, size, end in (("first_screen", WIDE, "quiet"), ("first_screen_narrow", NARROW, "sup")):
            first = until(html, f'<div class="{end}"')
            keep(shot(first, folder, size), f"{name}.png")
            keep(shot(first, folder, size, DARK), f"{name}_dark.png")


def shot(html: str, folder: Path, size: tuple[int, int, float], *more: str) -> Image.Image:
    """The page as Chromium shows it, without the empty ground below."""
    page, file = folder / "page.html", folder / "shot.png"
    page.write_text(html, encoding="utf-8")
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", *more]
    width, height, scale = size
    look = [f"--window-size={width},{height}", f"--force-device-scale-factor={scale}", f"--screenshot={file}"]
    subprocess.run(["chromium", *flags, *look, page.as_uri()], check=True, capture_output=True)
    picture = Image.open(file).convert("RGB")
    return picture.crop((0, 0, picture.width, last_ink(picture) + int(24 * scale)))


def keep(picture: Image.Image, name: str) -> None:
    """Write the picture, and say how large it is."""
    picture.quantize(256, dither=Image.Dither.NONE).save(IMAGES / name, optimize=True)
    print(f"{name}: {picture.width} x {picture.height}, {(IMAGES / name).stat().st_size // 1024} KB")


def until(html: str, part: str) -> str:
    """The page from the verdict to this part of it."""
    html = re.sub(r"<(script|nav|footer).*?</\1>", "", html, flags=re.DOTALL)
    html = re.sub(r'<p class="note">.*?</p>', "", html, flags=re.DOTALL)
    html = re.sub(r"<details>.*?</details>", "", html, flags=re.DOTALL)
    return re.sub(f"{part}.*</main>", "</main>", html, flags=re.DOTALL)


def last_ink(picture: Image.Image) -> int:
    """The lowest row that is not ground."""
    ground = Image.new("RGB", picture.size, picture.getpixel((2, 2)))
    box = ImageChops.difference(picture, ground).getbbox()
    return box[3] if box else picture.height


if __name__ == "__main__":
    main()
