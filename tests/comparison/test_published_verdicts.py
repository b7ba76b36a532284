"""What is said of published tables: a golden file to be read from top to bottom, as that of the stories."""

import pytest

import podium
from comparison.published import CASES, TABLES
from comparison.stories import written
from report.golden import check_golden
from style import refused

ABOUT = """# Verdicts of published tables

What Podium says of tables that others published. They are kept beside the project, not in it.
`PODIUM_WRITE_GOLDEN=1 python -m pytest tests/comparison/test_published_verdicts.py` writes this file.
"""

pytestmark = pytest.mark.skipif(
    not CASES.is_dir(), reason="The published cases are kept beside the project; there is no folder `shared` here."
)


@pytest.fixture(scope="module")
def found():
    return {name: podium.compare(CASES / name, **options) for name, options in TABLES.items()}


def test_the_verdicts_of_published_tables_are_as_before(found):
    check_golden("verdicts_published.md", "\n\n".join([ABOUT, *(written(*one) for one in found.items())]) + "\n")


def test_they_are_short_and_have_no_form_that_jars(found):
    for name, one in found.items():
        assert len(one.verdict.headline.split()) <= 30, name
        assert refused("\n".join([written(name, one), one.methods_paragraph])) == [], name
