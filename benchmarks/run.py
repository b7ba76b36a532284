"""Run every benchmark of this folder and print the ratios; `python benchmarks/run.py NAME` runs one."""

import importlib
import sys
from pathlib import Path


def main(names):
    folder = Path(__file__).parent
    sys.path.insert(0, str(folder))
    texts = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.py")}
    for name in names or sorted(name for name, text in texts.items() if "\ndef run(" in text):
        print(f"\n{name}")
        for row in importlib.import_module(name).run():
            peer = (
                ""
                if row["peer_seconds"] is None
                else f"; {row['peer']}: {row['peer_seconds']:.4g} s; ratio {row['ratio']:.3g}"
            )
            print(f"  {row['what']}: {row['podium_seconds']:.4g} s{peer}  ({row['note']})")


if __name__ == "__main__":
    main(sys.argv[1:])
