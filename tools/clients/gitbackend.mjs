// git-http-backend behind a server: what it needs of CGI, streamed both ways.

import { spawn } from 'node:child_process';
import { execFileSync } from 'node:child_process';

const BACKEND = execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim() + '/git-http-backend';

/// Answers one request for a repository below `root`; `prefix` is what the URL has before it.
export function gitBackend(request, response, root, prefix) {
  const url = new URL(request.url, 'https://origin.test');
  const backend = spawn(BACKEND, [], {
    env: {
      ...process.env,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: request.headers['git-protocol'] ?? '',
      PATH_INFO: url.pathname.slice(prefix.length),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      ...(request.headers['content-length'] ? { CONTENT_LENGTH: request.headers['content-length'] } : {}),
      ...(request.headers['content-encoding'] ? { HTTP_CONTENT_ENCODING: request.headers['content-encoding'] } : {}),
      REMOTE_USER: 'cage',
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  backend.stdin.on('error', () => {});
  request.pipe(backend.stdin);
  let head = Buffer.alloc(0);
  backend.stdout.on('data', function begin(piece) {
    head = Buffer.concat([head, piece]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) {
      return;
    }
    backend.stdout.off('data', begin);
    const fields = head.subarray(0, end).toString('latin1').split('\r\n').map(line => line.split(/: (.*)/s));
    const status = fields.find(([name]) => name.toLowerCase() === 'status');
    response.writeHead(status ? parseInt(status[1], 10) : 200, Object.fromEntries(fields.filter(([name]) => name.toLowerCase() !== 'status')));
    response.write(head.subarray(end + 4));
    backend.stdout.pipe(response);
  });
}
