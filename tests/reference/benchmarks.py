"""Tables of two public benchmarks: one with failures and two metrics, one large."""

from functools import cache
from pathlib import Path

import pandas as pd

# openml/automlbenchmark, reports/old/tables/1h (commit dfe8d21): the AutoML benchmark of 2019, one hour, mean scores
# over folds (AUC, or minus the logarithmic loss; higher is better), without the marks for failures, "0.84251 (1)".
AUTOML_NAMES = "autosklearn autoweka constantpredictor h2oautoml randomforest tpot tunedrandomforest".split()
AUTOML = """
    adult 0.929528 0.907855 0.5 0.92578 0.909396 0.92742 0.909231
    amazon_employee_access 0.855949 0.809032 0.5 0.879249 0.864145 0.86955 0.862834
    apsfailure 0.991173 0.964659 0.5 0.992338 0.991212 0.990257 0.990772
    australian 0.935352 0.929447 0.5 0.939702 0.936597 0.931933 0.933904
    bank-marketing 0.937332 0.826706 0.5 0.93707 0.930829 0.933684 0.930685
    blood-transfusion 0.757376 0.740807 0.5 0.756301 0.686283 0.724372 0.688562
    christine 0.829747 0.801988 0.5 0.825998 0.80578 0.813402 0.809603
    credit-g 0.782619 0.752548 0.5 0.788809 0.794667 0.786143 0.795524
    guiellermo 0.901298 0.878182 0.5 0.909924 0.902647 0.819224 0.902757
    higgs 0.793323 0.676984 0.5 0.813504 0.802973 0.80155 0.802942
    jasmine 0.883949 0.860555 0.5 0.887816 0.888259 0.884588 0.889133
    kc1 0.84251 0.814135 0.5 0.836388 0.836269 0.840991 0.842142
    kddcup09_appetency 0.83399 0.790757 0.5 0.830412 0.785771 0.818407 0.785631
    kr-vs-kp 0.999835 0.975994 0.5 0.999874 0.999151 0.999686 0.999648
    miniboone 0.985468 0.961233 0.5 0.986557 0.981664 0.981172 0.981649
    nomao 0.995949 0.983934 0.5 0.995957 0.994905 0.994574 0.995096
    numerai28.6 0.529106 0.520145 0.5 0.531898 0.519657 0.524741 0.520723
    phoneme 0.962603 0.956961 0.5 0.96766 0.965422 0.968944 0.965731
    riccardo 0.999756 nan 0.5 0.999807 0.999025 0.992001 0.999687
    sylvine 0.990398 0.974948 0.5 0.989972 0.983282 0.991775 0.983953
    car -0.00959785 -0.243389 -0.835786 -0.0019225 -0.143679 -0.000354137 -0.0472316
    cnae-9 -0.170661 -0.872693 -2.19722 -0.155353 -0.30089 -0.195762 -0.297208
    connect-4 -0.425621 -0.741377 -0.844561 -0.344798 -0.494515 -0.399631 -0.478005
    dilbert -0.0968339 -1.78738 -1.60913 -0.0519655 -0.328396 -0.2174 -0.328651
    fabert -0.777648 -3.03725 -1.87471 -0.753872 -0.807085 -0.826299 -0.805636
    fashion-mnist -0.353777 -0.580797 -2.30259 -0.294292 -0.361134 -0.650763 -0.361669
    helena -3.44731 -13.0427 -4.14341 -3.18649 -3.54993 -3.24483 -3.55885
    jannis -0.705328 -6.27084 -1.10867 -0.681098 -0.72815 -0.731569 -0.728515
    jungle_chess_2pcs_raw_endgame_complete -0.233997 -1.55919 -0.935131 -0.217893 -0.438043 -0.197938 -0.401695
    mfeat-factors -0.098701 -0.626604 -2.30259 -0.104724 -0.23409 -0.138122 -0.201033
    robert -2.30259 nan -2.30224 -1.55285 -1.68763 -4.04131 -1.68744
    segment -0.0604756 -0.500838 -1.94591 -0.0472495 -0.0844964 -0.0515026 -0.0687989
    shuttle -0.000620635 -0.0151944 -0.665634 -0.000416558 -0.000771303 -3.44413 -0.000604373
    vehicle -0.39486 -2.105 -1.38568 -0.35304 -0.497197 -0.413713 -0.485847
    volkert -0.945324 -1.1097 -2.0526 -0.820618 -0.979679 -1.01061 -0.978855
"""


def automl():
    """Scores of seven frameworks on 35 tasks; two cells of autoweka are missing."""
    rows = [line.split() for line in AUTOML.strip().splitlines()]
    return pd.DataFrame([row[1:] for row in rows], index=[row[0] for row in rows], columns=AUTOML_NAMES, dtype=float)


@cache
def bakeoff():
    """Mean accuracies of 40 classifiers of time series on 112 datasets (see the README beside)."""
    return pd.read_csv(Path(__file__).parent / "bakeoff.csv", index_col="dataset") / 1e6
