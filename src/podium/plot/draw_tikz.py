r"""Scenes as TikZ source: needs `\usepackage{tikz}` and nothing else, in any engine; all text is escaped."""

from __future__ import annotations

from podium.core.escape import latex
from podium.plot.scene import Circle, Curve, Drawn, Polygon, Rect, Scene, Shape, Text, length
from podium.plot.style import hex_colour

_DASHES = {"solid": "", "dashed": "dash pattern=on 4bp off 3bp", "dotted": "dash pattern=on 1.5bp off 2bp"}
_ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}


def to_tikz(scene: Scene, *, standalone: bool = False) -> str:
    r"""The scene as a tikzpicture to \input, or as a whole document of the size of the figure.

    In a text narrower than the figure, put it into \resizebox{\textwidth}{!}{...}.
    """
    lines = [
        r"\begin{tikzpicture}[x=1bp, y=-1bp, line cap=butt, every node/.style={inner sep=0pt, outer sep=0pt}]",
        *_colours(scene),
        rf"\useasboundingbox (0,0) rectangle ({length(scene.width)},{length(scene.height)});",
        *(_command(shape) for shape in scene.shapes),
        r"\end{tikzpicture}%",
    ]
    picture = "\n".join(lines) + "\n"
    return _document(scene, picture) if standalone else picture


def _document(scene: Scene, picture: str) -> str:
    size = f"paperwidth={length(scene.width + 1)}bp, paperheight={length(scene.height + 1)}bp, margin=0.5bp"
    return (
        "\\documentclass{article}\n"
        "\\usepackage[T1]{fontenc}\n\\usepackage{lmodern}\n\\usepackage{tikz}\n"
        f"\\usepackage[{size}, noheadfoot, nomarginpar]{{geometry}}\n"
        "\\pagestyle{empty}\\parindent=0pt\\topskip=0pt\\maxdepth=0pt\n"
        f"\\begin{{document}}\\offinterlineskip\\sffamily\n{picture}\\end{{document}}\n"
    )


def _name(colour: str) -> str:
    """The name of a colour in TeX: letters and digits only."""
    return "podium" + hex_colour(colour)[1:]


def _colours(scene: Scene) -> list[str]:
    used: set[str] = set()
    for shape in scene.shapes:
        if isinstance(shape, Text):
            used.add(shape.colour)
        else:
            used.update(colour for colour in (shape.stroke, shape.fill) if colour)
    hexes = sorted({hex_colour(colour)[1:] for colour in used})
    return [rf"\definecolor{{podium{value}}}{{HTML}}{{{value.upper()}}}" for value in hexes]


def _command(shape: Shape) -> str:
    if isinstance(shape, Text):
        return _text(shape)
    options = []
    if shape.fill:
        options.append(f"fill={_name(shape.fill)}")
    if shape.stroke:
        options.append(f"draw={_name(shape.stroke)}, line width={length(shape.stroke_width)}bp")
        if shape.dash != "solid":
            options.append(_DASHES[shape.dash])
    if shape.opacity < 1:
        options.append(f"opacity={length(shape.opacity)}")
    return rf"\path[{', '.join(options)}] {_path(shape)};"


def _path(shape: Drawn) -> str:
    points = [f"({length(x)},{length(y)})" for x, y in shape.points]
    match shape:
        case Rect():
            return f"{points[0]} rectangle {points[2]}"
        case Circle():
            return f"({length(shape.x)},{length(shape.y)}) circle[radius={length(shape.radius)}bp]"
        case Curve():
            return f"{points[0]} .. controls {points[1]} and {points[2]} .. {points[3]}"
        case Polygon():
            return " -- ".join(points) + " -- cycle"
        case _:
            return " -- ".join(points)


def _text(text: Text) -> str:
    x, y = text.baseline
    options = [f"anchor={_ANCHORS[text.anchor]}", f"text={_name(text.colour)}"]
    if text.rotation:
        options.append(f"rotate={length(text.rotation)}")
    size = length(text.size)
    options.append(rf"font=\fontsize{{{size}bp}}{{{size}bp}}\selectfont{chr(92) + 'bfseries' if text.bold else ''}")
    return rf"\node[{', '.join(options)}] at ({length(x)},{length(y)}) {{{_content(text)}}};"


def _content(text: Text) -> str:
    """The text; if characters have to be spelled out, it is squeezed into the room that it was given."""
    content = latex(text.text)
    if r"\iffontchar" not in content:
        return content
    return (
        rf"\setbox0\hbox{{{content}}}\ifdim\wd0>{length(text.width)}bp"
        rf"\resizebox{{{length(text.width)}bp}}{{!}}{{\box0}}\else\box0\fi"
    )
