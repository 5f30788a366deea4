"""What a site says of its table: TOML files read into frozen values in which an unknown key is an error."""

from betline.settings.broker import BrokerSettings
from betline.settings.chips import ChipSet, ChipType
from betline.settings.game import BOARD_CARDS, STREETS, GameSettings
from betline.settings.home_assistant import Button, HomeAssistantSettings
from betline.settings.house_rules import HouseRules
from betline.settings.levels import GameChange, Level, NamedGame, Rotation
from betline.settings.load import (
    DEFAULT_TABLE,
    config_dir,
    load_chip_set,
    load_house_rules,
    load_site_broker,
    load_staff_rules,
    load_table,
    parse,
    read_toml,
    shipped,
    table_anywhere,
)
from betline.settings.model import Settings, SettingsError
from betline.settings.staff import OTHER, Role, StaffRules
from betline.settings.table import (
    BADGE_ZONE,
    BOARD_ZONE,
    MARKER_DICTIONARY,
    SHOW,
    Antenna,
    Camera,
    FloorSettings,
    Marker,
    Reader,
    Seat,
    TableSettings,
    is_for_cards,
    is_for_chips,
)

__all__ = [
    "BADGE_ZONE",
    "BOARD_CARDS",
    "BOARD_ZONE",
    "DEFAULT_TABLE",
    "MARKER_DICTIONARY",
    "OTHER",
    "SHOW",
    "STREETS",
    "Antenna",
    "BrokerSettings",
    "Button",
    "Camera",
    "ChipSet",
    "ChipType",
    "FloorSettings",
    "GameChange",
    "GameSettings",
    "HomeAssistantSettings",
    "HouseRules",
    "Level",
    "Marker",
    "NamedGame",
    "Reader",
    "Role",
    "Rotation",
    "Seat",
    "Settings",
    "SettingsError",
    "StaffRules",
    "TableSettings",
    "config_dir",
    "is_for_cards",
    "is_for_chips",
    "load_chip_set",
    "load_house_rules",
    "load_site_broker",
    "load_staff_rules",
    "load_table",
    "parse",
    "read_toml",
    "shipped",
    "table_anywhere",
]
