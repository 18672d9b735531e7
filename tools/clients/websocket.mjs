// The server's side of RFC 6455, as much as an echo needs: text and binary messages of any length in one frame or many,
// pings, and the closing handshake.

import crypto from 'node:crypto';

const KEY = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'; // RFC 6455 section 1.3

function frame(opcode, payload) {
  const size = payload.length;
  const head = size < 126 ? Buffer.from([0x80 | opcode, size])
    : size < 65536 ? Buffer.from([0x80 | opcode, 126, size >> 8, size & 255])
      : Buffer.concat([Buffer.from([0x80 | opcode, 127, 0, 0, 0, 0]), Buffer.from(Uint32Array.of(size).buffer).reverse()]);
  return Buffer.concat([head, payload]);
}

/// Reads one frame from the beginning of `data`; null if it is not whole.
function read(data) {
  if (data.length < 2) {
    return null;
  }
  let size = data[1] & 127;
  let at = 2;
  if (size === 126) {
    if (data.length < 4) {
      return null;
    }
    size = data.readUInt16BE(2);
    at = 4;
  } else if (size === 127) {
    if (data.length < 10) {
      return null;
    }
    size = Number(data.readBigUInt64BE(2));
    at = 10;
  }
  if (data.length < at + 4 + size) {
    return null;
  }
  const mask = data.subarray(at, at + 4);
  const payload = Buffer.from(data.subarray(at + 4, at + 4 + size));
  for (let i = 0; i < size; i++) {
    payload[i] ^= mask[i & 3];
  }
  return { final: (data[0] & 0x80) !== 0, opcode: data[0] & 15, payload, length: at + 4 + size };
}

/// Takes an upgrade, and sends back what comes. The message `bye` is answered by the server's closing.
export function webSocket(request, socket) {
  console.log(JSON.stringify({ asked: 'WebSocket ' + request.url, http: request.httpVersion }));
  const accept = crypto.createHash('sha1').update(request.headers['sec-websocket-key'] + KEY).digest('base64');
  socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
    + `Sec-WebSocket-Accept: ${accept}\r\n\r\n`);
  let data = Buffer.alloc(0);
  let message = [];
  let kind = 0;
  socket.on('error', () => {});
  socket.on('data', piece => {
    data = Buffer.concat([data, piece]);
    for (let got = read(data); got; got = read(data)) {
      data = data.subarray(got.length);
      if (got.opcode === 8) {
        socket.end(frame(8, got.payload));
      } else if (got.opcode === 9) {
        socket.write(frame(10, got.payload));
      } else if (got.opcode < 3) {
        kind ||= got.opcode;
        message.push(got.payload);
        if (got.final) {
          const whole = Buffer.concat(message);
          socket.write(whole.toString() === 'bye' ? frame(8, Buffer.from([3, 232])) : frame(kind, whole));
          message = [];
          kind = 0;
        }
      }
    }
  });
}
