"""What a study has found, as a page for players: a table for each kind of decision, and what stands out."""

from __future__ import annotations

from pathlib import Path

from tsukimi.core import catalogue
from tsukimi.core.catalogue import percentage
from tsukimi.core.words import title
from tsukimi.lab.openings.study import Study
from tsukimi.lab.openings.topics import TOPICS, Topic

catalogue.register("openings", Path(__file__).parent / "messages")
FEWEST = 12  # choices that are rarer are left out: their shares say nothing
TREND = 0.15  # a smaller change of what is chosen is not worth a sentence


def page(study: Study, lang: str) -> str:
    """Markdown."""
    fair = percentage(1 / study.players, lang)
    fields = {"game": title(study.game, lang), "games": study.games, "players": study.players, "fair": fair}
    lines = [f"# {_say('page', 'title', lang, **fields)}", "", _say("page", "intro", lang, **fields), ""]
    for topic in TOPICS[study.game].topics:
        lines += [*_section(study, topic, lang), ""]
    return "\n".join(lines).rstrip() + "\n"


def _say(section: str, code: str, lang: str, **fields: object) -> str:
    return catalogue.say(section, f"openings.{code}", fields, lang)


def _section(study: Study, topic: Topic, lang: str) -> list[str]:
    name = f"{study.game}-{topic.name}"
    heads = [_say("page", head, lang) for head in ("situation", "choice", "often", "won")]
    lines = [f"## {_say('topic', name, lang)}", "", _say("about", name, lang), ""]
    lines += [f"| {' | '.join(heads)} |", "|---|---|---:|---:|"]
    for situation in topic.situations:
        for number, choice in enumerate(_shown(study, topic, situation)):
            share, interval = study.share(topic.name, situation, choice)
            count = study.count(topic.name, situation, choice)
            cells = [
                "" if number else _say("situation", f"{name}-{situation}", lang),
                _say("choice", f"{name}-{choice}", lang),
                f"{percentage(study.part(topic.name, situation, choice), lang)} ({count})",
                f"{percentage(share, lang)} ±\u00a0{round(100 * interval)}",
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return [*lines, "", *(f"- {finding}" for finding in _findings(study, topic, lang))]


def _shown(study: Study, topic: Topic, situation: str) -> list[str]:
    return [choice for choice in topic.choices if study.count(topic.name, situation, choice) >= FEWEST]


def _findings(study: Study, topic: Topic, lang: str) -> list[str]:
    """What masters prefer in each situation, how that changes from the first to the last, and which choice clearly won
    more often, if one did."""
    name = f"{study.game}-{topic.name}"
    found, clear = [], False
    for situation in topic.situations:
        choices = _shown(study, topic, situation)
        if not choices:
            continue
        favourite = max(choices, key=lambda choice: study.count(topic.name, situation, choice))
        part = study.part(topic.name, situation, favourite)
        how = "always" if part > 0.9 else "mostly" if part > 0.6 else "often"
        text = _say("situation", f"{name}-{situation}", lang)
        fields = {
            "situation": f"**{text[0].upper()}{text[1:]}**",
            "choice": _say("choice", f"{name}-{favourite}", lang),
            "part": percentage(part, lang),
        }
        difference = _difference(study, topic, situation, choices, lang)
        clear = clear or bool(difference)
        found.append(f"{_say('finding', how, lang, **fields)} {difference}".rstrip())
    found += _trend(study, topic, lang)
    return found if clear or not found else [*found, _say("finding", "even", lang)]


def _trend(study: Study, topic: Topic, lang: str) -> list[str]:
    """The choice that depends most on the situation, if one clearly does."""
    name, seen = (
        f"{study.game}-{topic.name}",
        [situation for situation in topic.situations if _shown(study, topic, situation)],
    )
    if len(seen) < 2:
        return []
    first, last = seen[0], seen[-1]
    parts = {
        choice: [study.part(topic.name, situation, choice) for situation in (first, last)] for choice in topic.choices
    }
    choice = max(parts, key=lambda one: abs(parts[one][1] - parts[one][0]))
    before, after = parts[choice]
    if abs(after - before) < TREND:
        return []
    fields = {
        "choice": _say("choice", f"{name}-{choice}", lang),
        "first": _say("situation", f"{name}-{first}", lang),
        "last": _say("situation", f"{name}-{last}", lang),
        "before": percentage(before, lang),
        "after": percentage(after, lang),
    }
    return [_say("finding", "trend", lang, **fields)]


def _difference(study: Study, topic: Topic, situation: str, choices: list[str], lang: str) -> str:
    """A sentence about two choices of which one clearly won more often; empty if chance explains it."""
    ranked = sorted(choices, key=lambda choice: study.share(topic.name, situation, choice)[0])
    worst, best = ranked[0], ranked[-1]
    low, low_error = study.share(topic.name, situation, worst)
    high, high_error = study.share(topic.name, situation, best)
    if high - low <= (low_error**2 + high_error**2) ** 0.5:
        return ""
    name = f"{study.game}-{topic.name}"
    fields = {
        "best": _say("choice", f"{name}-{best}", lang),
        "worst": _say("choice", f"{name}-{worst}", lang),
        "high": percentage(high, lang),
        "low": percentage(low, lang),
    }
    return _say("finding", "clear", lang, **fields)
