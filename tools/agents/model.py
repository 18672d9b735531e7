"""A stand-in for the model services of the agents, under their real names, on a loopback address of its own.

Speaks Anthropic Messages, OpenAI Responses and Chat Completions, and Gemini's generateContent, streamed and whole. What
the model does is written down before: a prompt with MARK starts STEPS, one tool call a turn; after the last it says what
it got, and the credential that the request came with: once in one delta, once in pieces of three letters.
"""

import gzip
import http.server
import itertools
import json
import pathlib
import random
import ssl
import subprocess
import threading
import urllib.parse
import zlib

HOSTS = ("api.anthropic.com", "platform.claude.com", "api.openai.com", "generativelanguage.googleapis.com",
         "models.opencode.ai")
MARK = "cagewright-trial"
OVER = "TRIALOVER"
SHELLS = ("bash", "exec_command", "shell_command", "shell", "run_shell_command", "exec")
READERS = ("read", "read_file")
WRITERS = ("write", "write_file")
MODEL = {"id": "claude-sonnet-4-5", "name": "Claude", "release_date": "2025-09-29", "attachment": True, "reasoning": False,
         "temperature": True, "tool_call": True, "cost": {"input": 3, "output": 15},
         "limit": {"context": 200000, "output": 64000}}
COUNTER = itertools.count(1)


def openssl(*words, cwd):
    done = subprocess.run(["openssl", *words], cwd=cwd, capture_output=True, text=True)
    if done.returncode != 0:
        raise OSError("openssl %s: %s" % (words[0], done.stderr.strip()[-300:]))


def certificates(folder):
    """An authority of its own, and one certificate for all names, made now."""
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    (folder / "leaf.ext").write_text("subjectAltName=%s\nextendedKeyUsage=serverAuth\nkeyUsage=critical,digitalSignature\n"
                                     "basicConstraints=CA:false\n" % ",".join("DNS:" + host for host in HOSTS))
    openssl("req", "-x509", *curve, "-keyout", "roots.key", "-out", "roots.pem", "-days", "2", "-subj", "/CN=models",
            "-addext", "basicConstraints=critical,CA:true", "-addext", "keyUsage=critical,keyCertSign", cwd=folder)
    openssl("req", *curve, "-keyout", "leaf.key", "-out", "leaf.csr", "-subj", "/CN=models", cwd=folder)
    openssl("x509", "-req", "-in", "leaf.csr", "-CA", "roots.pem", "-CAkey", "roots.key", "-CAcreateserial", "-out",
            "leaf.pem", "-days", "2", "-extfile", "leaf.ext", cwd=folder)


class Step:
    """One thing that the model wants done: `kind` is read, run or write."""

    def __init__(self, kind, path="", text=""):
        self.kind, self.path, self.text = kind, path, text

    def command(self):
        if self.kind == "run":
            return self.text
        if self.kind == "read":
            return "cat '%s'" % self.path
        return "printf '%%s' '%s' > '%s'" % (self.text, self.path)

    def program(self):
        """For a tool that takes JavaScript, with the other tools as functions."""
        if self.kind == "read":
            return "json(await read(%s));" % json.dumps({"path": self.path})
        if self.kind == "write":
            return "json(await write(%s));" % json.dumps({"path": self.path, "content": self.text})
        return ("const found = await catalog.search('exec: run a shell command'); const run = found.find(one => one.name === 'exec');"
                "if (!run) return found.map(one => one.name); json(await run(%s));" % json.dumps({"command": self.text, "yieldMs": 60000}))


class Model(http.server.ThreadingHTTPServer):
    """All hosts while this is open.

    steps: what the model wants done; seen: credentials by host and path; results: what the tools answered, the last trial's;
    asked: every request's host, method and path.
    """

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, folder, steps):
        self.folder, self.steps = pathlib.Path(folder), steps
        self.seen, self.results, self.asked, self.requests = [], [], [], {}
        self.folder.mkdir()
        certificates(self.folder)
        self.roots = self.folder / "roots.pem"
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.folder / "leaf.pem", self.folder / "leaf.key")
        self.address = "127.%d.%d.%d" % tuple(random.randint(1, 254) for _ in range(3))
        try:
            super().__init__((self.address, 443), Answering)
        except PermissionError:
            raise PermissionError("port 443 of a loopback address cannot be had (expected: root, or"
                                  " net.ipv4.ip_unprivileged_port_start=0): agents go to no other") from None
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def finish_request(self, request, client_address):
        request.settimeout(120)
        try:
            with self.context.wrap_socket(request, server_side=True) as wrapped:
                self.RequestHandlerClass(wrapped, client_address, self)
        except (OSError, ValueError):
            return

    def handle_error(self, request, client_address):
        return

    def forget(self):
        self.seen, self.results, self.asked = [], [], []

    def close(self):
        self.shutdown()
        self.server_close()


class Answering(http.server.BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        return

    def do_GET(self):
        self.answer()

    def do_HEAD(self):
        self.answer()

    def do_POST(self):
        self.answer()

    def answer(self):
        host = self.headers["Host"].split(":")[0]
        url = urllib.parse.urlsplit(self.path)
        raw = self.read()
        self.server.asked.append("%s %s%s" % (self.command, host, url.path))
        if self.headers.get("Upgrade"):
            self.say(426, {"error": {"message": "no upgrade here"}})
            return
        form = FORMS.get((host, url.path)) or (Gemini if url.path.endswith("enerateContent") else None)
        if self.command != "POST" or form is None:
            self.other(host, url.path)
            return
        self.server.seen.append((host, url.path, self.credential(url)))
        form(self, json.loads(raw), url).speak(self.credential(url))

    def credential(self, url):
        query = urllib.parse.parse_qs(url.query)
        given = self.headers.get("x-api-key") or self.headers.get("x-goog-api-key") or query.get("key", [""])[0]
        return given or (self.headers.get("Authorization") or "").removeprefix("Bearer ")

    def read(self):
        raw = b""
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            while (size := int(self.rfile.readline().split(b";")[0], 16)) > 0:
                raw += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            raw = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        return gzip.decompress(raw) if self.headers.get("Content-Encoding") == "gzip" else raw

    def other(self, host, path):
        if path in ("/api/hello", "/v1/oauth/hello"):
            self.say(200, {"message": "hello"})
        elif path.endswith("count_tokens"):
            self.say(200, {"input_tokens": 10})
        elif host == "models.opencode.ai":
            self.say(200, {"anthropic": {
                "id": "anthropic", "name": "Anthropic", "env": ["ANTHROPIC_API_KEY"], "npm": "@ai-sdk/anthropic",
                "models": {"claude-sonnet-4-5": MODEL}}})
        elif path.endswith("/models"):
            self.say(200, {"object": "list", "data": [], "models": []})
        else:
            self.say(404, {"type": "error", "error": {"type": "not_found_error", "message": "no such thing"}})

    def say(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def stream(self, events):
        """Server-sent events, chunked; compressed where the client lets it, each event flushed."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        packs = zlib.compressobj(wbits=31) if "gzip" in self.headers.get("Accept-Encoding", "") else None
        if packs:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        for name, value in events:
            text = ("event: %s\n" % name if name else "") + "data: %s\n\n" % (
                value if isinstance(value, str) else json.dumps(value))
            data = text.encode()
            self.chunk(packs.compress(data) + packs.flush(zlib.Z_SYNC_FLUSH) if packs else data)
        if packs:
            self.chunk(packs.flush())
        self.wfile.write(b"0\r\n\r\n")

    def chunk(self, data):
        if data:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))


class Tool:
    """A tool that the agent offers: its name, its parameters as a JSON Schema, and whether it takes a bare text."""

    def __init__(self, name, schema, takes_text):
        self.name, self.takes_text = name, takes_text
        self.properties = (schema or {}).get("properties", {})
        self.required = (schema or {}).get("required", [])

    def call(self, **meanings):
        """Arguments by what they mean, under the names that this tool has for them."""
        names = {"command": ("command", "cmd"), "path": ("file_path", "filePath", "path", "absolute_path"),
                 "text": ("content", "contents", "text")}
        arguments = {}
        for meaning, value in meanings.items():
            name = next((name for name in names[meaning] if name in self.properties), names[meaning][0])
            arguments[name] = ["bash", "-c", value] if self.properties.get(name, {}).get("type") == "array" else value
        for name in self.required:
            arguments.setdefault(name, self.usual(self.properties.get(name, {})))
        return self.name, arguments

    def usual(self, schema):
        if any(kind.get("type") == "null" for kind in schema.get("anyOf", [])):
            return None
        if "enum" in schema:
            return schema["enum"][0]
        return {"boolean": False, "number": 30000, "integer": 30000}.get(schema.get("type"), "a trial")


class Form:
    """One service's way to speak. `turns` is the conversation: (who, text), who is person, model or tool."""

    def __init__(self, connection, request, url):
        self.connection, self.request, self.url = connection, request, url
        self.id = "%s%d" % (MARK.replace("-", ""), next(COUNTER))
        known = connection.server.requests.get(request.get("thread", {}).get("previous_message_id"))
        if known:  # what a client that continues a thread does not send again
            self.request = dict(request, messages=known["messages"] + request["messages"], tools=known["tools"])
        connection.server.requests["msg_" + self.id] = self.request

    def speak(self, credential):
        script = self.connection.server.steps
        begun = max((at for at, (who, text) in enumerate(self.turns()) if who == "person" and MARK in text), default=-1)
        results = [text for who, text in self.turns()[begun + 1:] if who == "tool"]
        tools = self.tools()
        if begun < 0 or not tools:
            self.tell(["a word"])
            return
        self.connection.server.results = results
        if len(results) < len(script):
            self.call(*self.chosen(script[len(results)], tools))
            return
        told = "your key is %s; " % credential
        pieces = [told[at:at + 3] for at in range(0, len(told), 3)]
        self.tell([told, *pieces, "%s; it was told: %s" % (OVER, results[-1][:200] if results else "nothing")])

    def chosen(self, step, tools):
        by_name = {tool.name.lower(): tool for tool in tools if tool.name}

        def first(names):
            return next((by_name[name] for name in names if name in by_name), None)
        writer, reader = first(WRITERS), first(READERS)
        if step.kind == "write" and writer:
            return writer.call(path=step.path, text=step.text)
        if step.kind == "read" and reader:
            return reader.call(path=step.path)
        shell = first(SHELLS)
        if shell is None:
            raise ValueError("no shell among %s" % sorted(by_name))
        if "code" in shell.properties:
            return shell.name, {"code": step.program()}
        if shell.takes_text:
            return shell.name, "const r = await tools.exec_command(%s); text(r.output);" % json.dumps(
                {"cmd": step.command(), "login": False})
        return shell.call(command=step.command())


def text_of(content):
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(text_of(part) for part in content)
    if isinstance(content, dict):
        return text_of(content.get("text") or content.get("content") or content.get("output") or "")
    return ""


class Anthropic(Form):
    """Messages."""

    def turns(self):
        turns = []
        for message in self.request.get("messages", []):
            content = message["content"]
            for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
                if part["type"] == "tool_result":
                    turns.append(("tool", text_of(part.get("content"))))
                elif part["type"] == "text":
                    turns.append(("person" if message["role"] == "user" else "model", part["text"]))
        return turns

    def tools(self):
        return [Tool(tool.get("name"), tool.get("input_schema"), False) for tool in self.request.get("tools", [])]

    def call(self, name, arguments):
        self.say({"type": "tool_use", "id": "toolu_" + self.id, "name": name, "input": arguments},
                 {"type": "input_json_delta"}, "partial_json", [json.dumps(arguments)], "tool_use")

    def tell(self, pieces):
        self.say({"type": "text", "text": "".join(pieces)}, {"type": "text_delta"}, "text", pieces, "end_turn")

    def say(self, block, delta, field, pieces, reason):
        usage = {"input_tokens": 9, "output_tokens": 9}
        message = {"id": "msg_" + self.id, "type": "message", "role": "assistant", "model": self.request.get("model"),
                   "stop_reason": None, "stop_sequence": None, "usage": usage}
        if not self.request.get("stream"):
            self.connection.say(200, dict(message, content=[block], stop_reason=reason))
            return
        empty = dict(block, **({"text": ""} if field == "text" else {"input": {}}))
        events = [{"type": "message_start", "message": dict(message, content=[])},
                  {"type": "content_block_start", "index": 0, "content_block": empty}]
        events += [{"type": "content_block_delta", "index": 0, "delta": dict(delta, **{field: piece})} for piece in pieces]
        events += [{"type": "content_block_stop", "index": 0},
                   {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage},
                   {"type": "message_stop"}]
        self.connection.stream((event["type"], event) for event in events)


class Completions(Form):
    """Chat Completions."""

    def turns(self):
        who = {"user": "person", "assistant": "model", "tool": "tool"}
        return [(who.get(message["role"], "system"), text_of(message.get("content")))
                for message in self.request.get("messages", [])]

    def tools(self):
        functions = [tool.get("function", tool) for tool in self.request.get("tools", [])]
        return [Tool(one.get("name"), one.get("parameters"), False) for one in functions]

    def call(self, name, arguments):
        function = {"name": name, "arguments": json.dumps(arguments)}
        calls = [{"index": 0, "id": "call_" + self.id, "type": "function", "function": function}]
        self.say([{"tool_calls": calls}], {"role": "assistant", "content": None, "tool_calls": calls}, "tool_calls")

    def tell(self, pieces):
        self.say([{"content": piece} for piece in pieces], {"role": "assistant", "content": "".join(pieces)}, "stop")

    def say(self, deltas, message, reason):
        head = {"id": "chatcmpl-" + self.id, "created": 1, "model": self.request.get("model")}
        usage = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}
        if not self.request.get("stream"):
            self.connection.say(200, dict(head, object="chat.completion", usage=usage,
                                          choices=[{"index": 0, "message": message, "finish_reason": reason}]))
            return
        chunks = [(delta, None) for delta in [{"role": "assistant", "content": ""}, *deltas]] + [({}, reason)]
        events = [dict(head, object="chat.completion.chunk", choices=[{"index": 0, "delta": delta, "finish_reason": end}])
                  for delta, end in chunks]
        self.connection.stream(("", event) for event in [*events, "[DONE]"])


class Responses(Form):
    """Responses."""

    def turns(self):
        given = self.request.get("input", [])
        turns = []
        for item in [{"role": "user", "content": given}] if isinstance(given, str) else given:
            kind = item.get("type", "")
            if kind.endswith("call_output"):
                turns.append(("tool", text_of(item.get("output"))))
            elif item.get("role"):
                who = {"user": "person", "assistant": "model"}.get(item["role"], "system")
                turns.append((who, text_of(item.get("content"))))
        return turns

    def tools(self):
        given = self.request.get("input", [])
        more = [tool for item in (given if isinstance(given, list) else []) if item.get("type") == "additional_tools"
                for tool in item["tools"]]
        tools = []
        for tool in [*self.request.get("tools", []), *more]:
            for one in tool.get("tools", [tool]):
                tools.append(Tool(one.get("name"), one.get("parameters"), one.get("type") == "custom"))
        return tools

    def call(self, name, arguments):
        takes_text = isinstance(arguments, str)
        item = {"call_id": "call_" + self.id, "name": name, "status": "completed"}
        if takes_text:
            item.update(type="custom_tool_call", id="ctc_" + self.id, input=arguments)
        else:
            item.update(type="function_call", id="fc_" + self.id, arguments=json.dumps(arguments))
        self.say(item, [])

    def tell(self, pieces):
        part = {"type": "output_text", "text": "".join(pieces), "annotations": []}
        self.say({"type": "message", "id": "msg_" + self.id, "role": "assistant", "status": "completed", "content": [part]},
                 pieces)

    def say(self, item, pieces):
        usage = {"input_tokens": 9, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 9,
                 "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 18}
        whole = {"id": "resp_" + self.id, "object": "response", "created_at": 1, "model": self.request.get("model"),
                 "status": "completed", "output": [item], "parallel_tool_calls": True, "tools": [], "usage": usage}
        if not self.request.get("stream"):
            self.connection.say(200, whole)
            return
        place = {"item_id": item["id"], "output_index": 0, "content_index": 0}
        events = [{"type": "response.created", "response": dict(whole, status="in_progress", output=[], usage=None)},
                  {"type": "response.output_item.added", "output_index": 0, "item": self.begun(item)}]
        if pieces:
            empty = {"type": "output_text", "text": "", "annotations": []}
            events.append(dict(place, type="response.content_part.added", part=empty))
            events += [dict(place, type="response.output_text.delta", delta=piece) for piece in pieces]
            events.append(dict(place, type="response.output_text.done", text="".join(pieces)))
            events.append(dict(place, type="response.content_part.done", part=item["content"][0]))
        events += [{"type": "response.output_item.done", "output_index": 0, "item": item},
                   {"type": "response.completed", "response": whole}]
        self.connection.stream((event["type"], dict(event, sequence_number=at)) for at, event in enumerate(events))

    def begun(self, item):
        empty = {"message": {"content": []}, "function_call": {"arguments": ""}, "custom_tool_call": {"input": ""}}
        return dict(item, status="in_progress", **empty[item["type"]])


class Gemini(Form):
    """generateContent and streamGenerateContent."""

    def turns(self):
        turns = []
        for content in self.request.get("contents", []):
            for part in content.get("parts", []):
                if "functionResponse" in part:
                    turns.append(("tool", json.dumps(part["functionResponse"].get("response"))))
                elif "text" in part:
                    turns.append(("model" if content.get("role") == "model" else "person", part["text"]))
        return turns

    def tools(self):
        return [Tool(one.get("name"), one.get("parametersJsonSchema") or one.get("parameters"), False)
                for tool in self.request.get("tools", []) for one in tool.get("functionDeclarations", [])]

    def call(self, name, arguments):
        self.say([[{"functionCall": {"name": name, "args": arguments}}]])

    def tell(self, pieces):
        self.say([[{"text": piece}] for piece in pieces])

    def say(self, parts):
        usage = {"promptTokenCount": 9, "candidatesTokenCount": 9, "totalTokenCount": 18}

        def candidate(some, reason):
            return {"candidates": [{"index": 0, "content": {"role": "model", "parts": some}, **reason}],
                    "usageMetadata": usage, "modelVersion": "trial"}
        stop = {"finishReason": "STOP"}
        if ":stream" not in self.url.path:
            self.connection.say(200, candidate([part for some in parts for part in some], stop))
            return
        self.connection.stream(("", candidate(some, stop if some is parts[-1] else {})) for some in parts)


FORMS = {("api.anthropic.com", "/v1/messages"): Anthropic, ("api.openai.com", "/v1/responses"): Responses,
         ("api.openai.com", "/v1/chat/completions"): Completions}
