// A gRPC service by hand (its wire format over HTTP/2), so that the client's library is not its own witness:
// Greeter in greeter.proto.

/// The text of field 1 of a message that has only that.
function readName(message) {
  return message.length === 0 ? '' : message.subarray(2, 2 + message[1]).toString();
}

function write(text) {
  const bytes = Buffer.from(text);
  const head = Buffer.alloc(7);
  head.writeUInt32BE(bytes.length + 2, 1);
  head[5] = 0x0a;
  head[6] = bytes.length;
  return Buffer.concat([head, bytes]);
}

async function messages(request, take) {
  let data = Buffer.alloc(0);
  for await (const piece of request) {
    data = Buffer.concat([data, piece]);
    while (data.length >= 5 && data.length >= 5 + data.readUInt32BE(1)) {
      const size = data.readUInt32BE(1);
      await take(readName(data.subarray(5, 5 + size)));
      data = data.subarray(5 + size);
    }
  }
}

const METHODS = {
  Hello: async (request, say, end) => {
    let name = '';
    await messages(request, async text => { name = text; });
    say('hello ' + name);
    end(0, '');
  },
  Count: async (request, say, end, waitFor) => {
    let name = '';
    await messages(request, async text => { name = text; });
    for (let n = 1; n <= 5; n++) {
      say(`${name}-${n}`);
      await waitFor(`${name}-${n}`);
    }
    end(0, '');
  },
  Chat: async (request, say, end) => {
    await messages(request, async text => say('heard ' + text));
    end(0, '');
  },
  Fail: async (request, say, end) => {
    await messages(request, async () => {});
    end(9, 'the door is shut');
  },
  FailLate: async (request, say, end) => {
    await messages(request, async () => {});
    say('one');
    end(14, 'no more');
  },
};

/// Serves a request of gRPC; false if it is none.
///
/// @param waitFor settles when the client has said that it has seen something
export function grpc(request, response, waitFor) {
  if (!String(request.headers['content-type']).startsWith('application/grpc')) {
    return false;
  }
  const method = METHODS[request.url.split('/')[2]];
  const fields = { 'content-type': 'application/grpc' };
  const say = text => {
    if (!response.headersSent) {
      response.writeHead(200, fields);
    }
    response.write(write(text));
  };
  const end = (status, words) => {
    const last = { 'grpc-status': String(status), ...(words ? { 'grpc-message': words } : {}) };
    if (response.headersSent) {
      response.addTrailers(last);
      response.end();
    } else {
      response.stream.respond({ ':status': 200, ...fields, ...last }, { endStream: true });
    }
  };
  (method ? method(request, say, end, waitFor) : Promise.resolve(end(12, 'no such method'))).catch(error => response.stream.destroy(error));
  return true;
}
