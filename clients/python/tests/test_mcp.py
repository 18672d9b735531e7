import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

from cagewright import Denied, Mcp, ProtocolError, Refused, TimedOut, Unavailable
from stage import ACT, COMMAND, ORIGIN, PATIENCE, until

SERVE = [COMMAND, "mcp", "serve", "--policy", os.environ["CAGEWRIGHT_TEST_POLICY"]]
WORKSPACE = os.environ["CAGEWRIGHT_TEST_WORKSPACE"]


def runs(*words):
    """Does a process with these words live on this machine, in a cage or not?"""
    wanted = b"\0".join(os.fsencode(word) for word in words) + b"\0"
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and (process / "cmdline").read_bytes().endswith(wanted):
                return True
        except OSError:
            continue
    return False


class ToolsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.chdir(WORKSPACE)
        cls.mcp = Mcp(SERVE, timeout=PATIENCE)
        cls.addClassCleanup(cls.mcp.close)

    def test_the_server_says_what_it_is_and_what_it_offers(self):
        self.assertEqual(self.mcp.server["name"], "cagewright")
        self.assertEqual(
            [tool["name"] for tool in self.mcp.tools()], ["run_command", "read_file", "write_file", "http_fetch"]
        )

    def test_a_command_runs_beside_one_that_is_denied(self):
        done = self.mcp.run_command(["cat"], stdin=b"\xff\xfe")
        self.assertEqual((done.exit, done.cause, done.stdout, done.ok), (0, "exited", b"\xff\xfe", True))
        self.assertTrue(done.id)
        self.assertEqual(self.mcp.run_command(["ls", "/nonexistent"]).exit, 2)
        with self.assertRaises(Denied) as denied:
            self.mcp.run_command(["uname"])
        self.assertEqual(denied.exception.denial.fix, ("exec:", "  allowlist:", "    - uname"))
        self.assertEqual(denied.exception.denial.rule, "exec.allowlist")

    def test_files_are_written_and_read_beside_one_that_no_mount_has(self):
        written = self.mcp.write_file("folder/note", b"\x00\xff", parents=True)
        self.assertEqual((written.size, written.created), (2, True))
        part = self.mcp.read_file("folder/note")
        self.assertEqual((part.content, part.size, part.more), (b"\x00\xff", 2, False))
        self.assertEqual(self.mcp.read_file("folder/note", offset=1, limit=1).content, b"\xff")
        with self.assertRaises(Refused):
            self.mcp.write_file("folder/note", "x", mode="create")
        with self.assertRaises(Denied) as denied:
            self.mcp.read_file("/etc/shadow")
        self.assertIn("fs:", denied.exception.denial.fix[0])

    def test_a_request_is_made_beside_one_that_is_denied(self):
        answer = self.mcp.http_fetch(ORIGIN + "/ok/a", method="POST", body=b"abc", headers={"X-Word": "yes"})
        self.assertEqual((answer.status, answer.body), (200, b"POST /ok/a yes 3"))
        self.assertIn(("content-type", "text/plain"), [(name.lower(), value) for name, value in answer.headers])
        with self.assertRaises(Denied) as denied:
            self.mcp.http_fetch(ORIGIN + "/no")
        self.assertEqual(denied.exception.denial.fix[0], "net:")

    def test_a_call_whose_time_is_over_is_taken_back_and_ends_what_it_runs(self):
        with self.assertRaises(TimedOut):
            self.mcp.call("run_command", {"argv": ["sleep", "86391"]}, timeout=3)
        until(lambda: not runs("sleep", "86391"))
        self.assertTrue(self.mcp.run_command(["id"]).ok)

    def test_calls_of_many_threads_do_not_wait_for_each_other(self):
        go = Path(WORKSPACE, "go")
        self.addCleanup(go.unlink)
        slow = threading.Thread(target=lambda: self.mcp.run_command([ACT, "deaf"]))
        slow.start()
        until(lambda: runs(ACT, "deaf"))
        self.assertTrue(self.mcp.run_command(["id"]).ok)
        self.assertTrue(slow.is_alive())
        go.touch()
        slow.join(PATIENCE)
        self.assertFalse(slow.is_alive())

    def test_what_is_not_there_is_refused_and_no_content_stands_in_a_text_form(self):
        with self.assertRaises(Refused) as refused:
            self.mcp.call("nothing")
        self.assertEqual(refused.exception.code, -32602)
        self.mcp.write_file("secret", "the-canary")
        read = self.mcp.read_file("secret")
        self.assertEqual(read.content, b"the-canary")
        self.assertNotIn("canary", repr(read) + repr(self.mcp.call("read_file", {"path": "secret"})))


class SocketTest(unittest.TestCase):
    def test_a_server_on_a_socket_serves_and_its_death_is_told(self):
        with tempfile.TemporaryDirectory(prefix="cagewright-") as folder:
            at = Path(folder, "mcp")
            server = subprocess.Popen([*SERVE, "--unix", str(at)], stdin=subprocess.DEVNULL, cwd=WORKSPACE)
            try:
                until(at.exists)
                with Mcp.unix(at, timeout=PATIENCE) as mcp:
                    self.assertEqual(mcp.run_command(["cat"], stdin="in").stdout, b"in")
                    with self.assertRaises(Denied):
                        mcp.run_command(["uname"])
                    with self.assertRaises(TimedOut):
                        mcp.call("run_command", {"argv": ["sleep", "86392"]}, timeout=3)
                    until(lambda: not runs("sleep", "86392"))
                    threading.Thread(target=self.kill, args=(server,), daemon=True).start()
                    with self.assertRaises(Unavailable):
                        mcp.run_command(["sleep", "86393"], timeout=PATIENCE)
                until(lambda: not runs("sleep", "86393"))
            finally:
                server.kill()
                server.wait()

    @staticmethod
    def kill(server):
        until(lambda: runs("sleep", "86393"))
        server.kill()


class DeathTest(unittest.TestCase):
    def test_a_client_that_is_killed_takes_its_server_and_its_programs_along(self):
        script = "import sys; from cagewright import Mcp; Mcp(sys.argv[1:]).run_command(['sleep', '86394'], timeout=600)"
        path = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
        client = subprocess.Popen([sys.executable, "-c", script, *SERVE], env=path, cwd=WORKSPACE)
        try:
            until(lambda: runs("sleep", "86394"))
        finally:
            client.send_signal(signal.SIGKILL)
            client.wait()
        until(lambda: not runs("sleep", "86394"))


class NonsenseTest(unittest.TestCase):
    @staticmethod
    def server(said):
        return [sys.executable, "-c", "import sys; sys.stdin.readline(); print(sys.argv[1], flush=True); sys.stdin.read()", said]

    def test_nonsense_is_a_protocol_error(self):
        for said in (
            "hello",
            "[]",
            '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}',
            '{"jsonrpc":"1.0","id":1,"result":{}}',
            '{"jsonrpc":"2.0","id":1,"id":1,"result":{}}',
            '{"jsonrpc":"2.0","id":true,"result":{}}',
            '{"jsonrpc":"2.0","id":99,"result":{}}',
            '{"jsonrpc":"2.0","id":1,"result":[]}',
            '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"1999-01-01"}}',
        ):
            with self.subTest(said=said), self.assertRaises(ProtocolError):
                Mcp(self.server(said), timeout=PATIENCE)

    def test_a_server_that_is_not_there_or_ends_is_unavailable(self):
        for command in (["/nonexistent"], ["true"]):
            with self.assertRaises(Unavailable):
                Mcp(command, timeout=PATIENCE)

    def test_a_server_that_never_answers_is_not_waited_for(self):
        with self.assertRaises(TimedOut):
            Mcp([sys.executable, "-c", "import sys; sys.stdin.read()"], timeout=2)


if __name__ == "__main__":
    unittest.main()
