"""Lays a table out by its form and its seats: border, line, zones, cards, pot, tray, markers, camera, in mm."""

from betline.layout.forms import FORMS, Form, FormName
from betline.layout.places import Places, lay_out
from betline.layout.seats import LayoutError

__all__ = ["FORMS", "Form", "FormName", "LayoutError", "Places", "lay_out"]
