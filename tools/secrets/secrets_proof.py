#!/usr/bin/env python3
"""Shows with the built product that keys arrive where they may and are seen nowhere else.

    tools/secrets/secrets_proof.py                runs all, prints a line each, ends with 1 if one does not hold
    tools/secrets/secrets_proof.py curl           runs these
    tools/secrets/secrets_proof.py --list         prints the names
"""

import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import canary
import live
import typed
from stage import Absent, Failed

TRIALS = {**live.TRIALS, **canary.TRIALS, **typed.TRIALS}


def main(names):
    if names == ["--list"]:
        print("\n".join(TRIALS))
        return 0
    unknown = [name for name in names if name not in TRIALS]
    if unknown:
        print("no such trial: %s (--list prints the names)" % ", ".join(unknown), file=sys.stderr)
        return 2
    fails = 0
    for name in names or TRIALS:
        began = time.time()
        try:
            TRIALS[name]()
            print("%s: holds (%.0f s)" % (name, time.time() - began), flush=True)
        except Absent as absent:
            print("%s: missing: %s" % (name, absent), flush=True)
        except Failed as failed:
            fails += 1
            print("%s: does not hold: %s" % (name, failed), flush=True)
    return 1 if fails else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
