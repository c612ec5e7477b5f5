"""The strategies that a lab compares, each with the parameters given for it.

fused,jlse:cf=50,jlse:cf=100:gamma=0.8
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cli.render.language import listed, tr
from cli.settings import DEFAULT_STRATEGY, read_settings_file
from ontology.errors import SettingsError
from semantic.strategies.strategy_table import STRATEGIES, parameters_of


@dataclass(frozen=True)
class Choice:
    """A strategy, and its parameters that differ from the defaults (`threshold` included)."""

    strategy: str
    parameters: Mapping[str, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The strategy as it would be typed."""
        return ":".join([self.strategy, *(f"{name}={value:g}" for name, value in self.parameters.items())])


def read_choices(typed: str, settings: Path | None = None) -> tuple[Choice, ...]:
    """The typed strategies, or all. A settings file gives parameters of the one strategy that it names.

    Raises SettingsError for an unknown strategy or parameter, and for a value that makes no sense.
    """
    words = [*STRATEGIES] if typed == "all" else [word.strip() for word in typed.split(",") if word.strip()]
    if not words:
        raise SettingsError(
            "--strategies names none", tr("there are: {strategies}; or all", strategies=listed(STRATEGIES))
        )
    chosen = [_choice(word) for word in words]
    if settings is not None:
        chosen = _with_file(chosen, settings)
    for choice in chosen:
        parameters_of(choice.strategy, choice.parameters)
    return tuple({choice.name: choice for choice in chosen}.values())


def _choice(word: str) -> Choice:
    strategy, *given = word.split(":")
    if strategy not in STRATEGIES:
        raise SettingsError(
            tr("no strategy is called '{strategy}'", strategy=strategy),
            tr("there are: {strategies}; or all", strategies=listed(STRATEGIES)),
        )
    return Choice(strategy, dict(_parameter(word, one) for one in given))


def _parameter(word: str, given: str) -> tuple[str, float]:
    name, _, value = given.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        cure = tr("write a strategy with parameters as in jlse:cf=50:gamma=0.8")
        raise SettingsError(
            tr("--strategies {word}: {given!r} gives no number", word=word, given=given), cure
        ) from None


def _with_file(chosen: list[Choice], path: Path) -> list[Choice]:
    """Add the file's parameters to its strategy. Typed parameters override the file."""
    values: dict[str, Any] = read_settings_file(path)
    strategy = values.get("strategy", DEFAULT_STRATEGY)
    if all(choice.strategy != strategy for choice in chosen):
        cure = tr('add {strategy} to --strategies, or let the file say strategy = "…"', strategy=strategy)
        raise SettingsError(
            tr("{path} is for strategy '{strategy}', which is not compared", path=path, strategy=strategy), cure
        )
    given = dict(values.get("parameters", {}))
    if "threshold" in values:
        given["threshold"] = values["threshold"]
    return [
        Choice(choice.strategy, {**given, **choice.parameters}) if choice.strategy == strategy else choice
        for choice in chosen
    ]
