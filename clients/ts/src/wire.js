/** The supervisor's socket, frame by frame (docs/supervisor-socket.md). */
import { constants, lstatSync, openSync, closeSync, fstatSync, readSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { ProtocolError, TimedOut, Unavailable } from './errors.js';

export const VERSION = 2;
export const ROOM = 256 << 10;
export const CHUNK = 64 << 10;

const WORDS = 8 << 20;
const HEAD = 5;

/** @type {{ readonly [kind: string]: number }} */
const MOST = Object.freeze({
  Q: WORDS,
  A: WORDS,
  N: WORDS,
  I: CHUNK,
  E: 0,
  R: 4,
  S: 4,
  O: CHUNK,
  X: CHUNK,
  T: 0,
  W: 4,
  Z: WORDS,
});

/** Frames that wait for their reader, in bytes, before no more is received. */
const AHEAD = 1 << 20;

/** @typedef {{ kind: string, bytes: Buffer }} Frame */

/** When something has to be over; never where it is undefined. */
export class Deadline {
  /** @param {number} [seconds] */
  constructor(seconds) {
    if (seconds !== undefined && !(seconds >= 0)) {
      throw new RangeError('timeout: (expected: seconds)');
    }
    this.seconds = seconds;
    this.end = seconds === undefined ? Infinity : performance.now() + seconds * 1000;
  }

  /** In milliseconds. */
  left() {
    return Math.max(0, this.end - performance.now());
  }
}

/**
 * Where the supervisor of a person listens, as its folder says.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @returns {string}
 */
export function address(environment) {
  const home = environment.HOME ?? '';
  const named = environment.XDG_STATE_HOME ?? '';
  if (!named.startsWith('/') && !home.startsWith('/')) {
    throw new Unavailable('HOME is not an absolute path (expected: HOME or XDG_STATE_HOME set to one)');
  }
  const base = named.startsWith('/') ? named : join(home, '.local/state');
  const file = join(base, 'cagewright', 'supervisor', 'address');
  const found = ownText(file).trim();
  if (!found.startsWith('/')) {
    throw new Unavailable(`${file} names no socket (expected: cagewright up NAME)`);
  }
  return found;
}

/**
 * @param {string} file
 * @returns {string}
 */
function ownText(file) {
  let opened;
  try {
    opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (e) {
    throw new Unavailable(`no supervisor was ever there: ${file}: ${codeOf(e)} (expected: cagewright up NAME)`);
  }
  try {
    const there = fstatSync(opened);
    if (!there.isFile() || there.uid !== process.geteuid?.() || (there.mode & 0o022) !== 0) {
      throw new Unavailable(`${file} is not yours alone, and is not believed`);
    }
    const bytes = Buffer.alloc(4096);
    return bytes.toString('utf8', 0, readSync(opened, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(opened);
  }
}

/**
 * Node cannot ask the kernel who listens. What it can see says the same: a socket of ours in a folder that is ours
 * alone was bound by a process of ours.
 *
 * @param {string} at
 */
export function requireOwn(at) {
  let socket;
  let folder;
  try {
    socket = lstatSync(at);
    folder = lstatSync(dirname(at));
  } catch (e) {
    throw new Unavailable(`no supervisor answers at ${at}: ${codeOf(e)} (expected: cagewright up NAME)`);
  }
  const own = process.geteuid?.();
  if (!socket.isSocket() || socket.uid !== own || folder.uid !== own || (folder.mode & 0o077) !== 0) {
    throw new Unavailable(`${at} is no socket of yours in a folder that is yours alone, and is asked nothing`);
  }
}

/**
 * @param {unknown} e
 * @returns {string}
 */
function codeOf(e) {
  return e instanceof Error && 'code' in e ? String(e.code) : String(e);
}

/** One connection, for one question. Whoever has it closes it. */
export class Line {
  #socket;
  /** @type {Buffer} */
  #received = Buffer.alloc(0);
  /** @type {Frame[]} */
  #frames = [];
  #ahead = 0;
  /** @type {Error | null} */
  #over = null;
  /** @type {(() => void) | null} */
  #wake = null;

  /** @param {string} at */
  constructor(at) {
    requireOwn(at);
    this.#socket = connect(at);
    this.#socket.on('data', (bytes) => this.#take(bytes));
    this.#socket.on('error', (e) =>
      this.#end(new Unavailable(`no supervisor answers at ${at}: ${codeOf(e)} (expected: cagewright up NAME)`)),
    );
    this.#socket.on('close', () =>
      this.#end(
        new Unavailable(
          'the supervisor ended, and every program of its cages with it (cagewright supervisor status)',
        ),
      ),
    );
  }

  /** @param {Error} why */
  #end(why) {
    this.#over ??= why;
    this.#notify();
  }

  #notify() {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }

  /** @param {Buffer} bytes */
  #take(bytes) {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]);
    let from = 0;
    while (this.#received.length - from >= HEAD) {
      const kind = String.fromCharCode(this.#received.readUInt8(from));
      const length = this.#received.readUInt32BE(from + 1);
      if (!Object.hasOwn(MOST, kind) || length > /** @type {number} */ (MOST[kind])) {
        this.#end(new ProtocolError(`a frame ${JSON.stringify(kind)} of ${length} bytes`));
        this.#socket.destroy();
        return;
      }
      if (this.#received.length - from < HEAD + length) {
        break;
      }
      const content = Buffer.from(this.#received.subarray(from + HEAD, from + HEAD + length));
      this.#frames.push({ kind, bytes: content });
      this.#ahead += length + HEAD;
      from += HEAD + length;
    }
    this.#received = this.#received.subarray(from);
    if (this.#ahead > AHEAD) {
      this.#socket.pause();
    }
    this.#notify();
  }

  /**
   * @param {string} kind
   * @param {Uint8Array} [content]
   */
  send(kind, content = new Uint8Array(0)) {
    const head = Buffer.alloc(HEAD);
    head.write(kind, 'latin1');
    head.writeUInt32BE(content.length, 1);
    if (!this.#socket.destroyed) {
      this.#socket.write(Buffer.concat([head, content]));
    }
  }

  /** @param {import('./strict-json.js').Json} question */
  ask(question) {
    const words = Buffer.from(JSON.stringify(question), 'utf8');
    if (words.length > WORDS) {
      throw new RangeError(`a question of ${words.length} bytes (expected: at most ${WORDS})`);
    }
    this.send('Q', words);
  }

  /** @param {number} signal */
  signal(signal) {
    const number = Buffer.alloc(4);
    number.writeInt32BE(signal);
    this.send('S', number);
  }

  /** A frame that has come already. @returns {Frame | undefined} */
  there() {
    const frame = this.#frames.shift();
    if (frame !== undefined) {
      this.#ahead -= frame.bytes.length + HEAD;
      if (this.#ahead <= AHEAD && this.#socket.isPaused()) {
        this.#socket.resume();
      }
    }
    return frame;
  }

  /**
   * Waits for the next frame. One caller at a time.
   *
   * @param {Deadline} deadline
   * @returns {Promise<Frame>}
   */
  async frame(deadline) {
    for (;;) {
      const frame = this.there();
      if (frame !== undefined) {
        return frame;
      }
      if (this.#over !== null) {
        throw this.#over;
      }
      if (!(await this.#woken(deadline.left()))) {
        throw new TimedOut(`nothing came within ${deadline.seconds} s`);
      }
    }
  }

  /**
   * @param {number} milliseconds
   * @returns {Promise<boolean>} false when the time is over
   */
  #woken(milliseconds) {
    return new Promise((resolve) => {
      const timer =
        milliseconds === Infinity
          ? undefined
          : setTimeout(() => {
              this.#wake = null;
              resolve(false);
            }, Math.min(Math.ceil(milliseconds), 0x7fffffff));
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  /**
   * Closes it; whoever waits for a frame hears `why`.
   *
   * @param {Error} why
   */
  fail(why) {
    this.#end(why);
    this.close();
  }

  close() {
    this.#socket.destroy();
  }
}

/**
 * @param {Frame} frame
 * @returns {number}
 */
export function numberOf(frame) {
  if (frame.bytes.length !== 4) {
    throw new ProtocolError(`a frame ${frame.kind} without a number`);
  }
  return frame.bytes.readInt32BE();
}
