"""The errors. Each carries a code and parameters, so that one catalogue provides texts in three languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tsukimi.core import catalogue


class TsukimiError(ValueError):
    """The base of all errors. `code` and `params` are for programs, `message(lang)` and `str()` for people."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code, params)
        self.code = code
        self.params: Mapping[str, object] = params

    def message(self, lang: str = "en") -> str:
        params = {k: v.message(lang) if isinstance(v, TsukimiError) else v for k, v in self.params.items()}
        return catalogue.say("error", self.code, params, lang)

    def __str__(self) -> str:
        return self.message()

    def __reduce__(self) -> tuple[object, ...]:
        return _revive, (type(self), self.code, dict(self.params), dict(self.__dict__))


class MalformedMove(TsukimiError):
    """The text is not a move of this game."""


class IllegalMove(TsukimiError):
    """The move exists but may not be made now. `legal` lists the moves that may."""

    def __init__(self, code: str, legal: Sequence[str] = (), **params: object) -> None:
        super().__init__(code, **params)
        self.legal = list(legal)

    def message(self, lang: str = "en") -> str:
        if not self.legal:
            return self.why(lang)
        shown = ", ".join(self.legal[:12]) + (", .." if len(self.legal) > 12 else "")
        return catalogue.say("error", "illegal", {"why": super().message(lang), "legal": shown}, lang)

    def why(self, lang: str = "en") -> str:
        """Just the reason, without the list of legal moves."""
        return super().message(lang)


class NotYourTurn(TsukimiError):
    """The seat may not act now."""


class BadOptions(TsukimiError):
    """An unknown game, number of players, option or value."""


class BadComponents(TsukimiError):
    """A component file that does not give a playable game; says what is wrong and where."""


class BadRecord(TsukimiError):
    """A record that cannot be replayed; says which line is wrong."""


def _revive(kind: type[TsukimiError], code: str, params: dict[str, object], state: dict[str, object]) -> TsukimiError:
    error = kind(code, **params)
    error.__dict__.update(state)
    return error
