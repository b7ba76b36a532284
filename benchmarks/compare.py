"""The whole report, figures included, against autorank's report with plot and LaTeX, in one run."""

import contextlib
import io
import tempfile
import time
import warnings

import numpy as np
import pandas as pd

import podium
from podium.report.documents import document
from podium.report.render_html import render_html
from podium.report.render_latex import latex_files


def _podium(frame):
    report = document(podium.compare(frame, direction="higher"))
    render_html(report)
    latex_files(report)


def _autorank(frame):
    import autorank
    import matplotlib.pyplot as plt

    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        result = autorank.autorank(frame, alpha=0.05, verbose=False)
        autorank.create_report(result)
        autorank.latex_report(result, generate_plots=True, figure_path=folder)
        plt.close("all")


def _seconds(call, frame, times):
    """The best of several runs, wall and CPU; imports and compiled kernels stay outside the clock."""
    call(frame)
    clocks = []
    for _ in range(times):
        start, cpu = time.perf_counter(), time.process_time()
        call(frame)
        clocks.append((time.perf_counter() - start, time.process_time() - cpu))
    return tuple(min(column) for column in zip(*clocks, strict=True))


def run():
    rng = np.random.default_rng(0)
    large = pd.DataFrame(np.round(0.8 + 0.05 * rng.normal(size=(121, 179)) + rng.normal(size=(121, 1)) * 0.1, 4))
    large.columns = [f"algorithm {j}" for j in range(179)]
    small = podium.example("benavoli2016").scores().table().complete().to_frame()
    rows = []
    for what, frame, times in (("report on 53 x 7", small, 5), ("report on 121 x 179", large, 1)):
        (ours, our_cpu), (theirs, their_cpu) = _seconds(_podium, frame, times), _seconds(_autorank, frame, times)
        rows.append(
            {
                "what": what,
                "podium_seconds": ours,
                "peer": "autorank: report, plot, LaTeX",
                "peer_seconds": theirs,
                "ratio": theirs / ours,
                "note": f"CPU {our_cpu:.2f} s against {their_cpu:.2f} s; Podium tests all pairs exactly",
            }
        )
    return rows


if __name__ == "__main__":
    for row in run():
        print(row)
