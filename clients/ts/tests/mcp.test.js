import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { Denied, Mcp, ProtocolError, Refused, TimedOut, Unavailable } from 'cagewright';
import { COMMAND, given, ORIGIN, PATIENCE, thrown, until } from './stage.js';

const SERVE = [COMMAND, 'mcp', 'serve', '--policy', given('CAGEWRIGHT_TEST_POLICY')];
const cwd = given('CAGEWRIGHT_TEST_WORKSPACE');
const timeout = PATIENCE;

/**
 * Does a process with these words live on this machine, in a cage or not?
 *
 * @param {string[]} words
 */
function runs(...words) {
  const wanted = words.join('\0') + '\0';
  return readdirSync('/proc').some((process) => {
    try {
      return /^\d+$/.test(process) && readFileSync(`/proc/${process}/cmdline`, 'latin1').endsWith(wanted);
    } catch {
      return false;
    }
  });
}

/** @param {string[]} words */
const gone = (...words) => until(async () => !runs(...words));

/** @param {string[]} words */
const there = (...words) => until(async () => runs(...words));

describe('tools', () => {
  /** @type {Mcp} */
  let mcp;
  before(async () => {
    process.chdir(cwd);
    mcp = await Mcp.start(SERVE, { timeout });
  });
  after(() => mcp.close());

  test('the server says what it is and what it offers', async () => {
    assert.equal(mcp.server.name, 'cagewright');
    assert.deepEqual((await mcp.tools()).map((tool) => tool.name), ['run_command', 'read_file', 'write_file', 'http_fetch']);
  });

  test('a command runs beside one that is denied', async () => {
    const done = await mcp.runCommand(['cat'], { stdin: Buffer.from([0xff, 0xfe]) });
    assert.deepEqual([done.exit, done.cause, done.ok], [0, 'exited', true]);
    assert.deepEqual(done.stdout, Buffer.from([0xff, 0xfe]));
    assert.notEqual(done.id, null);
    assert.equal((await mcp.runCommand(['ls', '/nonexistent'])).exit, 2);
    const { denial } = await thrown(mcp.runCommand(['uname']), Denied);
    assert.deepEqual(denial.fix, ['exec:', '  allowlist:', '    - uname']);
    assert.equal(denial.rule, 'exec.allowlist');
  });

  test('files are written and read beside one that no mount has', async () => {
    const written = await mcp.writeFile('place/note', Buffer.from([0, 0xff]), { parents: true });
    assert.deepEqual([written.size, written.created], [2, true]);
    const part = await mcp.readFile('place/note');
    assert.deepEqual([part.content, part.size, part.more], [Buffer.from([0, 0xff]), 2, false]);
    assert.deepEqual((await mcp.readFile('place/note', { offset: 1, limit: 1 })).content, Buffer.from([0xff]));
    await thrown(mcp.writeFile('place/note', 'x', { mode: 'create' }), Refused);
    const { denial } = await thrown(mcp.readFile('/etc/shadow'), Denied);
    assert.match(denial.fix[0] ?? '', /fs:/);
  });

  test('a request is made beside one that is denied', async () => {
    const answer = await mcp.httpFetch(`${ORIGIN}/ok/a`, { method: 'POST', body: 'abc', headers: { 'X-Word': 'yes' } });
    assert.deepEqual([answer.status, String(answer.body)], [200, 'POST /ok/a yes 3']);
    const { denial } = await thrown(mcp.httpFetch(`${ORIGIN}/no`), Denied);
    assert.equal(denial.fix[0], 'net:');
  });

  test('a call whose time is over, or that is aborted, is taken back and ends what it runs', async () => {
    await thrown(mcp.call('run_command', { argv: ['sleep', '86381'] }, { timeout: 3 }), TimedOut);
    await gone('sleep', '86381');
    const abort = new AbortController();
    const running = assert.rejects(mcp.runCommand(['sleep', '86382'], { signal: abort.signal }), { name: 'AbortError' });
    await there('sleep', '86382');
    abort.abort();
    await running;
    await gone('sleep', '86382');
    assert.equal((await mcp.runCommand(['id'])).ok, true);
  });

  test('what is not there is refused and no content stands in a text form', async () => {
    assert.equal((await thrown(mcp.call('nothing'), Refused)).code, -32602);
    await mcp.writeFile('word', 'the-canary');
    const read = await mcp.readFile('word');
    assert.equal(String(read.content), 'the-canary');
    assert.doesNotMatch(inspect(read) + JSON.stringify(read), /canary/);
  });
});

describe('a socket', () => {
  test('a server on a socket serves and its death is told', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cagewright-'));
    const at = join(folder, 'mcp');
    const [program, ...words] = SERVE;
    const server = spawn(program ?? '', [...words, '--unix', at], { cwd, stdio: 'ignore' });
    try {
      await until(async () => existsSync(at));
      const mcp = await Mcp.unix(at, { timeout });
      assert.equal(String((await mcp.runCommand(['cat'], { stdin: 'in' })).stdout), 'in');
      await thrown(mcp.runCommand(['uname']), Denied);
      await thrown(mcp.call('run_command', { argv: ['sleep', '86383'] }, { timeout: 3 }), TimedOut);
      await gone('sleep', '86383');
      const running = thrown(mcp.runCommand(['sleep', '86384'], { timeout }), Unavailable);
      await there('sleep', '86384');
      server.kill('SIGKILL');
      await running;
      await gone('sleep', '86384');
      await mcp.close();
    } finally {
      server.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the other side of MCP', () => {
  const answering = "process.stdin.once('data', () => console.log(process.argv[1])).resume()";
  for (const said of [
    'hello',
    '[]',
    '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}',
    '{"jsonrpc":"1.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":true,"result":{}}',
    '{"jsonrpc":"2.0","id":99,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"result":[]}',
    '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"1999-01-01"}}',
  ]) {
    test(`nonsense is a protocol error: ${said}`, async () => {
      await thrown(Mcp.start([process.execPath, '-e', answering, said], { timeout }), ProtocolError);
    });
  }

  test('a server that is not there or ends is unavailable', async () => {
    await thrown(Mcp.start(['/nonexistent'], { timeout }), Unavailable);
    await thrown(Mcp.start(['true'], { timeout }), Unavailable);
  });

  test('a server that never answers is not waited for', async () => {
    await thrown(Mcp.start([process.execPath, '-e', 'process.stdin.resume()'], { timeout: 2 }), TimedOut);
  });
});
