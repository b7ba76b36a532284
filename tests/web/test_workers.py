"""Workers on their own: turns, limits, and what happens to a worker that is stopped or killed. No test races a clock."""

import asyncio
import os
import signal
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from podium.core.errors import ArgumentError, DataError, PodiumError
from podium.web import tasks
from podium.web.errors import BusyError, FaultError, StoppedError
from podium.web.settings import Limits, Settings
from podium.web.uploads import checked_upload
from podium.web.workers import Workers
from waiting import PATIENCE
from web.worker_tasks import die, echo, fail, fail_oddly, hang, own_pid, take, wait_for


@asynccontextmanager
async def workers(count=2, **limits):
    """Workers that wait long, for busy machines."""
    limits = Limits(**{"seconds": PATIENCE, "wait_seconds": PATIENCE, **limits})
    made = Workers(Settings(workers=count, warm_up=False, limits=limits))
    try:
        yield made
    finally:
        await asyncio.to_thread(made.close)


def test_light_tasks_never_wait_for_the_usual_ones(tmp_path):
    async def main():
        async with workers(2) as pool:
            gate = tmp_path / "gate"
            usual = [asyncio.create_task(pool.run(wait_for, path=str(gate))) for _ in range(4)]
            while len(list(tmp_path.iterdir())) < 2:
                await asyncio.sleep(0.01)
            for number in range(6):
                assert await pool.run(echo, weight="light", value=number) == number
            assert len(list(tmp_path.iterdir())) == 2  # no third of the usual ones has begun
            gate.touch()
            assert await asyncio.gather(*usual) == ["done"] * 4

    asyncio.run(main())


def test_heavy_tasks_never_take_the_last_free_worker(tmp_path):
    async def main():
        async with workers(2) as pool:
            gate = tmp_path / "gate"
            heavy = [asyncio.create_task(pool.run(wait_for, weight="heavy", path=str(gate))) for _ in range(4)]
            while not list(tmp_path.iterdir()):
                await asyncio.sleep(0.01)
            for number in range(6):  # answered again and again while the heavy ones wait
                assert await pool.run(echo, value=number) == number
            assert len(list(tmp_path.iterdir())) == 1  # one of them runs
            assert not any(task.done() for task in heavy)
            gate.touch()
            assert await asyncio.gather(*heavy) == ["done"] * 4

    asyncio.run(main())


async def granted(pool, task, **arguments):
    """The answer; where a worker was stopped or its end not yet noticed, asked for again."""
    while True:
        try:
            return await pool.run(task, **arguments)
        except StoppedError:
            await asyncio.sleep(0.05)


def test_what_takes_too_long_is_stopped_and_its_folder_removed(tmp_path):
    path = tmp_path / "path"

    async def main():
        async with workers(1, seconds=0.2) as pool:
            while not (path.exists() and path.read_text()):  # a busy machine may stop it before it has begun
                with pytest.raises(StoppedError, match=r"This took longer than 0\.2 seconds and was stopped"):
                    await pool.run(hang, path=str(path))
            assert not Path(path.read_text()).exists()
            assert await granted(pool, echo, value=1) == 1

    asyncio.run(main())


async def all_of(pool, path):
    """The processes of one worker and the one more, which work at the same time."""
    both = [asyncio.create_task(pool.run(wait_for, weight="light", path=str(path))) for _ in range(2)]
    while len(found := {one.suffix for one in path.parent.glob(f"{path.name}.*")}) < 2:
        await asyncio.sleep(0.01)
    path.touch()
    await asyncio.gather(*both)
    return {int(suffix[1:]) for suffix in found}


def test_a_killed_worker_is_replaced(tmp_path):
    async def main():
        async with workers(1) as pool:
            first = await all_of(pool, tmp_path / "first")
            with pytest.raises(StoppedError, match="ended without a result"):
                await pool.run(die)
            second = await all_of(pool, tmp_path / "second")
            assert len(first & second) == 1
            for process in second:
                os.kill(process, signal.SIGKILL)  # while nothing runs
            assert await granted(pool, own_pid) not in second

    asyncio.run(main())


def test_memory_is_limited():
    async def main():
        async with workers(1, memory_bytes=3_000_000_000) as pool:
            with pytest.raises(StoppedError, match="memory"):
                await pool.run(take, size=4_000_000_000)
            assert await pool.run(take, size=1000) == 1000

    asyncio.run(main())


def test_a_worker_that_ran_out_of_memory_is_replaced():
    async def main():
        async with workers(1, memory_bytes=3_000_000_000) as pool:
            before = {await pool.run(own_pid, weight="light") for _ in range(8)}
            for _ in range(2 * len(before)):
                with pytest.raises(StoppedError, match="more memory than it may take"):
                    await pool.run(take, size=4_000_000_000)
            assert await granted(pool, own_pid) not in before

    asyncio.run(main())


def test_errors_come_back_as_they_are():
    async def main():
        async with workers(1) as pool:
            for kind in (ArgumentError, DataError, PodiumError):
                with pytest.raises(PodiumError, match=r"^One sentence\.$") as caught:
                    await pool.run(fail, error=kind("One sentence."))
                assert caught.type is kind
            with pytest.raises(FaultError, match=r"Podium itself failed on this \(OddError\)"):
                await pool.run(fail_oddly)

    asyncio.run(main())


def test_only_so_many_may_wait(tmp_path):
    async def main():
        async with workers(1, waiting=1) as pool:
            gate = tmp_path / "gate"
            running = asyncio.create_task(pool.run(wait_for, path=str(gate)))
            while not list(tmp_path.iterdir()):
                await asyncio.sleep(0.01)
            waiting = asyncio.create_task(pool.run(echo, value=1))
            await asyncio.sleep(0)
            with pytest.raises(BusyError, match="try again"):
                await pool.run(echo, value=2)
            gate.touch()
            assert await asyncio.gather(running, waiting) == ["done", 1]

    asyncio.run(main())


def test_nobody_waits_for_ever(tmp_path):
    async def main():
        async with workers(1, wait_seconds=0.01) as pool:
            gate = tmp_path / "gate"
            running = asyncio.create_task(pool.run(wait_for, path=str(gate)))
            while not list(tmp_path.iterdir()):
                await asyncio.sleep(0.01)
            with pytest.raises(BusyError, match="No worker became free in time"):
                await pool.run(echo, value=1)
            gate.touch()
            assert await running == "done"

    asyncio.run(main())


def test_who_leaves_frees_the_worker(tmp_path):
    async def main():
        async with workers(1) as pool:
            left = asyncio.create_task(pool.run(hang, path=str(tmp_path / "path")))
            while not (tmp_path / "path").exists():
                await asyncio.sleep(0.01)
            left.cancel()
            assert await pool.run(echo, value=1) == 1

    asyncio.run(main())


def test_what_the_page_shows_does_not_depend_on_the_files_that_are_made():
    table = checked_upload("example.csv", tasks.example(name="benavoli2016").encode(), Limits())
    given = {"upload": table, "reading": {}, "limits": Limits(), "settings": {"cost": None}, "changes": ""}
    at_once = tasks.compare(**given, forms=("json",))
    whole = tasks.compare(**given, forms=("json", "html"))
    assert at_once["page"] == whole["page"]
    assert at_once["files"]["json"] == whole["files"]["json"]
    assert b"matrix" in whole["files"]["html"]
