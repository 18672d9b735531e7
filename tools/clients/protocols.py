"""What is more than a request and an answer: WebSocket, server-sent events, gRPC, and what is no TCP."""

import shutil

from lab import HERE, Client, Failed, Step, denied, program
from programs import reachable

WS = """import WebSocket from 'ws';
const [url] = process.argv.slice(2);
const socket = new WebSocket(url);
const next = name => new Promise((resolve, reject) => {
  socket.once(name, (...got) => resolve(got));
  socket.once('error', reject);
});
try {
  await next('open');
  for (const message of ['one', 'x'.repeat(70000), Buffer.alloc(5 << 20, 7)]) {
    socket.send(message);
    const [got, isBinary] = await next('message');
    console.log(isBinary ? 'binary' : 'text', got.length, Buffer.from(message).equals(got));
  }
  socket.ping('there?');
  console.log('pong', String((await next('pong'))[0]));
  socket.send('bye');
  console.log('closed', (await next('close'))[0]);
} catch (error) {
  console.log(error.message);
  process.exit(1);
}
"""
SAID = ("text 3 true", "text 70000 true", "binary 5242880 true", "pong there?", "closed 1000")


def installed(place, *packages):
    """Installs npm packages in the cage, as anybody would."""
    program("npm")
    reachable("npm", "view", packages[0], "version")
    place.write("package.json", '{"name": "demo", "version": "1.0.0"}\n')
    place.run(Step("npm", "install", "--no-audit", "--no-fund", *packages))


def web_socket(place):
    installed(place, "ws@8.18.0")
    place.write("ask.mjs", WS)
    secure, clear = (place.url("/ok/ws", server).replace("http", "ws", 1) for server in ("secure", "clear"))
    place.run(
        Step("node", "ask.mjs", secure, says=SAID),
        Step("node", "ask.mjs", clear, says=SAID),
        denied("node", "ask.mjs", secure.replace("/ok/", "/no/"), tells="Unexpected server response: 403", code=1),
        denied("node", "ask.mjs", "wss://other.test/", tells="Unexpected server response: 403", code=1))
    place.asked("WebSocket /ok/ws")


READ = """import json, subprocess, sys
url, seen = sys.argv[1], sys.argv[2]
client = subprocess.Popen(["curl", "-sSN", *sys.argv[3:], url], stdout=subprocess.PIPE, text=True)
for line in client.stdout:
    if line.startswith("data: "):
        print(line.strip(), flush=True)
        subprocess.run(["curl", "-sS", "-o", "/dev/null", seen + line[6:].strip()], check=True)
    elif line.startswith("{"):
        print(json.loads(line)["detail"])
sys.exit(client.wait())
"""


def events(place):
    """The next event is sent once the client has told, by another request, that it has seen the one before."""
    program("curl")
    place.write("read.py", READ)
    seen = place.url("/ok/seen/")
    place.run(
        Step("python3", "read.py", place.url("/ok/sse/two/8"), seen, says=["data: two-%d" % n for n in range(1, 9)] + ["data: end"]),
        Step("python3", "read.py", place.url("/ok/sse/one/8"), seen, "--http1.1", says=["data: one-8", "data: end"]),
        Step("python3", "read.py", place.url("/ok/sse/clear/8", "clear"), seen, says=["data: clear-8", "data: end"]),
        denied("python3", "read.py", place.url("/no/sse/a/8"), seen, tells="names this host, but not", code=0))


FETCHED = """const [url, seen] = process.argv.slice(2);
const answer = await fetch(url, { headers: { accept: 'text/event-stream' } });
if (answer.status !== 200) {
  console.log(answer.status, (await answer.json()).detail);
  process.exit(1);
}
let text = '';
for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
  text += piece;
  for (let end = text.indexOf('\\n\\n'); end >= 0; end = text.indexOf('\\n\\n')) {
    const data = /data: (.*)/.exec(text.slice(0, end))[1];
    text = text.slice(end + 2);
    console.log(data);
    await (await fetch(seen + data)).text();
  }
}
"""


def fetched_events(place):
    program("node")
    place.write("read.mjs", FETCHED)
    seen = place.url("/ok/seen/")
    place.run(
        Step("node", "read.mjs", place.url("/ok/sse/fetch/8"), seen, says=["fetch-%d" % n for n in range(1, 9)] + ["end"]),
        denied("node", "read.mjs", place.url("/no/sse/a/8"), seen, tells="403 ", code=1))


GRPC = """const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');
const [target, seen] = process.argv.slice(2);
const { Greeter } = grpc.loadPackageDefinition(loader.loadSync('greeter.proto')).ok;
const client = new Greeter(target, grpc.credentials.createSsl());
const unary = (method, name) => new Promise(resolve =>
  client[method]({ name }, { deadline: Date.now() + 20000 }, (error, got) => resolve(error ? `${method} ${error.code} ${error.details}` : got.text)));
const over = call => new Promise(resolve => {
  call.on('error', error => resolve(`${error.code} ${error.details}`));
  call.on('end', () => resolve('whole'));
});
(async () => {
  console.log(await unary('Hello', 'cage'));
  if (!seen) {
    process.exit(0);
  }
  const counting = client.Count({ name: 'grpc' });
  counting.on('data', async got => {
    console.log(got.text);
    await (await fetch(seen + got.text)).text();
  });
  console.log('Count', await over(counting));
  const chat = client.Chat();
  let n = 0;
  chat.on('data', got => {
    console.log(got.text);
    n++ < 3 ? chat.write({ name: 'word ' + n }) : chat.end();
  });
  chat.write({ name: 'word 0' });
  console.log('Chat', await over(chat));
  console.log(await unary('Fail', ''));
  const late = client.FailLate({});
  late.on('data', got => console.log(got.text));
  console.log('FailLate', await over(late));
  const many = await Promise.all(Array.from({ length: 200 }, (_, i) => unary('Hello', 'n' + i)));
  console.log('many', new Set(many).size);
  process.exit(0);
})();
"""


def grpc(place):
    installed(place, "@grpc/grpc-js@1.12.2", "@grpc/proto-loader@0.7.13")
    shutil.copy(HERE / "greeter.proto", place.workspace)
    place.write("ask.js", GRPC)
    target = "origin.test:%d" % place.origin.ports["secure"]
    place.run(
        Step("node", "ask.js", target, place.url("/ok/seen/"), says=[
            "hello cage", "grpc-1", "grpc-5", "Count whole", "heard word 0", "heard word 3", "Chat whole", "Fail 9 the door is shut",
            "one", "FailLate 14 no more", "many 200"]),
        denied("node", "ask.js", "other.test:443", tells="Hello 7 Not allowed by this cage's policy: no rule", code=0))


DATAGRAM = """import socket, sys
address = socket.getaddrinfo("origin.test", 443, socket.AF_INET)[0][4][0]
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as quic:
    quic.settimeout(1)
    quic.connect((address, 443))
    try:
        quic.send(bytes([0xc3, 0, 0, 0, 1, 8]) + bytes(1194))
        print("answered", quic.recv(2048)[:8])
    except TimeoutError:
        print("no answer")
    except OSError as error:
        print(error.strerror)
"""


def datagrams(place):
    program("curl")
    place.write("quic.py", DATAGRAM)
    told = place.run(
        Step("python3", "quic.py"),
        Step("curl", "-sSi", place.url("/ok/elsewhere"), says=("HTTP/2 200", "stay")))
    answer = told[0].strip()
    if answer not in ("no answer", "Connection refused"):
        raise Failed(answer)
    if "alt-svc" in told[1].lower():
        raise Failed("an answer tells of HTTP/3: %s" % told[1])
    place.seen = answer


CLIENTS = [
    Client("ws", web_socket, ["npm", "view", "ws@8.18.0", "version"],
           "WebSocket over TLS and in the clear: text, 70 kB, 5 MiB binary, ping and pong, closing by the server",
           "`registries: [npm]` to install it", ["npm"]),
    Client("curl -N", events, ["curl", "--version"],
           "server-sent events in HTTP/2, HTTP/1.1 and in the clear, one by one: the next is not sent before the client has told that it saw"
           " the one before"),
    Client("node fetch, events", fetched_events, ["node", "--version"], "the same, read from `response.body`"),
    Client("@grpc/grpc-js", grpc, lambda: "1.12.2",
           "unary, server stream (one by one), both ways, an error without an answer, an error in the trailers, 200 calls at once",
           "`registries: [npm]` to install it", ["npm"]),
    Client("QUIC", datagrams, lambda: "", "a datagram to port 443 goes nowhere, and no answer tells of HTTP/3 (`Alt-Svc`), so clients stay with HTTP/2"),
]
