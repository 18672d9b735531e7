"""Clients that are libraries: of Python, Node and Java."""

import os
import pathlib
import subprocess

from lab import HERE, Absent, Client, Step, denied, program

URLLIB = """import json, sys, urllib.error, urllib.request
def ask(url, **more):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, **more)) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
for url in sys.argv[1:]:
    for more in ({}, {"data": b"x" * 100000}, {"method": "HEAD"}):
        status, body = ask(url, **more)
        print(status, (json.loads(body).get("size", json.loads(body).get("detail")) if body else "empty"))
"""


def urllib(place):
    place.write("ask.py", URLLIB)
    place.run(
        Step("python3", "ask.py", place.url("/ok/echo"), place.url("/ok/echo", "clear"), says="200 0\n200 100000\n200 empty\n"),
        denied("python3", "ask.py", place.url("/no"), tells="403 net.hosts[0] names", code=0),
        denied("python3", "ask.py", "https://other.test/", tells="403 no rule", code=0))


DEBIAN = ["python3-" + name for name in (
    "aiohttp aiosignal anyio async-timeout attr certifi chardet charset-normalizer frozenlist h11 h2 hpack httpcore httpx hyperframe"
    " idna multidict requests rfc3986 sniffio urllib3 yarl").split()]


def libraries(place):
    """Python's libraries out of the packages of this machine's Debian, without installing them."""
    folder = place.root / "debian"
    folder.mkdir()
    program("apt-get")
    fetched = subprocess.run(["apt-get", "-q", "download", *DEBIAN], cwd=folder, capture_output=True, stdin=subprocess.DEVNULL)
    if fetched.returncode != 0:
        raise Absent("apt's registry cannot be reached from this machine, or has not got the packages")
    for package in folder.glob("*.deb"):
        subprocess.run(["dpkg", "-x", str(package), str(folder / "all")], check=True)
    (folder / "all/usr/lib/python3/dist-packages").rename(place.workspace / "libraries")


def library_version(name):
    def ask():
        shown = subprocess.run(["apt-cache", "show", "--no-all-versions", "python3-" + name], capture_output=True, text=True).stdout
        return next((line.split()[1].split("-")[0] for line in shown.splitlines() if line.startswith("Version:")), "?")
    return ask


PYTHON = ("env", "PYTHONPATH=libraries", "python3")
REQUESTS = """import requests, sys
url = sys.argv[1]
with requests.Session() as session:
    for _ in range(3):
        answer = session.post(url + "/echo", data=(b"y" * 50000 for _ in range(4)))
        print(answer.status_code, answer.json().get("size", answer.json().get("detail")))
    if answer.status_code == 200:
        with session.get(url + "/stream/10000000", stream=True) as answer:
            print(sum(map(len, answer.iter_content(10000))))
        print(session.get(url + "/packed").text[:6], session.get(url + "/redirect").json()["url"])
"""


def requests(place):
    libraries(place)
    place.write("ask.py", REQUESTS)
    place.run(
        Step(*PYTHON, "ask.py", place.url("/ok"), says=("200 200000\n" * 3, "10000000", "packed /ok/echo")),
        denied(*PYTHON, "ask.py", place.url("/no"), tells="403 net.hosts[0] names", code=0))


HTTPX = """import asyncio, httpx, sys
url = sys.argv[1]
async def pieces():
    for _ in range(4):
        yield b"z" * 50000
async def main():
    async with httpx.AsyncClient(http2=True, timeout=30) as client:
        answer = await client.post(url + "/echo", content=pieces())
        print(answer.http_version, answer.status_code, answer.json().get("size", answer.json().get("detail")))
        if answer.status_code == 200:
            many = await asyncio.gather(*(client.get(url + "/bytes/%d" % n) for n in range(100, 160)))
            print(sum(len(one.content) for one in many))
asyncio.run(main())
"""


def httpx(place):
    libraries(place)
    place.write("ask.py", HTTPX)
    place.run(
        Step(*PYTHON, "ask.py", place.url("/ok"), says=("HTTP/2 200 200000", str(sum(range(100, 160))))),
        Step(*PYTHON, "ask.py", place.url("/ok", "secure1"), says="200 200000"),
        denied(*PYTHON, "ask.py", place.url("/no"), tells="403 net.hosts[0] names", code=0))


AIOHTTP = """import aiohttp, asyncio, sys
url = sys.argv[1]
async def pieces():
    for _ in range(4):
        yield b"z" * 50000
async def main():
    async with aiohttp.ClientSession() as session:
        async with session.post(url + "/echo", data=pieces()) as answer:
            body = await answer.json(content_type=None)
            print(answer.status, body.get("size", body.get("detail")))
        if answer.status == 200:
            async with session.ws_connect(url + "/ws") as socket:
                await socket.send_bytes(b"w" * 3000000)
                print(len((await socket.receive()).data))
                await socket.send_str("bye")
                print((await socket.receive()).type.name, socket.close_code)
asyncio.run(main())
"""


def aiohttp(place):
    libraries(place)
    place.write("ask.py", AIOHTTP)
    place.run(
        Step(*PYTHON, "ask.py", place.url("/ok"), says=("200 200000", "3000000", "CLOSE 1000")),
        denied(*PYTHON, "ask.py", place.url("/no"), tells="403 net.hosts[0] names", code=0))


FETCH = """const [url] = process.argv.slice(2);
const pieces = new ReadableStream({ start(to) { for (let n = 0; n < 4; n++) to.enqueue(new Uint8Array(50000)); to.close(); } });
const answer = await fetch(url + '/echo', { method: 'POST', body: pieces, duplex: 'half' });
const told = await answer.json();
console.log(answer.status, told.size ?? told.detail);
if (answer.ok) {
  const many = await Promise.all(Array.from({ length: 60 }, async (_, n) => (await (await fetch(url + '/bytes/' + (100 + n))).arrayBuffer()).byteLength));
  console.log(many.reduce((a, b) => a + b), (await (await fetch(url + '/packed')).text()).slice(0, 6));
  await fetch(url + '/cut').then(got => got.text()).then(() => console.log('whole'), () => console.log('an error, as it has to be'));
}
"""


def fetch(place):
    program("node")
    place.write("ask.mjs", FETCH)
    place.run(
        Step("node", "ask.mjs", place.url("/ok"), says=("200 200000", "7770 packed", "an error, as it has to be")),
        Step("node", "ask.mjs", place.url("/ok", "clear"), says=("200 200000", "7770 packed", "an error, as it has to be")),
        denied("node", "ask.mjs", place.url("/no"), tells="403 net.hosts[0] names", code=0),
        denied("node", "ask.mjs", "https://other.test", tells="403 no rule", code=0))


NODE_HTTP = """import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
const [secure, clear] = process.argv.slice(2);
const all = async from => { let text = ''; for await (const piece of from) text += piece; return text; };
const ask = (url, options, body) => new Promise((resolve, reject) => {
  const request = (url.startsWith('https') ? https : http).request(url, options, async answer => {
    const text = await all(answer);
    resolve({ status: answer.statusCode, text, trailers: answer.trailers });
  });
  request.on('error', reject);
  request.on('information', told => console.log('told', told.statusCode));
  options.headers?.expect ? request.on('continue', () => { console.log('go on'); request.end(body); }) : request.end(body);
  request.flushHeaders();
});
const sized = text => JSON.parse(text).size ?? JSON.parse(text).detail;
for (const url of [secure, clear].filter(Boolean)) {
  const agent = new (url.startsWith('https') ? https : http).Agent({ keepAlive: true, maxSockets: 2 });
  const first = await ask(url + '/echo', { agent, method: 'PUT', headers: { expect: '100-continue' } }, 'hello').catch(error => error);
  console.log(first.status, sized(first.text));
  if (first.status === 200) {
    await ask(url + '/hints', { agent });
    console.log((await ask(url + '/trailers', { agent, method: 'POST', headers: { te: 'trailers' } }, 'x')).trailers);
    console.log((await Promise.all(Array.from({ length: 30 }, (_, n) => ask(url + '/bytes/' + (10 + n), { agent })))).length, 'answers');
  }
  agent.destroy();
}
const session = http2.connect(new URL(secure).origin);
const stream = (path, fields, body) => new Promise((resolve, reject) => {
  const one = session.request({ ':path': new URL(secure).pathname + path, ...fields }, { endStream: body === undefined });
  let status;
  let trailers = {};
  one.on('response', head => { status = head[':status']; });
  one.on('trailers', got => { trailers = got; });
  one.on('error', reject);
  all(one).then(text => resolve({ status, text, trailers }), reject);
  if (body !== undefined) one.end(body);
});
const posted = await stream('/echo', { ':method': 'POST' }, Buffer.alloc(3 << 20));
console.log('http2', posted.status, sized(posted.text));
if (posted.status === 200) {
  console.log('http2', (await stream('/trailers', { ':method': 'GET' })).trailers['x-sha256']?.slice(0, 8));
  const many = await Promise.all(Array.from({ length: 90 }, () => stream('/bytes/300000', {})));
  console.log('http2', many.every(one => one.text.length === 300000), many.length);
}
session.close();
"""


def node_http(place):
    program("node")
    place.write("ask.mjs", NODE_HTTP)
    place.run(
        Step("node", "ask.mjs", place.url("/ok"), place.url("/ok", "clear"),
             says=("go on\n", "200 5\n", "told 103", "'x-sha256': '2d711642", "30 answers", "http2 200 3145728", "http2 e3b0c442", "http2 true 90")),
        denied("node", "ask.mjs", place.url("/no"), tells="403 net.hosts[0] names", code=0))


def jdk():
    """The JDK that the product runs with."""
    found = subprocess.run([str(HERE.parent.parent / "libexec/find-jdk")], capture_output=True, text=True).stdout.strip()
    if not found or not os.access(found + "/bin/java", os.X_OK):
        raise Absent("no JDK 25 is on this machine")
    return pathlib.Path(found)


JAVA = """import java.net.URI;
import java.net.http.*;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.util.concurrent.*;
import java.util.stream.*;

class Ask {
    public static void main(String[] words) throws Exception {
        var url = words[0];
        try (var client = HttpClient.newHttpClient()) {
            var posted = client.send(request(url + "/echo").expectContinue(true)
                    .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(new byte[3 << 20]))).build(),
                    BodyHandlers.ofString());
            System.out.println(posted.version() + " " + posted.statusCode() + " " + posted.body());
            if (posted.statusCode() != 200) return;
            var many = IntStream.range(0, 60).mapToObj(n -> client.sendAsync(request(url + "/bytes/" + (1000 + n)).build(),
                    BodyHandlers.ofByteArray())).toList();
            System.out.println(many.stream().mapToInt(one -> one.join().body().length).sum());
            var heard = new CompletableFuture<String>();
            var socket = client.newWebSocketBuilder().buildAsync(URI.create(url.replace("https", "wss") + "/ws"), new WebSocket.Listener() {
                final StringBuilder text = new StringBuilder();
                public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
                    text.append(data);
                    if (last) heard.complete(text.toString());
                    from.request(1);
                    return null;
                }
            }).join();
            socket.sendText("w".repeat(100000), true).join();
            System.out.println("heard " + heard.get(20, TimeUnit.SECONDS).length());
            socket.abort();
        }
    }

    static HttpRequest.Builder request(String url) {
        return HttpRequest.newBuilder(URI.create(url));
    }
}
"""


def java(place):
    command = str(jdk() / "bin/java")
    place.write("Ask.java", JAVA)
    place.run(
        Step(command, "Ask.java", place.url("/ok"), says=("HTTP_2 200", '"size":3145728', str(sum(range(1000, 1060))), "heard 100000")),
        Step(command, "Ask.java", place.url("/ok", "secure1"), says=("200", '"size":3145728')),
        Step(str(jdk() / "bin/javac"), "-d", "classes", "Ask.java"),
        denied(command, "-cp", "classes", "Ask", place.url("/no"), tells="HTTP_2 403", code=0))


def java_version():
    told = subprocess.run([str(jdk() / "bin/java"), "--version"], capture_output=True, text=True).stdout
    return told.split()[1]


CLIENTS = [
    Client("python3 urllib", urllib, ["python3", "--version"], "GET, POST, HEAD over TLS and in the clear"),
    Client("requests", requests, library_version("requests"), "chunked uploads on one connection, a stream, gzip, a redirect"),
    Client("httpx", httpx, library_version("httpx"), "an upload and 60 requests at once in HTTP/2; HTTP/1.1"),
    Client("aiohttp", aiohttp, library_version("aiohttp"), "a chunked upload, a WebSocket"),
    Client("node fetch", fetch, ["node", "--version"],
           "an upload from a stream, 60 requests at once, gzip, an answer that is cut is an error; over TLS and in the clear"),
    Client("node http, https, http2", node_http, ["node", "--version"],
           "`Expect: 100-continue`, 103, trailers, kept connections; HTTP/2: an upload, trailers, 90 streams at once"),
    Client("java HttpClient", java, java_version, "an upload with `Expect: 100-continue`, 60 requests at once in HTTP/2, a WebSocket"),
]
