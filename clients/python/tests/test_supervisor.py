import os
import signal
import subprocess
import sys
import tempfile
import unittest
from datetime import datetime, timedelta, timezone
from pathlib import Path

from cagewright import Denied, ProtocolError, Refused, Supervisor, TimedOut, Unavailable
from stage import ACT, ORIGIN, PATIENCE, SOON, FalseSupervisor, frame, product, until


class ProgramsTest(unittest.TestCase):
    def setUp(self):
        self.supervisor = Supervisor()
        self.cage = self.supervisor.cage("web")
        self.addCleanup(self.supervisor.close)

    def test_a_program_gets_its_input_and_gives_its_output_and_its_end(self):
        much = os.urandom(1_000_000)
        done = self.cage.run(["cat"], stdin=much, timeout=PATIENCE)
        self.assertEqual((done.exit, done.cause, done.stdout, done.stderr), (0, "exited", much, b""))
        self.assertTrue(done.ok)
        self.assertEqual(self.cage.run([ACT, "complain", "no"], timeout=PATIENCE).stderr, b"no")
        self.assertEqual(self.cage.run([ACT, "exit", "7"], timeout=PATIENCE).exit, 7)
        killed = self.cage.run([ACT, "kill", "KILL"], timeout=PATIENCE)
        self.assertEqual((killed.exit, killed.cause), (137, "signalled"))
        self.assertEqual(self.cage.run(["no-such-program"], timeout=PATIENCE).exit, 127)

    def test_words_are_bytes(self):
        words = [b"\xff\xfe", "ü", "", "a b\n", "--"]
        done = self.cage.run([ACT, "bytes", *words], timeout=PATIENCE)
        expected = b"".join(b"[" + os.fsencode(word) + b"]" for word in words)
        self.assertEqual(bytes.fromhex(done.stdout.decode()), expected)

    def test_a_program_that_no_rule_allows_is_denied_beside_one_that_is_listed(self):
        self.assertEqual(self.cage.run(["id", "-u"], timeout=PATIENCE).exit, 0)
        with self.assertRaises(Denied) as denied:
            self.cage.run(["uname"], timeout=PATIENCE)
        denial = denied.exception.denial
        self.assertEqual(denial.rules[0], "exec.allowlist")
        self.assertEqual(denial.rule, "exec.allowlist")
        self.assertEqual(denial.fix, ("exec:", "  allowlist:", "    - uname"))
        self.assertIn("denied: proc.exec uname: ", str(denied.exception))
        self.assertIn("cagewright why " + denial.id, str(denied.exception))

    def test_what_a_cage_was_denied_while_a_program_ran_stands_in_its_result(self):
        fetching = ["curl", "-s", ORIGIN + "/ok/a", ORIGIN + "/no/b"]
        done = self.cage.run(fetching, timeout=PATIENCE)
        self.assertIn(b"GET /ok/a", done.stdout)
        self.assertEqual(len(done.denied), 1, done.denied)
        self.assertIn("/no/b", done.denied[0].what)
        self.assertIn("    - {host: origin.test, methods: [GET], paths: [/no/b]", done.denied[0].fix[2])
        self.assertEqual(self.cage.run(fetching[:3], timeout=PATIENCE).denied, ())

    def test_a_program_whose_time_is_over_has_ended_when_that_is_told(self):
        with self.assertRaises(TimedOut) as over:
            self.cage.run([ACT, "wait", "1000"], timeout=SOON)
        self.assertIsInstance(over.exception, TimeoutError)
        self.assertEqual(over.exception.stdout, b"ready\n")
        self.assertIsNotNone(over.exception.id)
        until(lambda: self.cage.state().programs == 0)

    def test_a_program_that_writes_more_than_is_wanted_is_ended(self):
        done = self.cage.run(["cat", "/dev/zero"], max_output=100_000, timeout=PATIENCE)
        self.assertEqual((done.cause, len(done.stdout), done.truncated), ("output", 100_000, True))

    def test_output_comes_as_it_is_written_and_input_goes_meanwhile(self):
        with self.cage.start(["cat"], timeout=PATIENCE) as program:
            self.assertIsNotNone(program.id)
            coming = iter(program)
            program.write("one\n")
            self.assertEqual(next(coming), ("stdout", b"one\n"))
            program.write("two\n")
            self.assertEqual(next(coming), ("stdout", b"two\n"))
            program.close_stdin()
            self.assertEqual(program.wait().exit, 0)

    def test_signals_reach_it(self):
        with self.cage.start([ACT, "trap"], timeout=PATIENCE) as program:
            self.assertEqual(next(iter(program)), ("stdout", b"ready\n"))
            program.terminate()
            done = program.communicate()
        self.assertEqual((done.exit, done.stdout), (7, b"trapped\n"))

    def test_closing_ends_it(self):
        with Supervisor() as other:
            program = other.cage("web").start(["sleep", "1000"])
            until(lambda: self.cage.state().programs == 1)
        until(lambda: self.cage.state().programs == 0)
        with self.assertRaises(Unavailable):
            program.wait()

    def test_a_client_that_is_killed_takes_its_program_along(self):
        script = "import sys; from cagewright import Supervisor; Supervisor().cage('web').run(['sleep', '1000'])"
        client = subprocess.Popen([sys.executable, "-c", script], env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))
        try:
            until(lambda: self.cage.state().programs == 1)
        finally:
            client.kill()
            client.wait()
        until(lambda: self.cage.state().programs == 0)

    def test_an_interrupt_ends_what_was_waited_for(self):
        signal.signal(signal.SIGALRM, self.interrupt)
        self.addCleanup(signal.signal, signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with self.assertRaises(KeyboardInterrupt):
            self.cage.run(["sleep", "1000"], timeout=PATIENCE)
        until(lambda: self.cage.state().programs == 0)

    @staticmethod
    def interrupt(*_):
        raise KeyboardInterrupt

    def test_what_makes_no_sense_is_said_before_anything_is_asked(self):
        with self.assertRaises(TypeError):
            self.cage.run("ls -l")
        with self.assertRaises(ValueError):
            self.cage.run(["ls", "a\0b"])
        with self.assertRaises(Refused) as other:
            self.supervisor.cage("other").run(["ls"], timeout=PATIENCE)
        self.assertIn("other is not up (expected: cagewright up other", str(other.exception))
        self.assertEqual(other.exception.code, 2)


class RequestsTest(unittest.TestCase):
    def setUp(self):
        self.cage = Supervisor().cage("web")

    def test_a_request_that_is_allowed_is_answered_beside_three_that_are_denied(self):
        answer = self.cage.fetch(ORIGIN + "/ok/a?b=c", headers={"X-Word": "yes"})
        self.assertEqual((answer.status, answer.content_type, answer.cut), (200, "text/plain", None))
        self.assertEqual(answer.body, b"GET /ok/a?b=c yes 0")
        posted = self.cage.fetch(ORIGIN + "/ok/a", method="POST", body=b"x" * 200_000)
        self.assertEqual(posted.body, b"POST /ok/a null 200000")
        for url, method in ((ORIGIN + "/no", "GET"), (ORIGIN + "/ok/a", "PUT"), ("http://evil.test/", "GET")):
            with self.assertRaises(Denied) as denied:
                self.cage.fetch(url, method=method)
            self.assertTrue(denied.exception.denial.id)
            self.assertEqual(denied.exception.denial.fix[0], "net:")

    def test_an_answer_longer_than_wanted_is_cut_and_says_so(self):
        answer = self.cage.fetch(ORIGIN + "/ok/abcdef", max_body=5)
        self.assertEqual(answer.body, b"GET /")
        self.assertIn("longer than 5 bytes", answer.cut)

    def test_addresses_that_are_none_are_not_asked_for(self):
        for url in ("ftp://origin.test/", "origin.test/ok", "http://me:word@origin.test/ok/a"):
            with self.assertRaises(ValueError):
                self.cage.fetch(url)
        with self.assertRaises(Refused):
            self.cage.fetch(ORIGIN + "/ok/a", credential="KEY")


class RecordTest(unittest.TestCase):
    def setUp(self):
        self.supervisor = Supervisor()
        self.cage = self.supervisor.cage("web")

    def test_a_decision_is_found_by_its_id(self):
        allowed = self.supervisor.decision(self.cage.run([ACT, "exit", "3"], timeout=PATIENCE).id)
        self.assertTrue(allowed.allowed)
        self.assertIsNone(allowed.denial)
        self.assertIn("exec.allowlist", allowed.rules)
        self.assertEqual(allowed.outcome.detail["exit"], 3)
        with self.assertRaises(Denied) as denied:
            self.cage.run(["uname"], timeout=PATIENCE)
        found = self.supervisor.decision(denied.exception.denial.id)
        self.assertFalse(found.allowed)
        self.assertEqual(found.denial.fix, denied.exception.denial.fix)
        self.assertEqual(found.denial.what, "proc.exec uname")
        self.assertIsNone(self.supervisor.decision(self.cage.state().session + "-999999"))

    def test_events_are_lines_of_the_log_the_newest_first(self):
        begin = datetime.now(timezone.utc) - timedelta(seconds=1)
        self.cage.run(["id"], timeout=PATIENCE)
        events = self.supervisor.events(session=self.cage.state().session, action="proc.exec", since=begin)
        self.assertEqual([event.kind for event in events[:2]], ["outcome", "intent"])
        log = Path(os.environ["XDG_STATE_HOME"], "cagewright", "audit.jsonl").read_bytes()
        for event in events:
            self.assertIn(event.line + b"\n", log)
        self.assertEqual(len(self.supervisor.events(limit=1)), 1)
        self.assertEqual(self.supervisor.events(since=datetime(2999, 1, 1, tzinfo=timezone.utc)), [])
        with self.assertRaises(ValueError):
            self.supervisor.events(since=datetime(2026, 1, 1))
        with self.assertRaises(Refused) as refused:
            self.supervisor.events(limit=1_000_000)
        self.assertEqual(str(refused.exception), "limit: (expected: 1 to 10000)")


class OtherSideTest(unittest.TestCase):
    def test_where_nobody_listens_it_is_said_what_to_do(self):
        with tempfile.TemporaryDirectory() as empty:
            with self.assertRaises(Unavailable) as nobody:
                Supervisor(socket=empty + "/socket").state()
        self.assertIn("(expected: cagewright up NAME)", str(nobody.exception))

    def test_nonsense_is_a_protocol_error(self):
        for said in (
            b"HTTP/1.1 200 OK\r\n\r\n",
            frame(b"O", b"x"),
            b"A\xff\xff\xff\xff",
            frame(b"A", b"[]"),
            frame(b"A", b'{"a":1,"a":2}'),
            frame(b"A", b'{"process":NaN}'),
            frame(b"A", b"\xff"),
        ):
            with self.subTest(said=said), FalseSupervisor(said) as other:
                with self.assertRaises(ProtocolError):
                    Supervisor(socket=other.at).state()

    def test_one_that_goes_in_the_middle_is_unavailable(self):
        for said in (b"", b"A\0\0", frame(b"A", b'{"told":[]}') + frame(b"O", b"half")):
            with self.subTest(said=said), FalseSupervisor(said) as other:
                with self.assertRaises(Unavailable):
                    Supervisor(socket=other.at).cage("web").run(["ls"])

    def test_an_older_one_refuses_what_it_does_not_know(self):
        refusal = b'{"refused":"ask: unknown (expected: a question of this version)","code":2}'
        with FalseSupervisor(frame(b"A", refusal)) as older:
            with self.assertRaises(Refused) as refused:
                Supervisor(socket=older.at).events()
        self.assertIn("ask: unknown", str(refused.exception))
        self.assertIn(b'"version":2', older.heard)

    def test_no_output_and_no_variable_stands_in_a_text_form(self):
        done = Supervisor().cage("web").run([ACT, "say", "the-canary"], timeout=PATIENCE)
        self.assertEqual(done.stdout, b"the-canary")
        self.assertNotIn("canary", repr(done))


class ZDeathTest(unittest.TestCase):
    """Last, for it kills the supervisor."""

    def test_a_supervisor_that_dies_meanwhile_is_told_and_the_next_one_is_found(self):
        with Supervisor() as supervisor:
            cage = supervisor.cage("web")
            with cage.start(["sleep", "1000"]) as program:
                os.kill(supervisor.state().process, signal.SIGKILL)
                with self.assertRaises(Unavailable) as gone:
                    program.wait()
                self.assertIn("cagewright supervisor status", str(gone.exception))
            with self.assertRaises(Unavailable):
                supervisor.state()
            product("up", "web")
            self.assertEqual(cage.run(["id", "-u"], timeout=PATIENCE).exit, 0)


if __name__ == "__main__":
    unittest.main()
