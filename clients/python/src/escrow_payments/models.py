"""The objects of the API."""

from ._models import *  # noqa: F403
