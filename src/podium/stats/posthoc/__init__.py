"""Which pairs differ, with the family-wise error under control.

All pairs or all against a control, by tests that look only at the two (our default)
or by mean ranks (whose outcome depends on the pool).
"""
