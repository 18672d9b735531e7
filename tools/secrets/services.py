"""Stand-ins for api.anthropic.com, api.openai.com, api.github.com and github.com, on a loopback address of their own.

Each wants its key and says it again, in the spelling, in pieces of the length, with the coding that it was asked for in the
message `echo NAME SPELLING SIZE`: what a bad or a careless origin would do.
"""

import gzip
import http.server
import json
import os
import pathlib
import random
import shutil
import socket
import ssl
import subprocess
import threading
import time
import urllib.parse
import zlib

import spellings

HOSTS = ("api.anthropic.com", "api.openai.com", "api.github.com", "github.com")
HTTPS = 443


def openssl(*words, cwd):
    done = subprocess.run(["openssl", *words], cwd=cwd, capture_output=True, text=True)
    if done.returncode != 0:
        raise OSError("openssl %s: %s" % (words[0], done.stderr.strip()[-300:]))


def certificates(folder):
    """An authority of its own, and one certificate for all names, made now."""
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    names = ",".join("DNS:" + host for host in HOSTS)
    (folder / "leaf.ext").write_text("subjectAltName=%s\nextendedKeyUsage=serverAuth\n"
                                     "keyUsage=critical,digitalSignature\nbasicConstraints=CA:false\n" % names)
    openssl("req", "-x509", *curve, "-keyout", "roots.key", "-out", "roots.pem", "-days", "2", "-subj", "/CN=services",
            "-addext", "basicConstraints=critical,CA:true", "-addext", "keyUsage=critical,keyCertSign", cwd=folder)
    openssl("req", *curve, "-keyout", "leaf.key", "-out", "leaf.csr", "-subj", "/CN=services", cwd=folder)
    openssl("x509", "-req", "-in", "leaf.csr", "-CA", "roots.pem", "-CAkey", "roots.key", "-CAcreateserial", "-out",
            "leaf.pem", "-days", "2", "-extfile", "leaf.ext", cwd=folder)


class Services(http.server.ThreadingHTTPServer):
    """All four while this is open. `shown` has what was presented as a credential, by host."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, folder, keys):
        self.folder, self.keys, self.shown, self.bodies = pathlib.Path(folder), keys, [], []
        self.stalled, self.go_on = threading.Event(), threading.Event()
        self.folder.mkdir()
        (self.folder / "git").mkdir()
        certificates(self.folder)
        self.roots = self.folder / "roots.pem"
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.folder / "leaf.pem", self.folder / "leaf.key")
        self.address = "127.%d.%d.%d" % tuple(random.randint(1, 254) for _ in range(3))
        try:
            super().__init__((self.address, HTTPS), Answering)
        except PermissionError:  # net.ipv4.ip_unprivileged_port_start
            super().__init__((self.address, 0), Answering)
        self.port = self.server_address[1]
        self.thread = threading.Thread(target=self.serve_forever, daemon=True)
        self.thread.start()

    def url(self, host, path=""):
        return "https://%s%s%s" % (host, "" if self.port == HTTPS else ":%d" % self.port, path)

    def finish_request(self, request, client_address):
        request.settimeout(60)
        try:
            with self.context.wrap_socket(request, server_side=True) as wrapped:
                self.RequestHandlerClass(wrapped, client_address, self)
        except (OSError, ValueError):
            return

    def handle_error(self, request, client_address):
        return

    def repository(self, name):
        """An empty bare one that takes pushes, with one commit."""
        git = ("git", "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main")
        there = self.folder / "git" / name
        there.parent.mkdir(parents=True, exist_ok=True)

        def said(*words):
            return subprocess.run([*git, *words], check=True, capture_output=True, text=True, input="").stdout.strip()
        said("init", "-q", "--bare", str(there))
        said("-C", str(there), "config", "http.receivepack", "true")
        commit = said("-C", str(there), "commit-tree", "-m", "First", said("-C", str(there), "mktree"))
        said("-C", str(there), "update-ref", "refs/heads/main", commit)
        return there

    def close(self):
        self.go_on.set()
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

    def do_POST(self):
        self.answer()

    def answer(self):
        host = self.headers["Host"].split(":")[0]
        shown = self.headers.get("x-api-key") or self.headers.get("Authorization") or ""
        self.server.shown.append((host, shown))
        if host == "github.com":
            self.git()
            return
        body = self.read()
        self.server.bodies.append(body)
        path = urllib.parse.urlsplit(self.path).path
        if not self.admits(host, shown):
            self.say(401, {"error": {"type": "authentication_error", "message": "invalid key: " + shown}})
        elif path.startswith("/bad/"):
            self.bad(path[len("/bad/"):], shown)
        elif path == "/splits":
            self.splits()
        elif host == "api.anthropic.com" and path == "/v1/messages":
            self.model(body, self.tell_anthropic)
        elif host == "api.openai.com" and path == "/v1/chat/completions":
            self.model(body, self.tell_completions)
        elif host == "api.openai.com" and path == "/v1/responses":
            self.model(body, self.tell_responses)
        elif host == "api.github.com":
            self.say(200, {"login": "acme", "path": self.path, "presented": shown, "body": body.decode("latin-1")})
        else:
            self.say(404, {"error": "no such thing: " + self.path})

    def read(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            whole = b""
            while True:
                size = int(self.rfile.readline().split(b";")[0], 16)
                whole += self.rfile.read(size)
                self.rfile.readline()
                if size == 0:
                    return whole
        return self.rfile.read(int(self.headers.get("Content-Length", "0")))

    def admits(self, host, shown):
        words = {"api.anthropic.com": ["%s"], "api.openai.com": ["Bearer %s"], "api.github.com": ["Bearer %s", "token %s"]}
        return any(shown == form % self.server.keys[host] for form in words[host])

    def say(self, status, value, **fields):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Presented", self.headers.get("x-api-key") or self.headers.get("Authorization") or "none")
        for name, text in fields.items():
            self.send_header(name.replace("_", "-"), text)
        self.end_headers()
        self.wfile.write(body)

    # what a model tells

    def model(self, body, form):
        request = json.loads(body)
        text = request.get("input") or request["messages"][-1]["content"]
        name, spelling, size = text.split()[1:4]
        told = "your key is %s, is it not?" % spellings.told(self.server.keys[name], spelling)
        form(told, int(size), request.get("stream", False))

    def tell_anthropic(self, told, size, streams):
        usage = {"input_tokens": 9, "output_tokens": 9}
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "stop_reason": None,
                   "stop_sequence": None, "usage": usage}
        if not streams:
            self.say(200, dict(message, content=[{"type": "text", "text": told}], stop_reason="end_turn"))
            return
        events = [{"type": "message_start", "message": dict(message, content=[])},
                  {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
                  {"type": "ping"}]
        events += [{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
                   for piece in cut(told, size)]
        events += [{"type": "content_block_stop", "index": 0},
                   {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": usage},
                   {"type": "message_stop"}]
        self.stream("event: %s\ndata: %s\n\n" % (event["type"], json.dumps(event)) for event in events)

    def tell_completions(self, told, size, streams):
        head = {"id": "chatcmpl-1", "created": 1, "model": "gpt"}
        if not streams:
            message = {"role": "assistant", "content": told}
            self.say(200, dict(head, object="chat.completion",
                               choices=[{"index": 0, "message": message, "finish_reason": "stop"}]))
            return
        deltas = [{"role": "assistant", "content": ""}] + [{"content": piece} for piece in cut(told, size)] + [{}]
        lines = [json.dumps(dict(head, object="chat.completion.chunk",
                                 choices=[{"index": 0, "delta": delta, "finish_reason": None if delta else "stop"}]))
                 for delta in deltas]
        self.stream("data: %s\n\n" % line for line in lines + ["[DONE]"])

    def tell_responses(self, told, size, streams):
        whole = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": told}]}
        if not streams:
            self.say(200, {"id": "resp_1", "object": "response", "status": "completed", "output": [whole]})
            return
        place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
        events = [{"type": "response.created", "response": {"id": "resp_1", "output": []}}]
        events += [dict(place, type="response.output_text.delta", delta=piece) for piece in cut(told, size)]
        events += [dict(place, type="response.output_text.done", text=told),
                   {"type": "response.completed", "response": {"id": "resp_1", "output": [whole]}}]
        self.stream("event: %s\ndata: %s\n\n" % (event["type"], json.dumps(event)) for event in events)

    def stream(self, pieces, kind="text/event-stream"):
        """Chunked; compressed where the client lets it, each piece flushed."""
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        packs = zlib.compressobj(wbits=31) if "gzip" in self.headers.get("Accept-Encoding", "") else None
        if packs:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        for piece in pieces:
            data = piece.encode() if isinstance(piece, str) else piece
            self.chunk(packs.compress(data) + packs.flush(zlib.Z_SYNC_FLUSH) if packs else data)
        if packs:
            self.chunk(packs.flush())
        self.wfile.write(b"0\r\n\r\n")

    def chunk(self, data):
        if data:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def splits(self):
        """A key in a spelling, cut in two at each of its places: `/splits?NAME&SPELLING`."""
        name, spelling = self.path.split("?")[1].split("&")
        text = spellings.told(self.server.keys[name], urllib.parse.unquote(spelling)).encode()

        def pieces():
            for place in range(1, len(text)):
                yield b"at %d: %s" % (place, text[:place])
                yield text[place:] + b"\n"
        self.stream(pieces(), "text/plain")

    # what goes wrong

    def bad(self, how, shown):
        if how == "refuses":
            self.say(500, {"error": "no: " + shown}, X_Why="for " + shown)
        elif how == "cut":
            self.send_response(200)
            self.send_header("Content-Type", "text/plain")
            self.send_header("Content-Length", "10000")
            self.end_headers()
            self.wfile.write(("half of it: " + shown).encode())
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
        elif how == "coding":
            self.coded("snappy", shown.encode())
        elif how == "gzip":
            self.coded("gzip", gzip.compress(shown.encode()))
        elif how == "torn":
            self.coded("gzip", gzip.compress(os.urandom(3000) + shown.encode())[:-1500])
        elif how == "head":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\nX: %s\r\n\r\n12345" % shown.encode())
            self.close_connection = True
        elif how == "stalls":
            self.stalls(shown)
        else:
            self.say(404, {"error": how})

    def coded(self, coding, body):
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Encoding", coding)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stalls(self, shown):
        """Begins, waits until somebody looked, and goes on until it is ended."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.chunk(b"data: begun with " + shown.encode() + b"\n\n")
        self.server.stalled.set()
        until = time.time() + 300
        while not self.server.go_on.wait(0.1) and time.time() < until:
            self.chunk(b"data: and " + shown.encode() + b"\n\n")
        self.chunk(b"data: ended with " + shown.encode() + b"\n\n")
        self.wfile.write(b"0\r\n\r\n")

    # github.com

    def git(self):
        """git-http-backend(1), for whoever has the key as the password of a Basic pair."""
        import base64
        pair = base64.b64decode((self.headers.get("Authorization") or "").removeprefix("Basic ")).decode()
        body = self.read()
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        if pair.partition(":")[2] != self.server.keys["github.com"]:
            told = b"not you: " + pair.encode()
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="GitHub"')
            self.send_header("Content-Type", "text/plain")
            self.send_header("Content-Length", str(len(told)))
            self.end_headers()
            self.wfile.write(told)
            return
        url = urllib.parse.urlsplit(self.path)
        environment = {"PATH": os.environ["PATH"], "GIT_PROJECT_ROOT": str(self.server.folder / "git"),
                       "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": url.path, "QUERY_STRING": url.query,
                       "REQUEST_METHOD": self.command, "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                       "CONTENT_LENGTH": str(len(body)), "REMOTE_USER": "cage", "REMOTE_ADDR": "127.0.0.1",
                       "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""), "GIT_CONFIG_COUNT": "1",
                       "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
        done = subprocess.run([shutil.which("git"), "http-backend"], env=environment, input=body, capture_output=True)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
        self.send_response(int(fields.pop("Status", "200").split()[0]))
        for name, text in fields.items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def cut(text, size):
    return [text[at:at + size] for at in range(0, len(text), size)]
