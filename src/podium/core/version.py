"""The version of Podium, for reports, stores and pages."""

__all__ = ["VERSION"]

VERSION = "0.1.0"
