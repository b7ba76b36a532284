"""The version of Podium, for reports, stores and pages."""

VERSION = "0.3.0"
