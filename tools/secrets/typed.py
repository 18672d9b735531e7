"""Values and passphrases that a person types, and files of them: they are stored, and shown nowhere."""

import os
import pty
import re
import select
import subprocess
import time

from stage import PRODUCT, Failed, Stage, letters

SOON = 60
ENTRY = ["{name: GITHUB_TOKEN, env: GITHUB_TOKEN, use_with: [api.github.com]}"]


def typing(stage, answers, *words):
    """Runs the product on a terminal and types a line whenever it asks; how it ended, and all that the terminal showed."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(stage.workspace)
        os.execve(PRODUCT, [str(PRODUCT), *words], stage.environment)
    shown, left, until = b"", list(answers), time.time() + SOON
    while time.time() < until:
        ready, _, _ = select.select([terminal], [], [], 0.2)
        if ready:
            try:
                piece = os.read(terminal, 4096)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        elif left and re.search(rb": ?$", shown):
            os.write(terminal, left.pop(0).encode() + b"\n")
            shown += b" <typed> "
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    if left:
        raise Failed("%s did not ask for everything: %s" % (words, shown[-600:]))
    return os.waitstatus_to_exitcode(status), shown


def used(stage, **variables):
    """A run that needs the key."""
    stage.environment.update(variables)
    return subprocess.run(stage.line(["env"]), env=stage.environment, cwd=stage.workspace, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=SOON, start_new_session=True)


def prompts():
    typed = "ghp_" + letters(36)
    with Stage(ENTRY, only=()) as stage:
        stage.values = {"GITHUB_TOKEN": typed}
        code, shown = typing(stage, [typed], "secret", "set", "GITHUB_TOKEN", "--protect", "file")
        if code != 0 or typed.encode() in shown:
            raise Failed("secret set ended with %d and showed %s" % (code, shown))
        done = used(stage)
        if done.returncode != 0 or b"GITHUB_TOKEN=ghp_" not in done.stdout:
            raise Failed("what was typed is not used: %s" % done)
        stage.clean(done.stdout + done.stderr, "the run")
        stage.nothing_kept()


def passphrases():
    secret = letters(24)
    with Stage(ENTRY) as stage:
        code, shown = typing(stage, [secret, secret], "secret", "key", "--protect", "passphrase")
        if code != 0 or secret.encode() in shown:
            raise Failed("secret key ended with %d and showed %s" % (code, shown))
        alone = used(stage)
        if alone.returncode == 0 or b"passphrase" not in alone.stderr or alone.stdout:
            raise Failed("without somebody who types it: %s" % alone)
        (stage.root / "wrong").write_text(secret[:-1] + "\n")
        (stage.root / "right").write_text(secret + "\n")
        wrong = used(stage, CAGEWRIGHT_PASSPHRASE_FILE=str(stage.root / "wrong"))
        if wrong.returncode == 0 or wrong.stdout:
            raise Failed("with a wrong one: %s" % wrong)
        right = used(stage, CAGEWRIGHT_PASSPHRASE_FILE=str(stage.root / "right"))
        if right.returncode != 0 or b"GITHUB_TOKEN=ghp_" not in right.stdout:
            raise Failed("with the right one: %s" % right)
        del stage.environment["CAGEWRIGHT_PASSPHRASE_FILE"]
        code, shown = typing(stage, [secret], *stage.line(["env"])[1:])
        if code != 0 or b"GITHUB_TOKEN=ghp_" not in shown or secret.encode() in shown:
            raise Failed("typed for a run: %d, %s" % (code, shown[-600:]))
        stage.values["the passphrase"] = secret
        for done in (alone, wrong, right):
            stage.clean(done.stdout + done.stderr, "a run")
        stage.nothing_kept()


def imports():
    with Stage(ENTRY, only=()) as stage:
        value = "ghp_" + letters(36)
        stage.values = {"GITHUB_TOKEN": value}
        file = stage.root / "keys.env"
        file.write_text("GITHUB_TOKEN=%s\nbroken %s\n" % (value, value))
        refused = stage.product("secret", "import", str(file))
        if refused.returncode == 0 or b"line 2" not in refused.stderr:
            raise Failed("a broken file was taken: %s" % refused)
        file.write_text("# keys\nexport GITHUB_TOKEN='%s'\nEMPTY=\n" % value)
        taken = stage.product("secret", "import", str(file), "--use-with", "api.github.com")
        if taken.returncode != 0 or b"left out EMPTY" not in taken.stderr:
            raise Failed("it was not imported: %s" % taken)
        done = used(stage)
        if done.returncode != 0 or b"GITHUB_TOKEN=ghp_" not in done.stdout:
            raise Failed("what was imported is not used: %s" % done)
        for each in (refused, taken, done):
            stage.clean(each.stdout + each.stderr, "what was said")
        stage.nothing_kept()


TRIALS = {"typed value": prompts, "typed passphrase": passphrases, "imported file": imports}
