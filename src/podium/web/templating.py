"""Pages from the package's own templates; text of users is escaped, and its hidden signs are written out."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from podium.core.escape import visible, xml
from podium.core.numbers import clock, number, pvalue
from podium.core.version import VERSION
from podium.web.uploads import ACCEPTED


def _shown(value: Any) -> Any:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _lines(text: str) -> Markup:
    """Text of several lines, escaped line by line."""
    return Markup("\n".join(xml(line) for line in text.split("\n")))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("podium.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.filters["lines"] = _lines
    environment.filters["as_typed"] = escape  # what goes back into a field stays as it was typed
    environment.filters["trusted"] = Markup  # fragments that the report room has escaped
    environment.filters["shown"] = number
    environment.filters["pvalue"] = pvalue
    environment.filters["clock"] = clock
    environment.filters["zip_names"] = lambda names: [(name, name) for name in names]
    environment.globals["version"] = VERSION
    environment.globals["accepted"] = ACCEPTED
    return environment


def page(request: Request, template: str, *, here: str = "", status: int = 200, **values: Any) -> Response:
    """A page; `here` marks the place in the navigation."""
    watched = request.app.state.settings.watch is not None
    text = _environment().get_template(template).render(here=here, watched=watched, **values)
    return HTMLResponse(text, status_code=status)


@cache
def style_sheet() -> str:
    """The style of the report, so that pages and reports look alike, and what forms need besides."""
    from podium.plot.draw_svg import STYLE

    report = files("podium.report").joinpath("templates", "page.css").read_text(encoding="utf-8")
    own = files("podium.web").joinpath("static", "web.css").read_text(encoding="utf-8")
    return f"{STYLE}\n{report}\n{own}"
