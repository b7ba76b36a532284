from .ranks import rank_rows as rank_rows
