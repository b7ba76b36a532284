"""Who may ask: this machine's own pages. What answers carry: a policy that lets nothing else in."""

import re
import socket

import httpx
import pytest
from starlette.datastructures import Headers
from starlette.requests import Request

from attacks import ATTACKS
from podium.core.errors import ArgumentError
from podium.web import guarding, patience
from podium.web.errors import RefusedError
from podium.web.guarding import Guarding
from podium.web.settings import Limits, Settings
from waiting import PATIENCE, eventually
from web.load import TABLE, upload
from web.serving import serving

PAGES = ["/", "/order", "/chance", "/chance/table", "/plan/datasets", "/watch", "/api", "/api/openapi.json", "/nothing",
         "/static/podium.css", "/static/page.js", "/static/../app.py", "/api/chance/value"]  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_every_answer_has_its_policy(client, path):
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"
    assert "server" not in headers or "uvicorn" in headers["server"]


def test_pages_name_nothing_from_elsewhere_and_have_no_inline_script(client, table):
    for path in ("/", "/order", "/chance", "/plan/datasets", f"/tables/{table}", "/api"):
        text = client.get(path).text
        assert not re.search(r'(src|href|action)="(https?:)?//', text), path
        assert not re.search(r"<script(?! src=)|<style|\sstyle=|\son\w+=", text), path


def test_only_files_of_the_package_are_served(client):
    for name in ("../app.py", "%2e%2e/app.py", "..%2fapp.py", "web.css%00", "etc/passwd"):
        assert client.get(f"/static/{name}").status_code == 404


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"},
    ],
)
def test_forms_of_other_sites_are_refused(client, headers):
    for path in ("/tables", "/api/tables"):
        answer = client.post(path, files={"file": ("accuracies.csv", TABLE.read_bytes())}, headers=headers)
        assert answer.status_code == 403
        assert "another site" in answer.text


def test_pictures_and_scripts_of_other_sites_may_not_ask_but_links_may_be_followed(client):
    fetched = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    framed = {**followed, "Sec-Fetch-Dest": "iframe"}
    assert client.get("/chance/chart.svg", headers=fetched).status_code == 403
    assert client.get("/chance", headers=framed).status_code == 403
    assert client.get("/chance", headers=followed).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "127.0.0.1@evil"])
def test_a_name_that_points_here_does_not_open_the_door(client, host):
    answer = client.get("/", headers={"Host": host})
    assert answer.status_code in (400, 421)
    assert client.get("/", headers={"Host": "localhost:1234"}).status_code == 200


def test_others_need_the_token():
    with (
        serving(host="0.0.0.0", token="secret-token") as address,
        httpx.Client(base_url=address, timeout=PATIENCE) as client,
    ):
        assert client.get("/").status_code == 401
        assert client.get("/?token=wrong").status_code == 401
        assert client.get("/api/watch", headers={"Authorization": "Bearer wrong"}).json() == {
            "error": "This server wants its token: open the address that `podium serve` printed."
        }
        assert client.get("/api/openapi.json", headers={"Authorization": "Bearer secret-token"}).status_code == 200
        entered = client.get("/chance?token=secret-token&positives=5")
        assert (entered.status_code, entered.headers["location"]) == (303, "/chance?positives=5")
        elsewhere = client.get(f"{address}//evil.example/?token=secret-token")
        assert elsewhere.headers["location"] == "/evil.example/"
        cookie = entered.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert client.get("/").status_code == 200  # the client keeps the cookie


def test_a_server_for_others_without_a_token_is_refused():
    with pytest.raises(ArgumentError, match="give it a `token`"):
        Settings(host="0.0.0.0")


def test_a_computation_that_takes_too_long_is_stopped_and_others_go_on():
    with (
        serving(limits=Limits(seconds=2)) as address,
        httpx.Client(base_url=address, timeout=PATIENCE) as client,
    ):
        asked = {"effects": [0.01], "target_power": 0.99, "draws": 10_000}
        answer = client.get("/api/plan/datasets", params=asked)
        assert answer.status_code == 422
        assert answer.json()["error"] == "This took longer than 2 seconds and was stopped: ask for less at once."
        # On a busy machine 2 seconds may be too few for a small table, too: it is given again until they are enough.
        eventually(lambda: upload(client, "accuracies.csv", TABLE.read_bytes()).status_code == 201)


def test_only_so_many_may_wait():
    with (
        serving(limits=Limits(waiting=0)) as address,
        httpx.Client(base_url=address, timeout=PATIENCE) as client,
    ):
        answer = client.get("/api/chance/value?positives=50&negatives=50")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
        assert "try again" in answer.json()["error"]


def test_what_is_kept_is_bounded():
    with (
        serving(limits=Limits(kept=2)) as address,
        httpx.Client(base_url=address, timeout=PATIENCE) as client,
    ):
        keys = [
            upload(client, "accuracy.csv", b"dataset,a,b\nx,0.1,0.%d\ny,0.2,0.3\n" % i).json()["table"]
            for i in range(1, 4)
        ]
        assert [client.get(f"/api/tables/{key}").status_code for key in keys] == [404, 200, 200]


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "null", "", "file://", "http://evil.example"])
def test_an_origin_that_cannot_be_read_is_that_of_another_site(client, origin):
    answer = client.post("/api/tables", headers={"Origin": origin})
    assert answer.status_code == 403


@pytest.mark.parametrize("given", ["secret-token", "Basic secret-token", "Bearersecret-token"])
def test_a_token_in_a_header_needs_its_word(given):
    headers = Headers({"authorization": given})
    scope = {"type": "http", "query_string": b"", "method": "GET", "path": "/", "headers": headers.raw}
    guard = Guarding(None, Settings(host="0.0.0.0", token="secret-token"))
    with pytest.raises(RefusedError):
        guard._check_token(Request(scope))


@pytest.mark.parametrize("word", ["Bearer", "bearer", "BEARER"])
def test_the_word_of_a_token_is_the_same_in_any_letters(word):
    headers = Headers({"authorization": f"{word} secret-token"})
    scope = {"type": "http", "query_string": b"", "method": "GET", "path": "/", "headers": headers.raw}
    assert Guarding(None, Settings(host="0.0.0.0", token="secret-token"))._check_token(Request(scope)) is None


def test_half_open_requests_are_given_up_and_do_not_lock_others_out(monkeypatch):
    monkeypatch.setattr(patience, "HEADER_SECONDS", 0.5)
    with serving() as address:
        place = address.removeprefix("http://").split(":")
        slow = [socket.create_connection((place[0], int(place[1]))) for _ in range(30)]
        for connection in slow:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")  # and never the end of the headers
        for connection in slow:
            connection.settimeout(PATIENCE)
            assert connection.recv(1) == b""  # hung up
            connection.close()
        assert httpx.get(address, timeout=PATIENCE).status_code == 200
        eventually(lambda: len(patience.PatientProtocol.open) == 0)


@pytest.mark.parametrize("drips", [False, True], ids=["stops", "drips"])
def test_a_body_that_does_not_come_to_an_end_is_given_up(monkeypatch, drips):
    monkeypatch.setattr(guarding, "_BODY_SECONDS" if drips else "_SILENT_SECONDS", 0.5)
    with serving() as address:
        place = address.removeprefix("http://").split(":")
        with socket.create_connection((place[0], int(place[1]))) as line:
            line.sendall(
                b"POST /api/tables/text HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n"
                b"Content-Type: application/json\r\n\r\n{"
            )
            line.settimeout(0.05 if drips else PATIENCE)
            while True:
                try:
                    answer = line.recv(20)
                    break
                except TimeoutError:
                    line.sendall(b" ")
        assert answer.startswith(b"HTTP/1.1 408")


def test_one_address_cannot_have_all_connections(monkeypatch):
    monkeypatch.setattr(patience, "MOST_PER_ADDRESS", 5)
    with serving() as address:
        place = address.removeprefix("http://").split(":")
        many = [socket.create_connection((place[0], int(place[1]))) for _ in range(12)]
        eventually(lambda: len(patience.PatientProtocol.open) == 5)
        for connection in many:
            connection.close()
        eventually(lambda: not patience.PatientProtocol.open)
        assert httpx.get(address, timeout=PATIENCE).status_code == 200


def is_cut_off(line, drip):
    """Send a little more, and say whether anybody is still there."""
    try:
        line.sendall(drip)
    except OSError:
        return True
    return False


HELD = b"POST /api/tables/text HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n{"


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: localhost\r\n", HELD], ids=["nothing", "half", "body"])
def test_whoever_asks_gets_in_however_many_hold_the_line(monkeypatch, said):
    """All connections of one machine have one address: the silent ones make room."""
    most = patience.MOST_PER_ADDRESS if ATTACKS else 20
    monkeypatch.setattr(patience, "MOST_PER_ADDRESS", most)
    monkeypatch.setattr(patience, "HEADER_SECONDS", PATIENCE)
    with serving() as address:
        place = address.removeprefix("http://").split(":")
        many = [socket.create_connection((place[0], int(place[1]))) for _ in range(most)]
        for connection in many:
            connection.sendall(said)
        eventually(lambda: len(patience.PatientProtocol.open) == most)
        for _ in range(3):
            assert httpx.get(address, timeout=PATIENCE).status_code == 200
        for connection in many:
            connection.close()


def test_a_body_that_drips_on_after_a_refusal_is_cut_off(monkeypatch):
    monkeypatch.setattr(patience, "LINGER_SECONDS", 0.3)
    with serving(host="0.0.0.0", token="secret") as address:
        place = address.removeprefix("http://").split(":")
        with socket.create_connection((place[0], int(place[1]))) as line:
            line.sendall(HELD)
            line.settimeout(PATIENCE)
            assert line.recv(20).startswith(b"HTTP/1.1 401")
            eventually(lambda: is_cut_off(line, b" "))  # before the million bytes are through


def test_a_second_request_must_come_in_time_too(monkeypatch):
    monkeypatch.setattr(patience, "HEADER_SECONDS", 2.0)
    with serving() as address:
        place = address.removeprefix("http://").split(":")
        with socket.create_connection((place[0], int(place[1]))) as line:
            line.settimeout(PATIENCE)
            line.sendall(b"GET /no-such-page HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert line.recv(100_000).startswith(b"HTTP/1.1 404")
            line.sendall(b"GET / HTTP/1.1\r\n")
            eventually(lambda: is_cut_off(line, b"X-Drip: 1\r\n"))
