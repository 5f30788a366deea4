"""The stakes of a game in a few words."""

from __future__ import annotations

from betline.settings import GameSettings


def stakes(game: GameSettings) -> str:
    """Blinds, in fixed and spread limit the bets, then ante, bring-in and cap: `100/200 ante 200`."""
    spreads = game.spreads()
    if game.bets is not None:
        sizes = dict.fromkeys((game.bets[0], game.bets[-1]))
        parts = ["/".join(map(str, sizes))]
        if any(game.blinds):
            parts.append(f"blinds {'/'.join(map(str, game.blinds))}")
    elif spreads:
        parts = [" ".join(f"{least}-{most}" for least, most in dict.fromkeys(spreads))]
        if any(game.blinds):
            parts.append(f"blinds {'/'.join(map(str, game.blinds))}")
    elif any(game.blinds):
        parts = ["/".join(map(str, game.blinds))]
    else:
        parts = [f"minimum bet {game.min_bet}"]
    if game.ante:
        parts.append(f"ante {game.ante}")
    if game.bring_in:
        parts.append(f"bring-in {game.bring_in}")
    if game.cap:
        parts.append(f"cap {game.cap}")
    return " ".join(parts)
