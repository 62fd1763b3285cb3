"""Checks of the rules: moves, chance, the end, and what is refused."""

from __future__ import annotations

import random
from math import sqrt

import tsukimi
from tsukimi.check.trial import LANGUAGES, Check, Trial, canonical, fingerprint, observers, refused, require
from tsukimi.core.rng import Rng
from tsukimi.core.sheet import totals

LONG = 200  # decisions: a rule that has held for so long is unlikely to fail later
REFUSED = (tsukimi.MalformedMove, tsukimi.IllegalMove)


def random_games_end_with_a_winner(trial: Trial) -> None:
    start = trial.start()
    for seed in range(trial.games):
        core = start.copy()
        require(core.playout(Rng(seed)) > 0, "a game ends without a decision")
        require(core.over and not core.chance and core.actors == (), "a game that is over continues")
        require(core.winners(), "a game ends without a winner")
        require(all(0 <= seat < core.players for seat in core.winners()), "a seat that does not exist wins")


def random_games_take_about_as_long_as_declared(trial: Trial) -> None:
    mean = trial.start().playouts(Rng(1), trial.games) / trial.games
    length = trial.spec.length
    require(length / 8 <= mean <= 8 * length, f"{mean:.0f} decisions on average, but Spec.length is {length}")


def a_state_is_either_chance_or_a_decision_or_the_end(trial: Trial) -> None:
    core, rng = trial.start(), Rng(trial.seed + 5)
    while not core.over:
        require(core.chance != bool(core.actors), "chance and a decision are pending at once, or neither is")
        if core.chance:
            core.apply(core.sample_outcome(rng))
        else:
            seat = core.actors[rng.randrange(len(core.actors))]
            core.apply(core.random_action(seat, rng), seat)
    require(not core.chance and not core.actors, "something is pending after the end")


def legal_moves_are_distinct_and_their_texts_can_be_parsed(trial: Trial) -> None:
    for state in trial.game(1):
        for seat in range(state.players):
            moves, texts = state.actions(seat), state.legal(seat)
            require(bool(moves) == (seat in state.actors), "a seat must have moves exactly when it may act")
            require(len(set(moves)) == len(moves), "a move is listed twice")
            require(all(0 <= move < state.core.move_ids for move in moves), "a move is not below move_ids")
            require(len(moves) <= state.core.max_moves, "there are more moves than max_moves")
            require(len(set(texts)) == len(texts), "two moves have the same text")
            for move, text in list(zip(moves, texts, strict=True))[:40]:
                require(
                    text.isascii() and text == " ".join(text.split()), f"{text!r} is not plain ASCII with single spaces"
                )
                require(state.parse(text, seat) == move, f"{text!r} is parsed as a different move")
                require(state.text(move, seat) == text, f"{text!r} has a different text")


def equal_states_list_legal_moves_in_the_same_order(trial: Trial) -> None:
    for _, state in trial.some(2, 12):
        again = tsukimi.replay(state.record(), chance="manual")
        for seat in range(state.players):
            require(state.legal(seat) == state.copy().legal(seat) == again.legal(seat), "the order changes")


def random_moves_are_legal_and_every_legal_move_occurs(trial: Trial) -> None:
    rng = Rng(trial.seed + 3)
    for decision, state in enumerate(trial.game(2)):
        if decision > 40 or state.over:
            break
        seat = state.actors[0]
        moves = set(state.actions(seat))
        drawn = {state.core.random_action(seat, rng) for _ in range(min(2000, 12 * len(moves)))}
        require(drawn <= moves, "a random move is not legal")
        if len(moves) <= 12 and trial.games >= 20:
            drawn = {state.core.random_action(seat, rng) for _ in range(400)}
            require(drawn == moves, "a legal move is never drawn")


def manual_chance_waits_and_its_probabilities_sum_to_one(trial: Trial) -> None:
    state, luck = trial.new(chance="manual"), trial.luck(13)
    seen = 0
    while not state.over and seen < 120:
        if not state.chance:
            state.apply(luck.choice(state.actions()))
            continue
        seen += 1
        outcomes = state.outcomes()
        texts = [text for text, _ in outcomes]
        require(state.actors == (), "a seat may act while chance is pending")
        require(
            all(state.legal(seat) == [] for seat in range(state.players)), "a seat has moves while chance is pending"
        )
        require(abs(sum(p for _, p in outcomes) - 1) < 1e-9, "the probabilities do not add up to one")
        require(all(p > 0 for _, p in outcomes), "an outcome has probability 0")
        require(len(set(texts)) == len(texts), "two outcomes have the same text")
        require(state.legal() == texts, "the legal outcomes differ")
        for text, number in zip(texts[:20], state.actions()[:20], strict=True):
            require(state.parse(text) == number, f"{text!r} is parsed as a different outcome")
        refused(tsukimi.NotYourTurn, "a seat's move at chance", state.play, texts[0], 0)
        state.play(luck.choices(texts, [p for _, p in outcomes])[0])


def chance_is_drawn_with_its_stated_probabilities(trial: Trial) -> None:
    core, spec, rng = trial.start(), trial.spec, Rng(trial.seed + 14)
    draws = 40 * trial.games
    for _ in range(150):
        if core.over:
            break
        if not core.chance:
            core.apply(core.random_action(core.actors[0], rng))
            continue
        possible = dict(spec.outcomes(core))
        drawn = [core.sample_outcome(rng) for _ in range(draws if len(possible) <= 30 else 5)]
        require(all(outcome in possible for outcome in drawn), "an outcome is drawn that is not listed")
        if len(possible) <= 30:
            for outcome, p in possible.items():
                spread = 6 * sqrt(draws * p * (1 - p)) + 1
                require(
                    abs(drawn.count(outcome) - draws * p) <= spread,
                    f"outcome {outcome} is drawn too often or too rarely",
                )
        core.apply(drawn[0])


def only_possible_outcomes_can_be_applied(trial: Trial) -> None:
    core, spec, rng = trial.start(), trial.spec, Rng(trial.seed + 15)
    for _ in range(60):
        if core.over:
            break
        if not core.chance:
            core.apply(core.random_action(core.actors[0], rng))
            continue
        possible = {outcome for outcome, _ in spec.outcomes(core)}
        for outcome in {*range(-1, 40), 500, *(rng.randrange(2**25) for _ in range(10))} - possible:
            refused(REFUSED, f"outcome {outcome}", core.copy().apply, outcome)
        for outcome in sorted(possible)[:30]:
            core.copy().apply(outcome)
        core.apply(core.sample_outcome(rng))


def the_first_player_is_drawn_or_chosen(trial: Trial) -> None:
    require(trial.new(16).lines()[0].startswith("first p"), "the first event is not `first`")
    chosen = trial.new(16, first="p2")
    require(not any(line.startswith("first") for line in chosen.lines()), "a chosen first player is drawn all the same")
    require("option first p2" in chosen.record(), "the record does not say who was chosen")
    expected = [f"first p{seat + 1}" for seat in range(trial.variant.players)]
    require(trial.new(chance="manual").legal() == expected, "not every seat can be first")


def illegal_moves_are_refused_and_change_nothing(trial: Trial) -> None:
    luck = trial.luck(8)
    for decision, state in enumerate(trial.game(8)):
        if decision % 9 or state.over:
            continue
        if decision > LONG:
            break
        before = fingerprint(state)
        for seat in range(state.players):
            _refuses(state, seat, luck)
        require(fingerprint(state) == before, "a refused move has changed the state")


def _refuses(state: tsukimi.State, seat: int, luck: random.Random) -> None:
    if seat not in state.actors:
        refused(tsukimi.NotYourTurn, "a move of a seat that may not act", state.play, "pass", seat)
        refused(tsukimi.NotYourTurn, "a move of a seat that may not act", state.apply, 0, seat)
        return
    legal = set(state.actions(seat))
    for move in [luck.randrange(state.core.move_ids) for _ in range(15)]:
        if move not in legal:
            error = refused(tsukimi.IllegalMove, f"move {move}", state.apply, move, seat)
            assert isinstance(error, tsukimi.IllegalMove)
            require(error.legal == state.legal(seat), "the error lists moves other than the legal ones")
            require(all(len(error.message(lang)) > 5 for lang in LANGUAGES), "the error has no text")
    for bad in (-1, state.core.move_ids, 2**40, None, "0", 1.0, True):
        refused(tsukimi.MalformedMove, f"move {bad!r}", state.apply, bad, seat)
    for bad in ("", " ", "hello", None, 7, f"p1 {state.legal(seat)[0]}", f"{state.legal(seat)[0]} ", "x" * 10**6):
        refused(REFUSED, f"the text {str(bad)[:20]!r}", state.play, bad, seat)


def texts_that_are_legal_elsewhere_are_refused_or_legal_here(trial: Trial) -> None:
    texts: set[str] = set()
    for state in trial.game(9):
        texts.update(state.legal()[:6])
    listed, luck = sorted(texts), trial.luck(9)
    for decision, state in enumerate(trial.game(10)):
        if decision % 7 or state.over:
            continue
        if decision > LONG:
            break
        before, seat = fingerprint(state), state.actors[0]
        legal = set(state.legal(seat))
        for text in luck.sample(listed, min(20, len(listed))):
            if text not in legal:
                error = refused(REFUSED, f"the text {text!r}", state.play, text, seat)
                assert isinstance(error, tsukimi.TsukimiError)
                require(all(len(error.message(lang)) > 5 for lang in LANGUAGES), "the error has no text")
        require(fingerprint(state) == before, "a refused move has changed the state")


def arbitrary_text_never_corrupts_a_state(trial: Trial) -> None:
    states, luck = _some_states(trial), trial.luck(11)
    vocabulary = sorted({word for state in states for text in state.legal()[:50] for word in text.split()})
    letters = "abcxyzAB01789 -*.+é\u0000\n😀"
    for _ in range(10 * trial.games):
        state = luck.choice(states)
        if luck.random() < 0.5:
            text = "".join(luck.choices(letters, k=luck.randrange(30)))
        else:
            text = " ".join(luck.choices(vocabulary, k=luck.randrange(7)))
        before = state.record()
        try:
            state.parse(text)
        except REFUSED:
            pass
        try:
            state.copy().play(text)
        except REFUSED:
            require(text not in state.legal(), f"the legal {text!r} is refused")
        else:
            require(text in state.legal(), f"{text!r} is played, but not legal")
        require(state.record() == before, "a text has changed the state")


def _some_states(trial: Trial) -> list[tsukimi.State]:
    """At decisions, and at chance where it comes by hand."""
    states = [state.copy() for i, state in enumerate(trial.game(11)) if i % 11 == 0 and not state.over][:12]
    manual, luck = trial.new(chance="manual"), trial.luck(1)
    while not manual.over and len(states) < 24:
        states.append(manual.copy())
        manual.apply(luck.choice(manual.actions()))
    return states


def views_and_events_are_plain_data_and_match_the_record(trial: Trial) -> None:
    state = trial.new(12)
    for decision, state in enumerate(trial.game(12)):
        if decision % 5 and not state.over:
            continue
        for seat in observers(state):
            view = state.view(seat)
            canonical(view)
            require(view["actors"] == list(state.actors), "the view names different actors")
            require(isinstance(view["phase"], str), "the view has no phase")
            require((view["ask"] is None) == (not state.actors), "`ask` must be set exactly when a seat may act")
    lines = state.lines()
    for seat in observers(state):
        events = state.events(seat)
        canonical(events)
        require([event["index"] for event in events] == list(range(len(lines))), "events and lines do not match")
        for event, line in zip(events, lines, strict=True):
            require(isinstance(event["type"], str), "an event has no type")
            mover = line.split()[0]
            if mover in ("p1", "p2", "p3", "p4", "p5"):
                require(event["seat"] == int(mover[1]) - 1, "an event names a different seat from the record")
        require(state.events(seat, since=len(lines) - 2) == events[-2:], "`since` gives different events")


def the_points_at_stake_match_the_result_of_the_move(trial: Trial) -> None:
    for _, state in trial.some(13, 120):
        before = state.scores()
        for seat in state.actors:
            for text, move in state.choices(seat).items():
                points = [
                    stake["points"] for stake in state.spec.stakes(state.core, seat, move) if stake["kind"] == "points"
                ]
                if points:
                    after = state.core.copy()
                    after.apply(move, seat)
                    require(
                        sum(points) == after.scores()[seat] - before[seat],
                        f"{text} does not bring the points that it says",
                    )


def the_score_sheet_adds_up_to_the_scores(trial: Trial) -> None:
    state = trial.played(14)
    rows = state.score_sheet()
    canonical(rows)
    require(not rows or totals(rows, state.players) == state.scores(), "the rows do not add up to the scores")


CHECKS: tuple[Check, ...] = (
    random_games_end_with_a_winner,
    random_games_take_about_as_long_as_declared,
    a_state_is_either_chance_or_a_decision_or_the_end,
    legal_moves_are_distinct_and_their_texts_can_be_parsed,
    equal_states_list_legal_moves_in_the_same_order,
    random_moves_are_legal_and_every_legal_move_occurs,
    manual_chance_waits_and_its_probabilities_sum_to_one,
    chance_is_drawn_with_its_stated_probabilities,
    only_possible_outcomes_can_be_applied,
    the_first_player_is_drawn_or_chosen,
    illegal_moves_are_refused_and_change_nothing,
    texts_that_are_legal_elsewhere_are_refused_or_legal_here,
    arbitrary_text_never_corrupts_a_state,
    views_and_events_are_plain_data_and_match_the_record,
    the_points_at_stake_match_the_result_of_the_move,
    the_score_sheet_adds_up_to_the_scores,
)
