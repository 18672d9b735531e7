"""In the cage: does what phase-N.json says, tells what came in phase-N.said, and waits for the next, until one says END.

A step is [method, URL, {field: text}, body, how]; `$NAME` is a variable's value, `how` is "" or "behind", which does not wait.
"""

import json
import os
import threading
import time
import urllib.error
import urllib.request

kept = []  # what came stays in this process's memory, where a search finds it


def filled(text):
    return os.path.expandvars(text)


def done(method, url, fields, body):
    request = urllib.request.Request(filled(url), method=method, headers={name: filled(text) for name, text in fields.items()},
                                     data=filled(body).encode() if body else None)
    try:
        with urllib.request.urlopen(request, timeout=90) as answer:
            came = [answer.status, str(answer.headers)]
            pieces = []
            kept.append(pieces)
            for line in answer:
                pieces.append(line)
            return came + [b"".join(pieces).decode("latin-1")]
    except urllib.error.HTTPError as refused:
        return [refused.code, str(refused.headers), refused.read().decode("latin-1")]
    except (OSError, ValueError, Exception) as failure:
        return [0, "", "%s: %s" % (type(failure).__name__, failure)]


number = 0
while True:
    phase = "phase-%d" % number
    while not os.path.exists(phase + ".json"):
        time.sleep(0.05)
    steps = json.load(open(phase + ".json"))
    if steps == "END":
        break
    said = []
    for method, url, fields, body, how in steps:
        if how == "behind":
            threading.Thread(target=lambda words=(method, url, fields, body): kept.append(done(*words)), daemon=True).start()
        else:
            said.append(done(method, url, fields, body))
    kept.append(said)
    with open("saying", "w") as out:
        json.dump(said, out)
    os.rename("saying", phase + ".said")
    number += 1
print(json.dumps(kept[-1] if kept else []))
