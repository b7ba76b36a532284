"""The local page: drop a table, get the report; calculators; progress of a run.

Bound to loopback; opens no path a user names; computes by calling the rooms.
Needs the extra podium[web].
"""
