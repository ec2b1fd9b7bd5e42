"""The command `course`: the tour of the lessons, one lesson, the optional model."""

from typing import Annotated

import typer

from course import listings, tour
from support_desk.console import run_app, start

app = typer.Typer(add_completion=False, no_args_is_help=True, help="The support desk course.")


@app.command("tour")
def tour_command() -> None:
    """Run all lessons, one after the other."""
    raise typer.Exit(0 if tour.tour() else 1)


@app.command("run", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
def run_command(
    number: Annotated[int, typer.Argument(help="the lesson's number")],
    arguments: Annotated[list[str] | None, typer.Argument(help="what its main.py takes")] = None,
) -> None:
    """Run one lesson; what follows the number goes to its main.py."""
    raise typer.Exit(tour.run(number, arguments or []))


@app.command("model")
def model_command(
    record: Annotated[bool, typer.Option("--record", help="ask it again for every recorded ticket")] = False,
) -> None:
    """Install the small language model that lesson 7 can use (about 130 MB)."""
    from course import model

    raise typer.Exit(model.record() if record else model.install())


@app.command("listings")
def listings_command() -> None:
    """Bring every quotation in the READMEs up to date: code, and what commands print."""
    for page in listings.pages():
        page.write_text(listings.refreshed(page), encoding="utf-8", newline="\n")


def main() -> None:
    """Run the command; what is wrong with the input ends in one line."""
    start(lambda: run_app(app))
