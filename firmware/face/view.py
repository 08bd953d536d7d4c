"""The face: what both players see of a game at an instant. Pure; the words come from the language's texts.

With it the state of the game as a language-independent key, for displays that show codes instead of words; a verdict on offer: its name, large,
and what follows from it for each player; and faces to come, for a screen to prepare.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from appliance.errors import Diagnosis
from firmware.face.guidance import (
    asked_first,
    details,
    entry_page,
    final_mark,
    is_quiet,
    over_prompt,
    own_button,
    prompt,
    sign_page,
    status,
    why_stopped,
)
from firmware.face.schedule import answers_at, fills, held_back
from firmware.face.value import FILL_STEPS, Face, FillFace, HalfFace, MenuFace, MessageTone, WindowFace
from firmware.gestures.clock_state import ClockState, CodeDoor, with_history
from firmware.gestures.meaning import offer_key
from firmware.menu.actions import Menu
from firmware.menu.describe import banner, capitalised, changes, half, infractions, listed, signed, signed_points, window
from firmware.menu.menu import page
from firmware.table_menu.actions import SIGN, AgreedChange, PageKind, TablePage, TableRow, owed
from firmware.table_menu.pages import page as table_menu_page
from firmware.texts import KeyedMessage, Texts
from game.events import End, GameEvent, Neutralise, NewGame, Press, Verdict
from game.game import OUT_PLAY_WINDOW, EventNotAllowed, Game, Phase, Stopped
from game.history import accept, habit_press
from game.rulings import LATE_START
from rules.duration import GameTime, MachineTime, reading, seconds_shown
from rules.side import BySide, Side
from rules.tables import WORDS_IN_CHALLENGE

_DOT: Final = "•"
FEW_ROWS: Final = 4


def director_page(menu: Menu, state: ClockState, machine: MachineTime) -> MenuFace:
    setup = state.setup
    now = state.instant(machine)
    shown = page(menu, state.history, setup, now)
    chosen, options, texts = shown.options[shown.cursor], shown.options, setup.texts
    hint = texts.say("menu.key_off.hint" if menu.key_off else "menu.hint_two" if setup.two_button else "menu.hint_full")
    # A time frame that counts stays in sight; its place stays when it is over, so that no row moves.
    said = shown.said or window(state.history.game_at(now), now, texts) or ""
    return MenuFace(
        _closing(shown.title, state.menu_closes_at, machine, texts),
        tuple(option.text for option in options),
        shown.cursor,
        texts.say("menu.refused", why=chosen.why) if chosen.why else hint,
        (*shown.lines, said),
        made=signed(menu.amount) if menu.amount else "",
        sentence=capitalised(shown.sentence),
        groups=tuple(option.group for option in options) if any(option.group for option in options) else (),
        place=texts.say("menu.place", place=shown.cursor + 1, count=len(options)) if len(options) > FEW_ROWS else "",
        asks_side=any(option.side is not None for option in options),
        marked=chosen.side,
        grey=frozenset(row for row, option in enumerate(options) if option.why),
    )


def door_page(door: CodeDoor, state: ClockState, machine: MachineTime) -> MenuFace:
    texts, title = state.setup.texts, state.setup.texts.say("door.title")
    if machine < state.shut_until:
        # What the page waits for is the only time on it.
        return MenuFace(title, (), None, "", sentence=texts.say("door.shut", seconds=seconds_shown(state.shut_until - machine)))
    line = texts.say("door.wrong") if door.wrong and not door.entered else " ".join(_DOT for _ in door.entered)
    told = texts.say("door.checking" if door.checking else "door.hint")
    return MenuFace(_closing(title, door.closes_at, machine, texts), (), None, "", (line,) if line else (), sentence=told)


def table_page(shown: TablePage, reader: Side, state: ClockState, now: GameTime) -> MenuFace:
    texts = state.setup.texts
    if shown.entry is not None:
        return entry_page(shown.entry, reader, state, now)
    if shown.kind is PageKind.SIGN:
        return sign_page(reader, state, now)
    rows = tuple(capitalised(_row(row, reader, texts)) for row in shown.rows)
    lines = (
        *filter(None, (window(state.history.game_at(now), now, texts),)),
        *(() if shown.change is None else _changes(shown.change, reader, now, texts)),
        *_accepted(shown, reader, texts),
    )
    title = _lapsing((_to_the_player(shown.title) if shown.about is reader else shown.title).said(texts), shown.lapses, texts)
    refused = shown.refused or (shown.rows[shown.cursor].refused if rows else None)
    hint = texts.say(f"table_menu.{_page_hint(shown, reader)}") if refused is None else refused.said(texts)
    if not rows:
        # Without rows the hint is the instruction, in large type.
        return MenuFace(title, (), None, "", lines, sentence=hint)
    own_move = 0 if len(rows) == 1 or shown.keeps else -1 if reader is Side.LEFT else 1
    grey = frozenset(place for place, row in enumerate(shown.rows) if row.refused is not None)
    figures = () if state.setup.screen else (shown.rows[shown.cursor].name,)
    return MenuFace(title, rows, shown.cursor, hint, lines, own_move=own_move, figures=figures, grey=grey)


def _row(row: TableRow, reader: Side, texts: Texts) -> str:
    return _lapsing((_to_the_player(row.message) if row.side is reader else row.message).said(texts), row.lapses, texts)


def _to_the_player(said: KeyedMessage) -> KeyedMessage:
    """Return what the player reads whom the opponent's text is about."""
    return replace(said, key=f"{said.key.removesuffix('_opponent')}_you")


def _lapsing(text: str, left: int | None, texts: Texts) -> str:
    return texts.say("closed.in", title=text, reading=reading(left)) if left is not None and left > 0 else text


def _closing(title: str, closes_at: int | None, machine: MachineTime, texts: Texts) -> str:
    return _lapsing(title, None if closes_at is None else closes_at - machine, texts)


def _page_hint(shown: TablePage, reader: Side) -> str:
    match shown.kind:
        case PageKind.AGREE | PageKind.SCORE | PageKind.SIGN:
            return "hint_agree"
        case PageKind.WHO:
            return "hint_who" if shown.about is None else "hint_yes" if shown.about is reader else "hint_no"
        case PageKind.CALLED:
            return "hint_kept_late" if reader in shown.keeps else "hint_called"
        case PageKind.ROWS:
            if shown.keeps:
                return "hint_kept_late" if reader in shown.keeps else "hint_only_down"
            if len(shown.rows) == 1:
                return "hint_only_choose"
            # A button is "yours" or "the other": who reads this knows neither side by its name.
            return "hint_up" if reader is Side.LEFT else "hint_down"


def _accepted(shown: TablePage, reader: Side, texts: Texts) -> Iterator[str]:
    if shown.title.key == "table_menu.agree.out_play_opponent":
        yield texts.say("table_menu.accepted")
        if reader is not shown.about:
            yield texts.say("table_menu.challenge_instead")


def _changes(change: AgreedChange, reader: Side, now: GameTime, texts: Texts) -> Iterator[str]:
    if change.after.rulebook != change.before.rulebook:
        # The strip still shows the present one.
        yield texts.render(change.after.rulebook.title)
    if isinstance(change.event, NewGame):
        for side in (reader, reader.other):
            begins = reading(change.after.remaining(side, now))
            yield texts.say("table_menu.begins_you" if side is reader else "table_menu.begins_opponent", time=begins)
        return
    if isinstance(change.event, End) and change.after.phase is Phase.OVER:
        # The title says who resigns.
        return
    before, after = (_state(game, reader, texts) for game in (change.before, change.after))
    if before != after:
        yield texts.say("table_menu.change_status", before=before, after=after)
    changed = {side: changes(change.before, change.after, side, now, texts) for side in (reader, reader.other)}
    for side, (old, new) in ((side, each) for side, each in changed.items() if each is not None):
        yield texts.say("table_menu.change_you" if side is reader else "table_menu.change_opponent", before=old, after=new)
    if not any(changed.values()):
        yield texts.say("table_menu.times_stay")


_CUES: Final = {("out_play",): "who_out", SIGN: "sign"}
"""Of pages that a display of digits alone shows."""


def cue(state: ClockState, game: Game) -> str:
    """Return the phase's value, or a more specific key.

    These are ``confirm``, ``who_out``, ``sign``, ``unsigned``, ``acceptable``, ``unacceptable``, ``offer_acceptable``, ``offer_unacceptable``, ``offer_back``.
    """
    if state.frozen is not None:
        return "confirm"
    if state.table_menu is not None and state.table_menu.path in _CUES:
        return _CUES[state.table_menu.path]
    if game.ruling in ("acceptable", "unacceptable"):
        return game.ruling
    if game.phase is Phase.ADJUDICATION and state.offer is not None:
        return f"offer_{offer_key(state.offer)}"
    return "unsigned" if owed(game, state.setup) else game.phase.value


def offer_words(state: ClockState) -> str:
    offer, texts = state.offer, state.setup.texts
    if not isinstance(offer, Verdict) or not offer.acceptable or not state.history.game.rulebook.challenge.points_a_word:
        return texts.say(f"offer.{offer_key(offer)}")
    return texts.say("offer.word") if offer.words == 1 else texts.say("offer.words", words=offer.words)


def standing(state: ClockState) -> GameEvent | None:
    """Return the event on offer, or None; until the times of a power cut are confirmed, none is."""
    return None if state.frozen is not None else state.offer


def consequence(state: ClockState, offered: GameEvent, side: Side, now: GameTime) -> str:
    texts, history = state.setup.texts, state.history
    before, after = history.game_at(now), accept(history, offered, now).game_at(now)
    gained = after.accounts.of(side).points - before.accounts.of(side).points
    points = [signed_points(gained, texts)] if gained else []
    return texts.say("offer.then", what=listed(_state(after, side, texts), iter(points), texts))


def _state(game: Game, side: Side, texts: Texts) -> str:
    return texts.say("phase.over" if game.phase is Phase.OVER else f"status.{status(game, side)}") or texts.say(f"phase.{game.phase.value}")


LOW_S: Final = 60


def face(state: ClockState, at: int, notices: tuple[str, ...] = (), no_buttons: Diagnosis | None = None) -> Face:
    """Return the face of ``state`` (ticked up to ``at``) at ``at`` (ns, CLOCK_MONOTONIC), with the shell's notices; ``no_buttons``: why none works, None: they work."""
    state = held_back(state, at)
    setup, machine, now = state.setup, MachineTime(at), state.instant(at)
    game = state.history.game_at(now)
    texts = setup.texts
    menu = None if state.menu is None else director_page(state.menu, state, machine)
    shown = Face(
        phase=game.phase,
        halves=BySide(*(_half(state, game, side, machine) for side in Side)),
        banner="" if game.phase is Phase.READY else banner(game, texts),
        details=tuple(details(state, game, now)),
        window=_window(game, now, texts),
        notices=notices,
        rulebook=texts.render(game.rulebook.title),
        reason=why_stopped(game, texts),
        menu=menu if state.door is None else door_page(state.door, state, machine),
        fills=tuple(_fills(state, machine)),
        called=texts.say("strip.called_door" if setup.two_button else "strip.called") if game.called else "",
        hint=_hint(state, game, now),
        no_buttons=no_buttons is not None,
        cue=cue(state, game),
    )
    return shown if no_buttons is None or game.running is not None else _without_buttons(shown, no_buttons, texts)


_FILLS: Final = ("fill.let_go.", "fill.hold_on.")
_NEXT: Final[tuple[GameEvent, ...]] = (Press(Side.LEFT), Press(Side.RIGHT), Neutralise())


def rehearsal(state: ClockState, now: int, notices: tuple[str, ...] = ()) -> Iterator[Face]:
    """Yield faces that a screen can prepare, so that no press waits for its picture: those that two presses lead to, and every text of a fill."""
    reached = [state]
    for _ in range(2):
        reached = [after for each in reached for event in _NEXT for after in _after(each, event, now)]
        yield from (face(each, now, notices) for each in reached)
    yield replace(face(state, now, notices), fills=tuple(_every_fill(state.setup.texts)))


def _after(state: ClockState, event: GameEvent, now: int) -> Iterator[ClockState]:
    with suppress(EventNotAllowed):
        yield with_history(state, accept(state.history, event, state.instant(now)))


def _every_fill(texts: Texts) -> Iterator[FillFace]:
    # Once reached, what holding on did is what letting go does, so each text stands in both lines.
    for name in texts.by_key:
        if name.startswith(_FILLS):
            what = texts.say(name, count=WORDS_IN_CHALLENGE)
            yield FillFace(None, texts.say("fill.letting_go", what=what), texts.say("fill.holding_on", what=what), 0)


def _without_buttons(face: Face, why: Diagnosis, texts: Texts) -> Face:
    sentences = (texts.render(why.problem), texts.render(why.remedy), texts.say("notice.no_buttons_again"))
    return replace(
        face,
        banner=texts.say("notice.no_buttons"),
        details=tuple(capitalised(each) for each in sentences if each),
        window=None,
        hint="",
        halves=face.halves.map(lambda half: replace(half, prompt=texts.say("notice.no_buttons"), tone=MessageTone.INSTRUCTS)),
    )


def _half(state: ClockState, game: Game, side: Side, machine: MachineTime) -> HalfFace:
    texts, now = state.setup.texts, state.instant(machine)
    remaining, status_key = game.remaining(side, now), status(game, side)
    instruction, tone = _instruction(state, game, side, machine)
    offered = standing(state)
    ending, shown = game.turn_ending(now) if game.turn is side else None, seconds_shown(remaining)
    return HalfFace(
        side=side,
        name=texts.say(f"side.{side}"),
        reading=reading(remaining),
        runs=game.running is side,
        overtime=shown < 0,
        low=shown < LOW_S,
        status=texts.say(f"status.{status_key}"),
        prompt=instruction,
        marks=(*_marks(game, side, now, texts), *_last_game(state, game, side, now)),
        status_key=status_key,
        note=_own_note(state, game, side, machine) if offered is None else consequence(state, offered, side, now),
        tone=tone,
        page=None
        if state.table_menu is None
        else table_page(table_menu_page(state.table_menu, state.history, state.setup, now, state.draft), side, state, now),
        seconds=shown,
        turn_warned=_turn_warned(game, ending),
        turn_left=None if ending is None else seconds_shown(ending),
    )


def _turn_warned(game: Game, ending: int | None) -> int:
    limit = game.rulebook.turn
    return 0 if ending is None or limit is None else sum(ending <= each for each in (*limit.warnings_ns, 0))


def _own_note(state: ClockState, game: Game, side: Side, machine: MachineTime) -> str:
    if game.out_player is not None or state.frozen is not None:
        return ""
    now, answered = state.instant(machine), any(each.where in (side, None) for each in answers_at(state, machine))
    if asked_first(game, now) is not None:
        return "" if answered else state.setup.texts.say(f"prompt.{own_button(game, side, now)}")
    # After a ruling the note says what stands.
    if game.phase is Phase.NEUTRAL and game.ruling is None and not answered and game.window_at(now) is None:
        return _asks_out_play(state, game, side)
    if game.phase is not Phase.HOLD:
        return ""
    return state.setup.texts.say("note.holds" if game.running is side else "note.on_hold")


def _asks_out_play(state: ClockState, game: Game, side: Side) -> str:
    texts = state.setup.texts
    if game.turn is side:
        return texts.say("note.out_play")
    # Out of habit the out player has ended the turn by a press: the menu puts the out play in its place. To try it would go through the whole game.
    return texts.say("note.out_play_menu") if habit_press(state.history, side) is not None else ""


def _instruction(state: ClockState, game: Game, side: Side, machine: MachineTime) -> tuple[str, MessageTone]:
    texts = state.setup.texts
    answer = next((each for each in answers_at(state, machine) if each.where in (side, None)), None)
    if answer is not None:
        return answer.message.said(texts), MessageTone.ANSWERS
    if state.frozen is not None:
        return texts.say("prompt.confirm"), MessageTone.INSTRUCTS
    if standing(state) is not None:
        return offer_words(state), MessageTone.INSTRUCTS
    instruction = over_prompt(state, game, side) or prompt(game, side, state.instant(machine))
    return instruction.said(texts), MessageTone.QUIET if is_quiet(instruction) else MessageTone.INSTRUCTS


def _fills(state: ClockState, machine: MachineTime) -> Iterator[FillFace]:
    texts = state.setup.texts
    for fill in fills(state) if state.frozen is None else ():
        if machine >= fill.shows_from:
            let_go = texts.say("fill.letting_go", what=fill.let_go.said(texts))
            hold_on = "" if fill.hold_on is None else texts.say("fill.holding_on", what=fill.hold_on.said(texts))
            yield FillFace(fill.where, let_go, hold_on, int(fill.fraction(machine) * FILL_STEPS), fill.stages)


def _hint(state: ClockState, game: Game, now: GameTime) -> str:
    texts = state.setup.texts
    if state.asks_ok:
        return texts.say("strip.asks_ok")
    # While a menu is open, a gesture means what its own line of help says.
    if state.frozen is not None or state.table_menu is not None or state.door is not None or state.menu is not None:
        return ""
    if game.phase is Phase.OVER:
        if game.wait_to_leave(now):
            return texts.say("banner.menu")
        return texts.say("strip.next_game_results" if state.setup.results else "strip.next_game")
    if not game.unexplained:
        return ""
    # A stop after a hold, without another reason, is a binding challenge (2017 IV.I.3).
    after_hold = game.hold is not None and isinstance(game.state, Stopped) and game.hold.since <= game.state.at
    return texts.say("strip.hold_stop" if after_hold else "strip.say_why")


def _marks(game: Game, side: Side, now: GameTime, texts: Texts) -> Iterator[str]:
    penalty, ending = game.penalty(side, now), game.turn_ending(now)
    if ending is not None and game.turn is side:
        yield texts.say("mark.turn_ends", time=reading(ending)) if ending else texts.say("mark.turn_over")
    # -0:00 is not overtime (2017 V.G.2). Beside a signed result its points say enough, and the room is needed.
    if seconds_shown(game.remaining(side, now)) < 0 and game.result is None:
        yield texts.say("mark.overtime")
    if penalty:
        lost = game.limit_loser is side
        yield texts.say("mark.limit_penalty" if lost else "mark.penalty", points=penalty)
    if game.accounts.of(side).credit:
        yield texts.say("mark.credit", time=signed(game.accounts.of(side).credit))
    if game.accounts.of(side).points:
        yield signed_points(game.accounts.of(side).points, texts)
    if game.accounts.of(side).infractions:
        yield infractions(game.accounts.of(side).infractions, texts)
    if game.rulebook.turns is not None and game.phase is not Phase.READY:
        yield texts.say("mark.turns", turns=game.accounts.of(side).turns, most=game.rulebook.turns)
    if (score := final_mark(game, side)) is not None:
        yield score
    # Before the start show both allowances, later only one that differs from regulation (2017 III.A.3).
    if game.phase in (Phase.READY, Phase.LATE) or game.accounts.of(side).allowed != game.rulebook.regulation_ns:
        yield texts.say("mark.allowed", time=reading(game.accounts.of(side).allowed))


def _last_game(state: ClockState, game: Game, side: Side, now: GameTime) -> Iterator[str]:
    last, texts = state.last_game, state.setup.texts
    if last is None or last.phase is not Phase.OVER or game.phase not in (Phase.READY, Phase.LATE):
        return
    parts = [half(last, side, now, texts)]
    if last.loser is side:
        parts.append(texts.say(f"status.{status(last, side)}"))
    yield texts.say("mark.last_game", time=listed(parts[0], iter(parts[1:]), texts))


def _window(game: Game, now: GameTime, texts: Texts) -> WindowFace | None:
    window = game.window_at(now)
    if window is None:
        return None
    left = max(0, window.ends - now)
    key = f"window.{window.name}"
    if window.name == OUT_PLAY_WINDOW and not game.rulebook.out_play_ends_game:
        key = "window.out_play_open"  # NZ 8.2.1
    if window.name == LATE_START and game.rulebook.late_started_by == "players":
        key = "window.late_start_players"
    text = texts.say(f"{key}.counting" if left else f"{key}.expired")
    title = texts.say("window.last_turn.title" if window.name == OUT_PLAY_WINDOW and game.turns_over else f"window.{window.name}.title")
    own = None
    if window.side is not None and left:
        own = BySide.both(texts.say(f"{key}.opponent")).replace(window.side, texts.say(f"{key}.you"))
    return WindowFace(window.name, title, reading(left), text, expired=left == 0, own=own)
