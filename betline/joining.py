"""Which broker a program uses and as whom: the options of every verb on the bus, the table's and the site's file.

What the command line says goes before the table's `[broker]`, and that before the site's file. A login of the files is
given to the broker that they name and to no other: a password is not for whoever listens at another address.
"""

from __future__ import annotations

import functools
import inspect
import time
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, Final, get_type_hints

import typer

from betline import logs
from betline.bus import MqttBus
from betline.login import LOGIN_FILE, MQTT, MQTTS, BrokerUrl, Login, LoginError, read_credentials, read_folder
from betline.options import BROKER_DEFAULT, FAILED, Address, UserError
from betline.settings import BrokerSettings, TableSettings, load_site_broker
from betline.topics import Namespace, Topic

START_S: Final = 15.0
"""How long a starting program waits for a broker where nothing listens yet."""
VISIT_S: Final = 4.0
"""How long a program waits that only asks something."""
RETAINED_S: Final = 0.3
"""How long after a confirmed subscription to wait for the messages that the broker has retained."""
_POLL_S: Final = 0.02
LOOPBACKS: Final = ("127.0.0.1", "localhost")

_OPTIONS: Final = {
    "login": typer.Option(
        "--login", metavar="DIR", help="Login folder of this program's account, or the folder of all accounts."
    ),
    "user": typer.Option("--broker-user", metavar="NAME", help="User at the broker."),
    "password_file": typer.Option(
        "--broker-password-file", metavar="FILE", help="File of mode 600 with the password in its first line."
    ),
    "ca": typer.Option("--broker-ca", metavar="FILE", help="CA that signs the broker's certificate (PEM)."),
    "cert": typer.Option("--broker-cert", metavar="FILE", help="Client certificate (PEM)."),
    "key": typer.Option("--broker-key", metavar="FILE", help="Its key (PEM), of mode 600."),
}


@dataclass(frozen=True, slots=True)
class BrokerChoice:
    """What the command line or a file says about the broker."""

    url: str | None = None
    login: Path | None = None
    user: str | None = None
    password_file: Path | None = None
    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None

    @property
    def names_nothing(self) -> bool:
        """Whether nothing was said."""
        return self == BrokerChoice()

    @property
    def may_be_own(self) -> bool:
        """Whether it names a plain address on this machine, where our embedded broker could listen."""
        if replace(self, url=None) != BrokerChoice():
            return False
        where = _url(self.url or BROKER_DEFAULT)
        return where.scheme != MQTTS and where.host in LOOPBACKS

    def is_kept_by_others(self, command_line: BrokerChoice) -> bool:
        """Whether this choice, made of the command line and files, is a broker that no verb of ours starts.

        It is on another machine or takes logins, or a file names it.
        """
        return not self.may_be_own or (command_line.url is None and self.url is not None)

    def with_settings(self, table: TableSettings | None) -> BrokerChoice:
        """With what the table's file says, else the site's, where the command line says nothing else.

        Raises UserError and SettingsError.
        """
        settings = (None if table is None else table.broker) or load_site_broker()
        if settings is None or not self._is_for(settings):
            return self
        said = _of_settings(settings)
        if self.login is not None:
            said = BrokerChoice(url=None)
        mine = {one.name: getattr(self, one.name) for one in fields(self) if getattr(self, one.name) is not None}
        if self.url is not None and said.url is not None and "://" not in self.url:
            mine.pop("url")  # the same place; the settings know whether with TLS
        return replace(said, **mine)

    def _is_for(self, settings: BrokerSettings) -> bool:
        if self.url is None:
            return True
        named = settings.url or BROKER_DEFAULT
        scheme = _url(named).scheme
        return _url(self.url, scheme).same_place(_url(named))

    def address(self, *accounts: str) -> Address:
        """Where the broker is, and how a program logs in that has one of these accounts, the first that is there.

        Raises UserError for what cannot be used.
        """
        try:
            where, login = self._put_together(accounts)
            login.check()
        except LoginError as error:
            raise UserError(_sentence(error)) from None
        return Address(where.host, where.port, None if login == Login() else login)

    def _put_together(self, accounts: tuple[str, ...]) -> tuple[BrokerUrl, Login]:
        named, login = (None, Login()) if self.login is None else _login(self.login, accounts)
        certified = self.ca is not None or self.cert is not None
        usual = MQTTS if certified or login.tls else None
        where = BrokerUrl.parse(self.url, usual) if self.url is not None else named or BrokerUrl.parse(BROKER_DEFAULT)
        tls = (where.scheme or usual or MQTT) == MQTTS
        if certified and not tls:
            raise LoginError(f"{where} is not encrypted, a certificate is of no use there: write mqtts://.")
        if self.key is not None and self.cert is None:
            raise LoginError("--broker-key needs --broker-cert: the certificate that belongs to the key.")
        if self.password_file is not None and self.user is None and login.user is None:
            raise LoginError("--broker-password-file needs --broker-user: the name that belongs to the password.")
        other_user = self.user is not None and self.user != login.user
        return where, Login(
            tls=tls,
            user=self.user or login.user,
            password_file=self.password_file or (None if other_user else login.password_file),
            ca_file=self.ca or login.ca_file if tls else None,
            cert_file=self.cert or login.cert_file if tls else None,
            key_file=(self.key or (None if self.cert else login.key_file)) if tls else None,
        )

    def words(self) -> list[str]:
        """The same on another program's command line: names of files, never what is in them."""
        said = {
            "--broker": self.url, "--login": self.login, "--broker-user": self.user,
            "--broker-password-file": self.password_file, "--broker-ca": self.ca, "--broker-cert": self.cert,
            "--broker-key": self.key,
        }  # fmt: skip
        given = {option: value for option, value in said.items() if value is not None}
        return [
            word
            for option, value in given.items()
            for word in (option, str(value.absolute() if isinstance(value, Path) else value))
        ]


def _of_settings(settings: BrokerSettings) -> BrokerChoice:
    def path(text: str | None) -> Path | None:
        return None if text is None else Path(text)

    return BrokerChoice(
        settings.url,
        path(settings.logins),
        settings.user,
        path(settings.password_file),
        path(settings.ca_file),
        path(settings.cert_file),
        path(settings.key_file),
    )


def _url(text: str, scheme: str | None = None) -> BrokerUrl:
    try:
        return BrokerUrl.parse(text, scheme)
    except LoginError as error:
        raise UserError(_sentence(error)) from None


def _sentence(error: LoginError) -> str:
    text = str(error)
    return text if text.endswith(".") else f"{text}."


def _login(folder: Path, accounts: tuple[str, ...]) -> tuple[BrokerUrl, Login]:
    """What systemd has handed to this program, else what one of the accounts has there."""
    return read_credentials() or read_folder(account_folder(folder, accounts))


def account_folder(folder: Path, accounts: tuple[str, ...]) -> Path:
    """The login folder of one of the accounts; raises LoginError where there is none."""
    for one in (folder, *(folder / account for account in accounts)):
        if (one / LOGIN_FILE).exists():
            return one
    wanted = " or ".join(str(folder / account / LOGIN_FILE) for account in accounts)
    raise LoginError(f"There is no {folder / LOGIN_FILE} and no {wanted}: betline provision makes them.")


def takes_broker(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a verb the broker's options: they reach it as one ``BrokerChoice``, its parameter ``broker``."""
    return _with_broker(verb, f"Default: what table or site file say, else {BROKER_DEFAULT}.")


def takes_broker_or_its_own(usual: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The same for a verb that starts a broker of its own on a free port; ``usual`` says when."""
    return functools.partial(_with_broker, usual=usual)


def _with_broker(verb: Callable[..., Any], usual: str) -> Callable[..., Any]:
    url = typer.Option("--broker", metavar="URL", help=f"MQTT broker: HOST:PORT, mqtt:// or mqtts:// (TLS). {usual}")
    options = {"url": url, **_OPTIONS}
    hints = get_type_hints(verb, include_extras=True)
    plain = inspect.signature(verb)
    parameters, annotations = [], {key: value for key, value in hints.items() if key != "broker"}
    for parameter in plain.parameters.values():
        if parameter.name != "broker":
            parameters.append(parameter.replace(annotation=hints[parameter.name]))
            continue
        for one in fields(BrokerChoice):
            wanted: Any = (str if one.name in ("url", "user") else Path) | None
            kind = Annotated[wanted, options[one.name]]
            name = f"broker_{one.name}"
            annotations[name] = kind
            parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind))

    @functools.wraps(verb)
    def with_broker(**given: Any) -> Any:
        said = {one.name: given.pop(f"broker_{one.name}") for one in fields(BrokerChoice)}
        return verb(broker=BrokerChoice(**said), **given)

    with_broker.__signature__ = plain.replace(  # type: ignore[attr-defined]
        parameters=[one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in parameters]
    )
    with_broker.__annotations__ = annotations
    return with_broker


def join(
    address: Address,
    names: Namespace,
    sender: str,
    *,
    presence: Topic | None = None,
    announces: bool = True,
    patience_s: float = START_S,
    waits: bool = False,
) -> MqttBus:
    """A client that the broker has let in; one that ``waits`` may also wait for a broker that is not there.

    Raises UserError with the cause where somebody must correct something, or where no broker came in time.
    """
    logs.of_table(names.site, names.table)
    bus = MqttBus(
        address.host, address.port, names, sender, presence=presence, announces=announces, login=address.login
    )
    try:
        enter(bus, patience_s, waits=waits)
    except BaseException:
        bus.close()
        raise
    return bus


def enter(bus: MqttBus, patience_s: float, *, waits: bool = False) -> None:
    """Waits until the broker has let a client in. Raises UserError as `join` does."""
    deadline_s = time.monotonic() + patience_s
    while not bus.wait_connected(_POLL_S):
        trouble = bus.trouble
        if trouble is not None and not trouble.may_pass:
            raise UserError(trouble.sentence, FAILED)
        if time.monotonic() > deadline_s:
            if waits:
                return
            raise UserError("The broker does not answer." if trouble is None else trouble.sentence, FAILED)
