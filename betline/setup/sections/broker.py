"""The broker: our own on this machine, or one that is there already, and how programs log in there."""

from __future__ import annotations

from betline.login import BrokerUrl, LoginError
from betline.setup.question import AnswerError, Answers, Found, Question

OWN = "own"
NO_LOGINS = "none"
USUAL = "127.0.0.1:1883"


def questions(answers: Answers, found: Found) -> tuple[Question, ...]:
    """Which broker carries the messages; of another one the folder of logins."""
    there = f" One answers at {USUAL} already: name it, since two cannot share a port." if found.broker else ""
    asked = Question(
        "broker.url",
        "Which MQTT broker carries the messages?",
        f"own starts one that only this machine can reach; else HOST:PORT, or mqtts://HOST:8883 with TLS.{there}",
        usual=USUAL if found.broker else OWN,
        check=_url,
    )
    if answers.get("broker.url", OWN) == OWN:
        return (asked,)
    logins = Question(
        "broker.logins",
        "Which folder has the logins for it?",
        "As betline provision makes them, a folder an account; seen from the table's folder. none: it lets all in.",
        usual=NO_LOGINS,
        check=_folder,
    )
    return asked, logins


def logins_of(answers: Answers) -> str | None:
    """The folder of logins, as it is seen from the table's; None where the broker lets everybody in."""
    said = answers.get("broker.logins", NO_LOGINS)
    return None if answers["broker.url"] == OWN or said == NO_LOGINS else said


def table_text(answers: Answers) -> str:
    """The [broker] of the table file; nothing where our own is used."""
    if answers["broker.url"] == OWN:
        return ""
    lines = ["", "[broker]", f'url = "{answers["broker.url"]}"  # betline doctor says whether it lets us in']
    logins = logins_of(answers)
    if logins is not None:
        lines.append(f'logins = "{logins}"')
    return "\n".join(lines) + "\n"


def _url(text: str) -> str:
    if text == OWN:
        return text
    try:
        BrokerUrl.parse(text)
    except LoginError as error:
        sentence = str(error).rstrip(".")
        raise AnswerError(f"broker.url: {sentence}.") from None
    return text


def _folder(text: str) -> str:
    if not text or not text.isprintable() or any(sign in text for sign in '"\\'):
        raise AnswerError("broker.logins must be a folder, or none.")
    return text
