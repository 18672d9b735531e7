// What the clients of docs/clients.md talk to: servers on loopback under test names, with everything that HTTP can do.
//
//     node origin.mjs KEY CERTIFICATE FOLDER
//
// Prints one line of JSON with its ports when all of them listen, a line for each request that reached it, and ends when
// its standard input does. FOLDER holds files/ (served as they are), git/ (bare repositories) and index/ (for pip).

import crypto from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import tls from 'node:tls';
import zlib from 'node:zlib';
import { gitBackend } from './gitbackend.mjs';
import { grpc } from './grpc.mjs';
import { webSocket } from './websocket.mjs';

const [keyFile, certificateFile, folder] = process.argv.slice(2);
const credentials = { key: fs.readFileSync(keyFile), cert: fs.readFileSync(certificateFile) };
const BLOCK = Buffer.alloc(64 * 1024, 'cagewright ');

/// `size` bytes that depend on where they stand, never more of them in memory than a block.
function bytes(size, from = 0) {
  let at = from;
  return new Readable({
    read() {
      if (at >= size) {
        this.push(null);
        return;
      }
      const start = at % 11;
      const piece = BLOCK.subarray(start, start + Math.min(BLOCK.length - 11, size - at));
      at += piece.length;
      this.push(piece);
    },
  });
}

async function digest(request) {
  const hash = crypto.createHash('sha256');
  let size = 0;
  for await (const piece of request) {
    hash.update(piece);
    size += piece.length;
  }
  return { size, sha256: hash.digest('hex'), trailers: { ...request.trailers } };
}

function text(response, status, body, fields = {}) {
  response.writeHead(status, { 'content-type': 'text/plain', 'content-length': Buffer.byteLength(body), ...fields });
  response.end(body);
}

function json(response, value, fields = {}) {
  text(response, 200, JSON.stringify(value) + '\n', { 'content-type': 'application/json', ...fields });
}

function range(request, size) {
  const asked = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  return asked ? [Number(asked[1]), asked[2] === '' ? size - 1 : Number(asked[2])] : null;
}

function sized(request, response, size) {
  const part = range(request, size);
  const fields = { 'content-type': 'application/octet-stream', 'accept-ranges': 'bytes', etag: '"' + size + '"' };
  const [from, to] = part ?? [0, size - 1];
  response.writeHead(part ? 206 : 200, {
    ...fields,
    'content-length': to - from + 1,
    ...(part ? { 'content-range': `bytes ${from}-${to}/${size}` } : {}),
  });
  return request.method === 'HEAD' ? response.end() : pipeline(bytes(to + 1, from), response);
}

/// A file, or the list of a folder as pip reads it.
function file(request, response, root, name) {
  const found = path.join(root, path.normalize('/' + decodeURIComponent(name)));
  if (!fs.existsSync(found)) {
    return text(response, 404, 'not here\n');
  }
  if (fs.statSync(found).isDirectory()) {
    const links = fs.readdirSync(found).map(entry => `<a href="${entry}">${entry}</a>`).join('\n');
    return text(response, 200, `<!DOCTYPE html><html><body>\n${links}\n</body></html>\n`, { 'content-type': 'text/html' });
  }
  const { size } = fs.statSync(found);
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size });
  return request.method === 'HEAD' ? response.end() : pipeline(fs.createReadStream(found), response);
}

/// Answers that wait for the client's word that it has seen the piece before: who holds a piece back waits for ever.
const seen = new Map();

function waitFor(name) {
  return new Promise(resolve => (seen.has(name) ? resolve() : seen.set(name, resolve)));
}

function tell(name) {
  const waiting = seen.get(name);
  seen.set(name, null);
  waiting?.();
}

async function events(response, name, count) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (let n = 1; n <= count; n++) {
    response.write(`id: ${n}\ndata: ${name}-${n}\n\n`);
    await waitFor(`${name}-${n}`);
  }
  response.end('data: end\n\n');
}

const GZIPPED = zlib.gzipSync(Buffer.from('packed '.repeat(1000)));

const ACTS = {
  echo: async (request, response) =>
    json(response, { method: request.method, url: request.url, http: request.httpVersion, headers: request.headers, ...(await digest(request)) }),
  bytes: (request, response, words) => sized(request, response, Number(words[0])),
  sink: async (request, response) => {
    let size = 0;
    for await (const piece of request) {
      size += piece.length;
    }
    text(response, 200, size + ' bytes\n');
  },
  stream: (request, response, words) => pipeline(bytes(Number(words[0])), response),
  sse: (request, response, words) => events(response, words[0], Number(words[1])),
  seen: (request, response, words) => {
    tell(words[0]);
    text(response, 200, 'good\n');
  },
  early: (request, response) => text(response, 413, 'too big\n'),
  hints: (request, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
    setTimeout(() => text(response, 200, 'after a hint\n'), 50);
  },
  trailers: async (request, response) => {
    const { sha256 } = await digest(request);
    if (request.httpVersionMajor === 1) {
      response.writeHead(200, { trailer: 'x-sha256', 'transfer-encoding': 'chunked' });
    }
    response.write('body\n');
    response.addTrailers({ 'x-sha256': sha256 });
    response.end();
  },
  empty: (request, response) => response.writeHead(204).end(),
  unchanged: (request, response) => response.writeHead(304, { etag: '"1"' }).end(),
  packed: (request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': GZIPPED.length });
    response.end(GZIPPED);
  },
  many: (request, response) => {
    const fields = Object.fromEntries(Array.from({ length: 150 }, (_, n) => ['x-field-' + n, 'v'.repeat(100)]));
    text(response, 200, Object.keys(request.headers).length + '\n', fields);
  },
  elsewhere: (request, response) => text(response, 200, 'stay\n', { 'alt-svc': 'h3=":443"; ma=60' }),
  cookies: (request, response) => text(response, 200, 'two\n', { 'set-cookie': ['a=1', 'b=2'] }),
  cut: (request, response) => {
    response.writeHead(200, { 'content-length': 100000 });
    response.write('only this', () => (response.stream ?? response.socket).destroy());
  },
  cutchunked: (request, response) => {
    response.write('only this', () => (response.stream ?? response.socket).destroy());
  },
  slow: (request, response, words) => setTimeout(() => text(response, 200, 'at last\n'), Number(words[0])),
  redirect: (request, response) => text(response, 302, '', { location: '/ok/echo' }),
  files: (request, response, words) => file(request, response, path.join(folder, 'files'), words.join('/')),
  index: (request, response, words) => file(request, response, path.join(folder, 'index'), words.join('/')),
  git: (request, response) => gitBackend(request, response, path.join(folder, 'git'), '/ok/git'),
};

async function serve(request, response) {
  console.log(JSON.stringify({ asked: request.method + ' ' + request.url, http: request.httpVersion }));
  if (grpc(request, response, waitFor)) {
    return;
  }
  const [, place, act, ...words] = new URL(request.url, 'https://origin.test').pathname.split('/');
  if (place !== 'ok' || !(act in ACTS)) {
    text(response, 404, 'nothing of that name\n');
    return;
  }
  try {
    await ACTS[act](request, response, words);
  } catch (error) {
    response.destroy(error);
  }
}

/// Answers that no library writes: by the path of the request, then the end as it is named.
const RAW = {
  '/ok/old': 'HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nuntil the end\n',
  '/ok/closing': 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nuntil the end\n',
  '/ok/extensions': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b;c="d e"\r\nfive \r\n4\r\nfour\r\n0\r\n\r\n',
  '/ok/trailing': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-End\r\n\r\n3\r\nabc\r\n0\r\nX-End: yes\r\n\r\n',
  '/ok/brief': 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfour',
};

/// Ends without a close_notify of TLS, as many servers do.
function raw(socket) {
  let head = '';
  socket.on('error', () => {});
  socket.on('data', piece => {
    head += piece.toString('latin1');
    if (head.includes('\r\n\r\n')) {
      const asked = head.split(' ')[1];
      console.log(JSON.stringify({ asked: head.split('\r\n')[0], http: 'raw' }));
      head = '';
      socket.write(RAW[asked] ?? 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n', () => {
        if (asked === '/ok/brief') {
          setTimeout(() => socket.destroy(), 100); // a pooled connection that goes away while nobody looks
        } else {
          socket._parent ? socket._parent.destroy() : socket.destroySoon();
        }
      });
    }
  });
}

const servers = {
  secure: http2.createSecureServer({ ...credentials, allowHTTP1: true }, serve),
  secure1: https.createServer(credentials, serve),
  clear: http.createServer(serve),
  rawclear: net.createServer(raw),
};
for (const server of Object.values(servers)) {
  server.on('upgrade', webSocket);
  server.on('checkContinue', (request, response) => {
    console.log(JSON.stringify({ asked: 'Expect: 100-continue', http: request.httpVersion }));
    if (!request.url.endsWith('/early')) {
      response.writeContinue();
    }
    serve(request, response);
  });
  // Java writes 100-Continue, and node's HTTP/2 compares to the letter.
  server.on('checkExpectation', (request, response) => server.emit('checkContinue', request, response));
  server.on('clientError', (error, socket) => socket.destroy());
  server.on('sessionError', () => {});
  server.on('connection', socket => socket.on('error', () => {}));
  server.on('secureConnection', socket => socket.on('error', () => {}));
}

/// TLS whose TCP connection is cut under it.
servers.rawsecure = net.createServer(socket => {
  socket.on('error', () => {});
  const secure = new tls.TLSSocket(socket, { isServer: true, ...credentials });
  secure._parent ??= socket;
  raw(secure);
});

await Promise.all(Object.values(servers).map(server => new Promise(resolve => server.listen(0, '127.0.0.1', resolve))));
console.log(JSON.stringify({ ports: Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, server.address().port])) }));
process.stdin.resume().on('end', () => process.exit(0));
