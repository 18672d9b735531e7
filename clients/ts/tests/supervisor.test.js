import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, chmodSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { Denied, ProtocolError, Refused, Supervisor, TimedOut, Unavailable } from 'cagewright';
import { ACT, falseSupervisor, frame, ORIGIN, PATIENCE, product, SOON, thrown, until } from './stage.js';

const supervisor = new Supervisor();
const cage = supervisor.cage('web');
const timeout = PATIENCE;
const nothingRuns = async () => (await cage.state())?.programs === 0;
const oneRuns = async () => (await cage.state())?.programs === 1;

after(() => supervisor.close());

describe('programs', () => {
  test('a program gets its input and gives its output and its end', async () => {
    const much = randomBytes(1_000_000);
    const done = await cage.run(['cat'], { stdin: much, timeout });
    assert.deepEqual([done.exit, done.cause, done.ok], [0, 'exited', true]);
    assert.ok(done.stdout.equals(much));
    assert.equal(String((await cage.run([ACT, 'complain', 'no'], { timeout })).stderr), 'no');
    assert.equal((await cage.run([ACT, 'exit', '7'], { timeout })).exit, 7);
    const killed = await cage.run([ACT, 'kill', 'KILL'], { timeout });
    assert.deepEqual([killed.exit, killed.cause], [137, 'signalled']);
    assert.equal((await cage.run(['no-such-program'], { timeout })).exit, 127);
  });

  test('words are bytes', async () => {
    const words = [Buffer.from([0xff, 0xfe]), 'ü', '', 'a b\n', '--'];
    const done = await cage.run([ACT, 'bytes', ...words], { timeout });
    const expected = Buffer.concat(words.flatMap((word) => [Buffer.from('['), Buffer.from(word), Buffer.from(']')]));
    assert.equal(String(done.stdout), expected.toString('hex'));
  });

  test('a program that no rule allows is denied beside one that is listed', async () => {
    assert.equal((await cage.run(['id', '-u'], { timeout })).exit, 0);
    const { denial, message } = await thrown(cage.run(['uname'], { timeout }), Denied);
    assert.equal(denial.rule, 'exec.allowlist');
    assert.deepEqual(denial.fix, ['exec:', '  allowlist:', '    - uname']);
    assert.match(message, /^denied: proc\.exec uname: /);
    assert.ok(message.endsWith(`cagewright why ${denial.id}`));
  });

  test('what a cage was denied while a program ran stands in its result', async () => {
    const fetching = ['curl', '-s', `${ORIGIN}/ok/a`, `${ORIGIN}/no/b`];
    const done = await cage.run(fetching, { timeout });
    assert.match(String(done.stdout), /GET \/ok\/a/);
    assert.equal(done.denied.length, 1);
    assert.match(done.denied[0]?.what ?? '', /\/no\/b/);
    assert.deepEqual((await cage.run(fetching.slice(0, 3), { timeout })).denied, []);
  });

  test('a program whose time is over has ended when that is told', async () => {
    const over = await thrown(cage.run([ACT, 'wait', '1000'], { timeout: SOON }), TimedOut);
    assert.equal(String(over.stdout), 'ready\n');
    assert.notEqual(over.id, null);
    await until(nothingRuns);
  });

  test('a program that writes more than is wanted is ended', async () => {
    const done = await cage.run(['cat', '/dev/zero'], { maxOutput: 100_000, timeout });
    assert.deepEqual([done.cause, done.stdout.length, done.truncated], ['output', 100_000, true]);
  });

  test('output comes as it is written and input goes meanwhile', async () => {
    const program = await cage.start(['cat'], { timeout });
    try {
      const coming = program[Symbol.asyncIterator]();
      await program.write('one\n');
      assert.deepEqual((await coming.next()).value, { stream: 'stdout', chunk: Buffer.from('one\n') });
      await program.write('two\n');
      assert.deepEqual((await coming.next()).value, { stream: 'stdout', chunk: Buffer.from('two\n') });
      program.closeStdin();
      assert.equal((await program.wait()).exit, 0);
    } finally {
      await program.close();
    }
  });

  test('signals reach it', async () => {
    const program = await cage.start([ACT, 'trap'], { timeout });
    try {
      assert.equal(String((await program[Symbol.asyncIterator]().next()).value?.chunk), 'ready\n');
      program.terminate();
      const done = await program.communicate();
      assert.deepEqual([done.exit, String(done.stdout)], [7, 'trapped\n']);
    } finally {
      await program.close();
    }
  });

  test('closing ends it, and so does an abort', async () => {
    const other = new Supervisor();
    const program = await other.cage('web').start(['sleep', '1000']);
    await until(oneRuns);
    await other.close();
    await until(nothingRuns);
    await thrown(program.wait(), Unavailable);
    const abort = new AbortController();
    const running = cage.run(['sleep', '1000'], { signal: abort.signal });
    const gone = assert.rejects(running, { name: 'AbortError' });
    await until(oneRuns);
    abort.abort();
    await gone;
    await until(nothingRuns);
  });

  test('a client that is killed takes its program along', async () => {
    const script = "import { Supervisor } from 'cagewright'; await new Supervisor().cage('web').run(['sleep', '1000']);";
    const client = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    try {
      await until(oneRuns);
    } finally {
      client.kill('SIGKILL');
    }
    await until(nothingRuns);
  });

  test('what makes no sense is said before anything is asked', async () => {
    await thrown(cage.run(/** @type {any} */ ('ls -l')), TypeError);
    await thrown(cage.run(['ls', 'a\0b']), RangeError);
    const other = await thrown(supervisor.cage('other').run(['ls'], { timeout }), Refused);
    assert.match(other.message, /other is not up \(expected: cagewright up other/);
    assert.equal(other.code, 2);
  });
});

describe('requests', () => {
  test('a request that is allowed is answered beside three that are denied', async () => {
    const answer = await cage.fetch(`${ORIGIN}/ok/a?b=c`, { headers: { 'X-Word': 'yes' } });
    assert.deepEqual([answer.status, answer.contentType, answer.cut], [200, 'text/plain', null]);
    assert.equal(String(answer.body), 'GET /ok/a?b=c yes 0');
    const posted = await cage.fetch(`${ORIGIN}/ok/a`, { method: 'POST', body: Buffer.alloc(200_000) });
    assert.equal(String(posted.body), 'POST /ok/a null 200000');
    for (const [url, method] of /** @type {const} */ ([
      [`${ORIGIN}/no`, 'GET'],
      [`${ORIGIN}/ok/a`, 'PUT'],
      ['http://evil.test/', 'GET'],
    ])) {
      const { denial } = await thrown(cage.fetch(url, { method }), Denied);
      assert.notEqual(denial.id, null);
      assert.equal(denial.fix[0], 'net:');
    }
  });

  test('an answer longer than wanted is cut and says so', async () => {
    const answer = await cage.fetch(`${ORIGIN}/ok/abcdef`, { maxBody: 5 });
    assert.equal(String(answer.body), 'GET /');
    assert.match(answer.cut ?? '', /longer than 5 bytes/);
  });

  test('addresses that are none are not asked for', async () => {
    for (const url of ['ftp://origin.test/', 'origin.test/ok', 'http://me:word@origin.test/ok/a']) {
      await thrown(cage.fetch(url), TypeError);
    }
    await thrown(cage.fetch(`${ORIGIN}/ok/a`, { credential: 'KEY' }), Refused);
  });
});

describe('the record', () => {
  test('a decision is found by its id', async () => {
    const { id } = await cage.run([ACT, 'exit', '3'], { timeout });
    const allowed = await supervisor.decision(id ?? '');
    assert.equal(allowed?.allowed, true);
    assert.equal(allowed?.denial, null);
    assert.ok(allowed?.rules.includes('exec.allowlist'));
    assert.equal(allowed?.outcome?.detail.exit, 3);
    const { denial } = await thrown(cage.run(['uname'], { timeout }), Denied);
    const found = await supervisor.decision(denial.id ?? '');
    assert.equal(found?.allowed, false);
    assert.deepEqual(found?.denial?.fix, denial.fix);
    assert.equal(found?.denial?.what, 'proc.exec uname');
    assert.equal(await supervisor.decision(`${(await cage.state())?.session}-999999`), null);
  });

  test('events are lines of the log, the newest first', async () => {
    const since = new Date(Date.now() - 1000);
    await cage.run(['id'], { timeout });
    const session = (await cage.state())?.session ?? '';
    const events = await supervisor.events({ session, action: 'proc.exec', since });
    assert.deepEqual(events.slice(0, 2).map((event) => event.kind), ['outcome', 'intent']);
    const log = readFileSync(join(process.env.XDG_STATE_HOME ?? '', 'cagewright/audit.jsonl'));
    assert.ok(events.every((event) => log.includes(Buffer.concat([event.line, Buffer.from('\n')]))));
    assert.equal((await supervisor.events({ limit: 1 })).length, 1);
    assert.deepEqual(await supervisor.events({ since: new Date('2999-01-01') }), []);
    const refused = await thrown(supervisor.events({ limit: 1_000_000 }), Refused);
    assert.equal(refused.message, 'limit: (expected: 1 to 10000)');
  });
});

describe('the other side', () => {
  test('where nobody listens it is said what to do', async () => {
    const nobody = await thrown(new Supervisor({ socket: '/nonexistent/socket' }).state(), Unavailable);
    assert.match(nobody.message, /\(expected: cagewright up NAME\)/);
  });

  test('a socket in a folder that others may enter is asked nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cagewright-'));
    chmodSync(folder, 0o755);
    let heard = 0;
    const server = createServer(() => heard++);
    await new Promise((resolve) => server.listen(join(folder, 'socket'), () => resolve(undefined)));
    try {
      const refused = await thrown(new Supervisor({ socket: join(folder, 'socket') }).state(), Unavailable);
      assert.match(refused.message, /is asked nothing/);
      assert.equal(heard, 0);
    } finally {
      server.close();
      rmSync(folder, { recursive: true });
    }
  });

  for (const said of [
    Buffer.from('HTTP/1.1 200 OK\r\n\r\n'),
    frame('O', 'x'),
    Buffer.from('A\xff\xff\xff\xff', 'latin1'),
    frame('A', '[]'),
    frame('A', '{"a":1,"a":2}'),
    frame('A', '{"b":{"a":1,"\\u0061":2}}'),
    frame('A', '{"process":NaN}'),
    frame('A', Buffer.from([0xff])),
  ]) {
    test(`nonsense is a protocol error: ${JSON.stringify(said.toString('latin1'))}`, async () => {
      await falseSupervisor(said, async (socket) => {
        await thrown(new Supervisor({ socket }).state(), ProtocolError);
      });
    });
  }

  test('one that goes in the middle is unavailable', async () => {
    const half = Buffer.concat([frame('A', '{"told":[]}'), frame('O', 'half')]);
    for (const said of [Buffer.alloc(0), Buffer.from('A\0\0', 'latin1'), half]) {
      await falseSupervisor(said, async (socket) => {
        await thrown(new Supervisor({ socket }).cage('web').run(['ls']), Unavailable);
      });
    }
  });

  test('an older one refuses what it does not know', async () => {
    const refusal = '{"refused":"ask: unknown (expected: a question of this version)","code":2}';
    const heard = await falseSupervisor(frame('A', refusal), async (socket) => {
      const refused = await thrown(new Supervisor({ socket }).events(), Refused);
      assert.match(refused.message, /ask: unknown/);
    });
    assert.match(heard, /"version":2/);
  });

  test('no output stands in a text form', async () => {
    const done = await cage.run([ACT, 'say', 'the-canary'], { timeout });
    assert.equal(String(done.stdout), 'the-canary');
    assert.doesNotMatch(inspect(done, { depth: 9 }) + JSON.stringify(done), /canary/);
  });
});

describe('the end', () => {
  test('a supervisor that dies meanwhile is told and the next one is found', async () => {
    const program = await cage.start(['sleep', '1000']);
    process.kill((await supervisor.state()).process, 'SIGKILL');
    const gone = await thrown(program.wait(), Unavailable);
    assert.match(gone.message, /cagewright supervisor status/);
    await program.close();
    await thrown(supervisor.state(), Unavailable);
    await product('up', 'web');
    assert.equal((await cage.run(['id', '-u'], { timeout })).exit, 0);
  });
});
