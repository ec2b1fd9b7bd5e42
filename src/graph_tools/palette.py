"""The colours of a picture, each with its counterpart on a dark page, and the sizes of its words."""

CANVAS, FRAME = "#ffffff", "#d0d7de"
INK, SURFACE, LINE = "#1f2328", "#f6f8fa", "#57606a"
CHOICE = "#b45309"
END_INK, END_SURFACE = "#0550ae", "#ddf4ff"
PAUSE_LINE, PAUSE_SURFACE = "#7d4e00", "#fff8c5"

DARK = {
    CANVAS: "#0d1117", FRAME: "#30363d",
    INK: "#e6edf3", SURFACE: "#161b22", LINE: "#9198a1",
    CHOICE: "#f0a35e",
    END_INK: "#79c0ff", END_SURFACE: "#0c2d6b",
    PAUSE_LINE: "#e3b341", PAUSE_SURFACE: "#2b2111",
}

NODE_SIZE, SMALL_SIZE = 13, 11

STYLE = "\n".join([
    '\ntext{font-family:Arial,Helvetica,"Liberation Sans","DejaVu Sans",sans-serif}',
    ".edge text{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}",
    "@media (prefers-color-scheme:dark){",
    *(f'[fill="{light}"]{{fill:{dark}}}[stroke="{light}"]{{stroke:{dark}}}' for light, dark in DARK.items()),
    "}\n",
])
