"""The stage that `ClientsTest` of the module escape builds: a cage `web` that is up, and an origin that it may reach."""

import os
import socket
import struct
import subprocess
import tempfile
import threading
import time
from pathlib import Path

COMMAND = os.environ["CAGEWRIGHT_TEST_COMMAND"]
ACT = os.environ["CAGEWRIGHT_TEST_ACT"]
ORIGIN = "http://origin.test:" + os.environ["CAGEWRIGHT_TEST_ORIGIN"]
PATIENCE = 60.0
SOON = 10.0  # time that is to run out, and yet enough for a program to begin on a busy machine


def product(*words):
    done = subprocess.run([COMMAND, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    if done.returncode != 0:
        raise AssertionError(f"{words}: {done.returncode}: {done.stderr!r}")
    return done.stdout


def until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("still waiting")
        time.sleep(0.02)


def frame(kind, content=b""):
    return struct.pack(">cI", kind, len(content)) + content


class FalseSupervisor:
    """Listens as a supervisor does, and says what it is told to say."""

    def __init__(self, *said):
        self.folder = tempfile.TemporaryDirectory(prefix="cagewright-")
        self.at = Path(self.folder.name, "socket")
        self.said = b"".join(said)
        self.heard = b""
        self.listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listening.bind(str(self.at))
        self.listening.listen()
        self.thread = threading.Thread(target=self.serve, daemon=True)

    def serve(self):
        while True:
            try:
                there, _ = self.listening.accept()
            except OSError:
                return
            with there:
                self.heard += there.recv(1 << 16)
                there.sendall(self.said)
                there.shutdown(socket.SHUT_WR)
                while there.recv(1 << 16):
                    pass

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()
        self.thread.join(PATIENCE)
        self.folder.cleanup()
