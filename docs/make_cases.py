"""The tables of test cases and of runs in docs/data: what models of scikit-learn did, and made-up outcomes on items.

python docs/make_cases.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

DATA = Path(__file__).parent / "data"
TASKS = (
    *("balance-scale", "breast-cancer", "digits", "iris", "monks-1", "monks-2", "monks-3", "tic-tac-toe", "wine"),
    *("ringnorm", "twonorm", "waveform"),
)


def predictions() -> pd.DataFrame:
    """The probability that a tumour is benign, by four models of scikit-learn on the same 190 cases."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    x, y = load_breast_cancer(return_X_y=True)
    x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=190, random_state=0, stratify=y)
    models = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "forest": RandomForestClassifier(200, random_state=0),
        "bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
    }
    columns = {name: model.fit(x_train, y_train).predict_proba(x_test)[:, 1].round(4) for name, model in models.items()}
    return pd.DataFrame({"id": np.arange(1, len(y_test) + 1), "y_true": y_test, **columns})


def outcomes() -> pd.DataFrame:
    """Whether four models of scikit-learn are right, on the test cases of three datasets."""
    from sklearn.datasets import load_breast_cancer, load_digits, load_wine
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    models = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "forest": RandomForestClassifier(50, random_state=0),
        "bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=0),
    }
    parts = []
    for name, load in {"cancer": load_breast_cancer, "digits": load_digits, "wine": load_wine}.items():
        x, y = load(return_X_y=True)
        x_train, x_test, y_train, y_test = train_test_split(x, y, train_size=60, random_state=0, stratify=y)
        right = {one: (model.fit(x_train, y_train).predict(x_test) == y_test)[:200] for one, model in models.items()}
        cases = [f"{name}-{i + 1}" for i in range(min(200, len(y_test)))]
        parts.append(pd.DataFrame({"case": cases, "benchmark": name, **right}))
    return pd.concat(parts).astype(dict.fromkeys(models, int))


def seeds() -> pd.DataFrame:
    """Accuracies of three learners of scikit-learn with five seeds each, on the twelve datasets of `TASKS`."""
    from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
    from sklearn.model_selection import train_test_split
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from podium.bench.datasets.builtin import load_builtin

    makers = {
        "forest": lambda seed: RandomForestClassifier(5, random_state=seed),
        "extra trees": lambda seed: ExtraTreesClassifier(5, random_state=seed),
        "network": lambda seed: make_pipeline(StandardScaler(), MLPClassifier((10,), max_iter=200, random_state=seed)),
    }
    rows = []
    for task in TASKS:
        data = load_builtin(task)
        x, y = np.hstack([data.numeric, data.nominal]), data.y
        x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.5, random_state=0, stratify=y)
        for seed in range(1, 6):
            for name, make in makers.items():
                rows.append((name, task, seed, round(make(seed).fit(x_train, y_train).score(x_test, y_test), 4)))
    return pd.DataFrame(rows, columns=["algorithm", "task", "seed", "accuracy"])


def items() -> pd.DataFrame:
    """Four made-up systems on 150 items of three benchmarks; items of one passage belong together."""
    random = np.random.default_rng(4)
    n = 150
    benchmark = np.repeat(["algebra", "law", "reading"], [60, 60, 30])
    passage = np.array([f"p{i // 3}" for i in range(n)])
    hard = random.random(n // 3).repeat(3) * 0.5 + random.random(n) * 0.5
    skill = {"small": 0.45, "medium": 0.58, "large": 0.66, "large-v2": 0.68}
    passed = {name: (hard + random.normal(0, 0.12, n) < level).astype(int) for name, level in skill.items()}
    names = [f"q{i + 1}" for i in range(n)]
    return pd.DataFrame({"item": names, "benchmark": benchmark, "passage": passage, **passed})


if __name__ == "__main__":
    predictions().to_csv(DATA / "predictions.csv", index=False)
    outcomes().to_csv(DATA / "outcomes.csv", index=False)
    seeds().to_csv(DATA / "seeds.csv", index=False)
    items().to_csv(DATA / "items.csv", index=False)
