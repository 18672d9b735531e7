"""In the cage: has an API echo its keys in every spelling, by urllib or requests, and tells what came as lines of JSON.

    talk.py urllib|requests URL FIELD PREFIX VARIABLE NAME SIZE SPELLING...
"""

import json
import os
import sys
import urllib.request

how, url, field, prefix, variable, name, size = sys.argv[1:8]
key = os.environ[variable]


def lines(body):
    request = {"data": json.dumps(body).encode(), "headers": {field: prefix + key, "Content-Type": "application/json"}}
    if how == "requests":
        import requests
        with requests.post(url, stream=True, timeout=60, **request) as answer:
            yield from answer.iter_lines()
    else:
        with urllib.request.urlopen(urllib.request.Request(url, **request), timeout=60) as answer:
            yield from answer


def text(event):
    """What an event of one of the three forms adds."""
    if event.get("type") == "content_block_delta":
        return event["delta"]["text"]
    if event.get("type") == "response.output_text.delta":
        return event["delta"]
    return "".join(choice["delta"].get("content", "") for choice in event.get("choices", []))


print(key, flush=True)
for spelling in sys.argv[8:]:
    told = "echo %s %s %s" % (name, spelling, size)
    whole, raw = "", b""
    for line in lines({"model": "m", "stream": True, "max_tokens": 99, "input": told, "messages": [{"role": "user", "content": told}]}):
        raw += line
        if line.startswith(b"data: {"):
            whole += text(json.loads(line[6:]))
    print(json.dumps({"spelling": spelling, "text": whole, "raw": raw.decode()}), flush=True)
