"""Many at once: everybody gets the right answer, and a large table does not stand in the way."""

import time
from concurrent.futures import ThreadPoolExecutor

import httpx

from podium.web.settings import Limits
from web.load import compare_large, expected_pairs, large_table, visitors
from web.serving import serving


def test_visitors_at_once_get_correct_answers(address):
    assert len(visitors(address, 12, expected_pairs())) == 12


def test_large_tables_leave_a_worker_for_the_others():
    # Four large ones for two workers: without a worker kept free, the small request would wait for two of them.
    with serving(limits=Limits(heavy_cells=500), warm_up=True) as address, ThreadPoolExecutor(5) as pool:
        content = large_table(60, 24)
        large = [pool.submit(compare_large, address, content.replace(b"dataset", b"data set %d" % i)) for i in range(4)]
        time.sleep(1)
        asked = 0
        with httpx.Client(base_url=address, timeout=300) as client:
            while not large[-1].done() or asked == 0:
                assert client.get("/api/chance/value?positives=50&negatives=50").status_code == 200
                asked += 1
                if sum(one.done() for one in large) == 4:
                    break
        assert asked > 4  # answered again and again while the large ones were computed
        assert [one.result()[1] for one in large] == [201] * 4
