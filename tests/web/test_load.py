"""Many at once: everybody gets the right answer."""

from concurrent.futures import ThreadPoolExecutor

import httpx

from podium.web.settings import Limits
from waiting import PATIENCE
from web.load import compare_large, expected_pairs, large_table, visitors
from web.serving import serving


def test_visitors_at_once_get_correct_answers(address):
    assert len(visitors(address, 12, expected_pairs())) == 12


def test_large_and_small_requests_at_once_are_all_answered():
    with (
        serving(workers=2, limits=Limits(heavy_cells=500, seconds=PATIENCE, wait_seconds=PATIENCE)) as address,
        ThreadPoolExecutor(5) as pool,
        httpx.Client(base_url=address, timeout=PATIENCE) as client,
    ):
        content = large_table(60, 24)
        large = [pool.submit(compare_large, address, content.replace(b"dataset", b"data set %d" % i)) for i in range(4)]
        assert client.get("/api/chance/value?positives=50&negatives=50").status_code == 200
        assert [one.result()[1] for one in large] == [201] * 4
