/** The background supervisor: named cages, programs and requests in them, decisions, and the log. */
import { constants } from 'node:os';
import { CagewrightError, Denied, ProtocolError, Refused, TimedOut } from './errors.js';
import { cageState, Decision, denialOf, Event, Response, Result } from './records.js';
import { isObject, number, object, parseObject, text, texts } from './strict-json.js';
import { address, CHUNK, Deadline, Line, numberOf, ROOM, VERSION } from './wire.js';

/** @typedef {import('./strict-json.js').Json} Json */
/** @typedef {string | Uint8Array} Word */
/** @typedef {import('./wire.js').Frame} Frame */

const MAX_OUTPUT = 64 << 20;
const MAX_LINES = 1 << 30;
const MOST_DENIALS = 1_000;
const ENDS_WITHIN = 2;
const DIES_WITHIN = 10;

/**
 * Bytes as the wire has them: each byte a character.
 *
 * @param {Word} word
 * @returns {string}
 */
function wireWord(word) {
  if (typeof word !== 'string' && !(word instanceof Uint8Array)) {
    throw new TypeError('a word of a command is text or bytes');
  }
  const found = bytesOf(word).toString('latin1');
  if (found.includes('\0')) {
    throw new RangeError('a word of a command has no NUL');
  }
  return found;
}

/**
 * @param {Word} word
 * @returns {Buffer}
 */
function bytesOf(word) {
  return typeof word === 'string'
    ? Buffer.from(word, 'utf8')
    : Buffer.from(word.buffer, word.byteOffset, word.byteLength);
}

/**
 * @param {{ readonly [name: string]: string | undefined } | undefined} env
 * @returns {string[]}
 */
function variables(env) {
  return Object.entries(env ?? process.env)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => wireWord(`${name}=${value}`));
}

/**
 * @param {Frame} frame
 * @returns {Json}
 */
function answerOf(frame) {
  if (frame.kind !== 'A') {
    throw new ProtocolError(`a frame ${frame.kind} (expected: an answer)`);
  }
  const answer = parseObject(frame.bytes);
  if (typeof answer.refused === 'string') {
    throw isObject(answer.denial)
      ? new Denied(denialOf(answer.denial))
      : new Refused(answer.refused, number(answer, 'code'));
  }
  return answer;
}

/**
 * Takes what is written until the end.
 *
 * @param {Line} line
 * @param {Deadline} deadline
 * @param {number} most
 * @returns {Promise<{ end: Json, bytes: Buffer }>}
 */
async function untilEnd(line, deadline, most) {
  /** @type {Buffer[]} */
  const found = [];
  let size = 0;
  for (;;) {
    const frame = await line.frame(deadline);
    if (frame.kind === 'O') {
      size += frame.bytes.length;
      if (size > most) {
        throw new ProtocolError(`more than ${most} bytes`);
      }
      found.push(frame.bytes);
    } else if (frame.kind === 'Z') {
      return { end: parseObject(frame.bytes), bytes: Buffer.concat(found) };
    } else {
      answerOf(frame);
      throw new ProtocolError('an answer where one was given already');
    }
  }
}

/**
 * Has `line` closed when `signal` says so.
 *
 * @param {Line} line
 * @param {AbortSignal | undefined} signal
 * @returns {() => void} ends that
 */
function heed(line, signal) {
  if (signal === undefined) {
    return () => {};
  }
  const abort = () => line.fail(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
  if (signal.aborted) {
    abort();
  }
  signal.addEventListener('abort', abort, { once: true });
  return () => signal.removeEventListener('abort', abort);
}

/** The background supervisor of this person. Each question has a connection of its own. */
export class Supervisor {
  #socket;
  #timeout;
  /** @type {Set<Program>} */
  #running = new Set();

  /** @param {import('./index.js').SupervisorOptions} [options] */
  constructor(options = {}) {
    this.#socket = options.socket;
    this.#timeout = options.timeout ?? 60;
  }

  /** @param {string} name */
  cage(name) {
    return new Cage(this, name);
  }

  /** @returns {Promise<import('./index.js').State>} */
  async state() {
    const answer = await this.ask({ ask: 'state' });
    const cages = Array.isArray(answer.cages) ? answer.cages.filter(isObject).map(cageState) : [];
    return Object.freeze({
      version: number(answer, 'version'),
      process: number(answer, 'process'),
      questions: texts(answer, 'questions'),
      cages: Object.freeze(cages),
    });
  }

  /** @param {string} id */
  async decision(id) {
    const lines = await this.#lines({ ask: 'decision', id }, this.#timeout);
    return lines.length === 0 ? null : new Decision(id, lines);
  }

  /** @param {import('./index.js').EventFilter} [filter] */
  async events(filter = {}) {
    /** @type {Json} */
    const question = { ask: 'events', limit: filter.limit ?? 50 };
    for (const name of /** @type {const} */ (['session', 'action', 'decision'])) {
      if (filter[name] !== undefined) {
        question[name] = filter[name];
      }
    }
    if (filter.since !== undefined) {
      question.since = filter.since.toISOString();
    }
    return this.#lines(question, filter.timeout ?? this.#timeout);
  }

  async close() {
    await Promise.all([...this.#running].map((program) => program.close()));
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }

  /**
   * @param {Json} question
   * @returns {Line}
   */
  open(question) {
    const line = new Line(this.#socket ?? address(process.env));
    line.ask({ version: VERSION, ...question });
    return line;
  }

  /**
   * @param {Json} question
   * @param {number} [timeout]
   * @returns {Promise<Json>}
   */
  async ask(question, timeout = this.#timeout) {
    const deadline = new Deadline(timeout);
    const line = this.open(question);
    try {
      /** @type {string[]} */
      const meanwhile = [];
      for (;;) {
        const frame = await line.frame(deadline);
        if (frame.kind === 'N') {
          meanwhile.push(...texts(parseObject(frame.bytes), 'told'));
        } else if (frame.kind !== 'X') {
          const answer = answerOf(frame);
          return { ...answer, told: [...meanwhile, ...texts(answer, 'told')] };
        }
      }
    } finally {
      line.close();
    }
  }

  /**
   * @param {Json} question
   * @param {number} timeout
   * @returns {Promise<Event[]>}
   */
  async #lines(question, timeout) {
    const deadline = new Deadline(timeout);
    const line = this.open(question);
    try {
      answerOf(await line.frame(deadline));
      const { bytes } = await untilEnd(line, deadline, MAX_LINES);
      return [...linesOf(bytes)].map((one) => new Event(one));
    } finally {
      line.close();
    }
  }

  /** @param {Program} program */
  began(program) {
    this.#running.add(program);
  }

  /** @param {Program} program */
  ended(program) {
    this.#running.delete(program);
  }

  /**
   * What was denied in the session of the decision `id` after it, the oldest first.
   *
   * @param {string} id
   * @param {Date} since
   */
  async deniedSince(id, since) {
    const at = id.lastIndexOf('-');
    const [session, own] = [id.slice(0, at), id.slice(at + 1)];
    try {
      const found = await this.events({ session, decision: 'deny', since, limit: MOST_DENIALS });
      return found
        .filter((event) => event.kind === 'intent' && isLater(event.id, session, own))
        .reverse()
        .map((event) => event.denial());
    } catch (e) {
      if (e instanceof CagewrightError) {
        return []; // the program has ended all the same
      }
      throw e;
    }
  }
}

/**
 * @param {string} id
 * @param {string} session
 * @param {string} own
 */
function isLater(id, session, own) {
  const found = id.slice(session.length + 1);
  const isNumbered = id.startsWith(`${session}-`) && /^\d{1,18}$/.test(found) && /^\d{1,18}$/.test(own);
  return isNumbered && BigInt(found) > BigInt(own);
}

/** @param {Buffer} bytes */
function* linesOf(bytes) {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from);
    const to = end < 0 ? bytes.length : end;
    if (to > from) {
      yield Buffer.from(bytes.subarray(from, to));
    }
    from = to + 1;
  }
}

/** A named cage, by its name. */
export class Cage {
  #supervisor;

  /**
   * @param {Supervisor} supervisor
   * @param {string} name
   */
  constructor(supervisor, name) {
    this.#supervisor = supervisor;
    /** @readonly */
    this.name = name;
  }

  /** @param {import('./index.js').UpOptions} [options] */
  async up(options = {}) {
    const question = {
      ask: 'up',
      name: this.name,
      secrets: [...(options.secrets ?? [])],
      caller: variables(options.env),
    };
    return texts(await this.#supervisor.ask(question, options.timeout ?? 120), 'told');
  }

  /** @param {{ timeout?: number }} [options] */
  async stop(options = {}) {
    const question = { ask: 'stop', name: this.name };
    return texts(await this.#supervisor.ask(question, options.timeout ?? 120), 'told');
  }

  async state() {
    const { cages } = await this.#supervisor.state();
    return cages.find((cage) => cage.name === this.name) ?? null;
  }

  /**
   * @param {readonly Word[]} argv
   * @param {import('./index.js').StartOptions} [options]
   * @returns {Promise<Program>}
   */
  async start(argv, options = {}) {
    if (!Array.isArray(argv)) {
      throw new TypeError('argv is a list of words, and not a line');
    }
    const question = {
      ask: 'exec',
      name: this.name,
      argv: argv.map(wireWord),
      caller: variables(options.env),
    };
    const program = new Program(this.#supervisor, question, options);
    await program.starts();
    return program;
  }

  /**
   * @param {readonly Word[]} argv
   * @param {import('./index.js').RunOptions} [options]
   * @returns {Promise<Result>}
   */
  async run(argv, options = {}) {
    const program = await this.start(argv, options);
    try {
      return await program.communicate(options.stdin);
    } finally {
      await program.close();
    }
  }

  /**
   * @param {string | URL} url
   * @param {import('./index.js').FetchOptions} [options]
   * @returns {Promise<Response>}
   */
  async fetch(url, options = {}) {
    const timeout = options.timeout ?? 120;
    const most = options.maxBody ?? MAX_OUTPUT;
    const body = options.body === undefined ? undefined : bytesOf(options.body);
    const deadline = new Deadline(timeout + ENDS_WITHIN);
    const line = this.#supervisor.open({
      ...requestOf(url, options),
      ask: 'fetch',
      name: this.name,
      body: body !== undefined,
      most,
      patience_ms: Math.max(1, Math.trunc(timeout * 1000)),
    });
    const heedless = heed(line, options.signal);
    try {
      answerOf(await line.frame(deadline));
      if (body !== undefined) {
        sendBody(line, body);
      }
      const { end, bytes } = await untilEnd(line, deadline, most);
      return new Response(end, bytes);
    } finally {
      heedless();
      line.close();
    }
  }
}

/**
 * @param {string | URL} url
 * @param {import('./index.js').FetchOptions} options
 * @returns {Json}
 */
function requestOf(url, options) {
  const parts = new URL(url);
  if (parts.protocol !== 'https:' && parts.protocol !== 'http:') {
    throw new TypeError('url: (expected: https://HOST/PATH or http://HOST/PATH)');
  }
  if (parts.username || parts.password) {
    throw new TypeError('url: no user and no password (expected: credential)');
  }
  const host = parts.hostname.startsWith('[') ? parts.hostname.slice(1, -1) : parts.hostname;
  return {
    scheme: parts.protocol.slice(0, -1),
    host,
    method: options.method ?? 'GET',
    target: parts.pathname + parts.search,
    headers: Object.entries(options.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    ...(parts.port === '' ? {} : { port: Number(parts.port) }),
    ...(options.credential === undefined ? {} : { credential: options.credential }),
    ...(options.field === undefined ? {} : { field: options.field }),
  };
}

/**
 * @param {Line} line
 * @param {Buffer} body
 */
function sendBody(line, body) {
  for (let from = 0; from < body.length; from += CHUNK) {
    line.send('I', body.subarray(from, from + CHUNK));
  }
  line.send('E');
}

/** A program in a cage while it runs. */
export class Program {
  #supervisor;
  #line;
  #deadline;
  #left;
  #onQuestion;
  #heedless;
  #room = ROOM;
  #begin = new Date(Date.now() - 1000);
  /** @type {import('./index.js').Chunk[]} */
  #waiting = [];
  /** @type {Json | null} */
  #ends = null;
  #isCut = false;
  #isFed = false;
  /** @type {string | null} */
  #id = null;
  /** @type {readonly string[]} */
  #told = [];

  /**
   * @param {Supervisor} supervisor
   * @param {Json} question
   * @param {import('./index.js').StartOptions} options
   */
  constructor(supervisor, question, options) {
    this.#supervisor = supervisor;
    this.#deadline = new Deadline(options.timeout);
    this.#left = options.maxOutput ?? MAX_OUTPUT;
    this.#line = supervisor.open(question);
    this.#onQuestion = options.onQuestion;
    this.#heedless = heed(this.#line, options.signal);
    supervisor.began(this);
  }

  get id() {
    return this.#id;
  }

  get told() {
    return this.#told;
  }

  async starts() {
    try {
      let frame = await this.#line.frame(this.#deadline);
      while (frame.kind === 'N') {
        this.#heard(frame);
        frame = await this.#line.frame(this.#deadline);
      }
      if (frame.kind === 'Z') {
        this.#ends = parseObject(frame.bytes);
        return;
      }
      const answer = answerOf(frame);
      this.#told = texts(answer, 'told');
      this.#id = text(answer, 'id') || null;
    } catch (e) {
      await this.close();
      throw e;
    }
  }

  /** @param {Frame} frame */
  #heard(frame) {
    const { question } = parseObject(frame.bytes);
    if (isObject(question)) {
      this.#onQuestion?.(question);
    }
  }

  /** @returns {AsyncGenerator<import('./index.js').Chunk, void, void>} */
  async *[Symbol.asyncIterator]() {
    for (;;) {
      for (let chunk = this.#waiting.shift(); chunk !== undefined; chunk = this.#waiting.shift()) {
        yield chunk;
      }
      if (this.#ends !== null) {
        return;
      }
      await this.#inTime();
    }
  }

  /** One frame more, or the end of a program whose time is over. */
  async #inTime() {
    try {
      await this.#turn(this.#deadline);
    } catch (e) {
      if (!(e instanceof TimedOut)) {
        throw e;
      }
      await this.#end();
      throw this.#timedOut();
    }
  }

  #timedOut() {
    /** @param {string} stream */
    const all = (stream) =>
      Buffer.concat(this.#waiting.filter((one) => one.stream === stream).map((one) => one.chunk));
    const message = `the program was ended: it ran for longer than ${this.#deadline.seconds} s`;
    return new TimedOut(message, all('stdout'), all('stderr'), this.#id);
  }

  /** @param {Deadline} deadline */
  async #turn(deadline) {
    const frame = await this.#line.frame(deadline);
    switch (frame.kind) {
      case 'O':
        return this.#take('stdout', frame.bytes);
      case 'X':
        return this.#take('stderr', frame.bytes);
      case 'W':
        this.#room = Math.min(ROOM, this.#room + Math.max(0, numberOf(frame)));
        return;
      case 'Z':
        this.#ends = parseObject(frame.bytes);
        return;
      case 'T':
        return;
      case 'N':
        return this.#heard(frame);
      case 'A':
        answerOf(frame);
        throw new ProtocolError('an answer where one was given already');
      default:
        throw new ProtocolError(`a frame ${frame.kind} from a program`);
    }
  }

  /**
   * @param {'stdout' | 'stderr'} stream
   * @param {Buffer} chunk
   */
  #take(stream, chunk) {
    const taken = chunk.subarray(0, this.#left);
    this.#left -= taken.length;
    if (taken.length > 0) {
      this.#waiting.push({ stream, chunk: taken });
    }
    if (taken.length < chunk.length && !this.#isCut) {
      this.#isCut = true;
      this.kill();
    }
  }

  /** @param {Word} data */
  async write(data) {
    if (this.#isFed) {
      throw new Error('its standard input is closed');
    }
    let rest = bytesOf(data);
    while (rest.length > 0 && this.#ends === null) {
      const count = Math.min(rest.length, this.#room, CHUNK);
      if (count === 0) {
        await this.#inTime();
      } else {
        this.#line.send('I', rest.subarray(0, count));
        this.#room -= count;
        rest = rest.subarray(count);
      }
    }
  }

  closeStdin() {
    if (!this.#isFed) {
      this.#isFed = true;
      this.#line.send('E');
    }
  }

  /**
   * @param {Word} [stdin]
   * @returns {Promise<Result>}
   */
  async communicate(stdin) {
    /** @type {{ stdout: Buffer[], stderr: Buffer[] }} */
    const written = { stdout: [], stderr: [] };
    try {
      if (stdin !== undefined) {
        await this.write(stdin);
      }
      this.closeStdin();
      for await (const { stream, chunk } of this) {
        written[stream].push(chunk);
      }
    } catch (e) {
      if (e instanceof TimedOut) {
        const out = Buffer.concat([...written.stdout, e.stdout]);
        throw new TimedOut(e.message, out, Buffer.concat([...written.stderr, e.stderr]), e.id);
      }
      throw e;
    }
    return this.#result(Buffer.concat(written.stdout), Buffer.concat(written.stderr));
  }

  async wait() {
    for await (const _ of this) {
      // what it writes is not kept
    }
    return this.#result(Buffer.alloc(0), Buffer.alloc(0));
  }

  /**
   * @param {Buffer} stdout
   * @param {Buffer} stderr
   */
  async #result(stdout, stderr) {
    const ends = this.#ends ?? {};
    const outcome = object(ends, 'outcome');
    const id = text(ends, 'id') || this.#id;
    const cause = this.#isCut ? 'output' : text(outcome, 'cause') || 'not_started';
    const denied = id === null ? [] : await this.#supervisor.deniedSince(id, this.#begin);
    return new Result(
      { exit: number(ends, 'code'), cause, id, denied, told: texts(ends, 'told'), outcome },
      stdout,
      stderr,
    );
  }

  /** @param {number | NodeJS.Signals} signal */
  signal(signal) {
    const number = typeof signal === 'number' ? signal : constants.signals[signal];
    if (number === undefined) {
      throw new RangeError(`signal: ${signal} (expected: one of signal(7))`);
    }
    if (this.#ends === null) {
      this.#line.signal(number);
    }
  }

  terminate() {
    this.signal('SIGTERM');
  }

  kill() {
    this.signal('SIGKILL');
  }

  /** Asks it to end, and makes it; what it writes meanwhile is taken. */
  async #end() {
    for (const [signal, seconds] of /** @type {const} */ ([
      ['SIGTERM', ENDS_WITHIN],
      ['SIGKILL', DIES_WITHIN],
    ])) {
      this.signal(signal);
      const patience = new Deadline(seconds);
      try {
        while (this.#ends === null) {
          await this.#turn(patience);
        }
        break;
      } catch (e) {
        if (!(e instanceof TimedOut)) {
          break;
        }
      }
    }
    await this.close();
  }

  async close() {
    this.#heedless();
    this.#supervisor.ended(this);
    this.#line.close();
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }
}
