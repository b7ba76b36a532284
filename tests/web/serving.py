"""A server of the web room for tests: real sockets, real workers, on this machine only."""

import socket
import threading
import time
from contextlib import contextmanager

from waiting import PATIENCE


@contextmanager
def serving(**settings):
    """The address of a running server."""
    import uvicorn

    from podium.web.app import create_app
    from podium.web.patience import PatientProtocol
    from podium.web.settings import Settings

    settings = {"workers": 1, "warm_up": False, **settings}
    app = create_app(Settings(**settings))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(app, log_level="warning", ws="none", http=PatientProtocol, timeout_graceful_shutdown=2)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            while not server.started and thread.is_alive():
                time.sleep(0.02)
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
        assert not thread.is_alive()
