/** What can go wrong, each with what to do about it. */

/** Everything that this package throws of its own accord. */
export class CagewrightError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = new.target.name;
  }
}

/** A rule denies it. `denial` says which, and what would allow it. */
export class Denied extends CagewrightError {
  /** @param {import('./records.js').Denial} denial */
  constructor(denial) {
    super(denial.toString());
    /** @readonly */
    this.denial = denial;
  }
}

/** It is not done, and no rule is the reason. `code` is what the command would end with. */
export class Refused extends CagewrightError {
  /**
   * @param {string} message
   * @param {number} code
   */
  constructor(message, code) {
    super(message);
    /** @readonly */
    this.code = code;
  }
}

/** Nobody answers, or whoever answered is gone. What ran there has ended with it. */
export class Unavailable extends CagewrightError {}

/** The other side says what makes no sense. The connection is closed. */
export class ProtocolError extends CagewrightError {}

/** The time that was given is over, or the signal was given. A program that was waited for has been ended. */
export class TimedOut extends CagewrightError {
  /**
   * @param {string} message
   * @param {Buffer} [stdout]
   * @param {Buffer} [stderr]
   * @param {string | null} [id]
   */
  constructor(message, stdout = Buffer.alloc(0), stderr = Buffer.alloc(0), id = null) {
    super(message);
    /** @readonly */
    this.id = id;
    hidden(this, 'stdout', stdout);
    hidden(this, 'stderr', stderr);
  }

  /** What it had written by then. @returns {Buffer} */
  get stdout() {
    return kept(this, 'stdout');
  }

  /** @returns {Buffer} */
  get stderr() {
    return kept(this, 'stderr');
  }
}

/** @type {WeakMap<object, Record<string, Buffer>>} */
const bytes = new WeakMap();

/**
 * Keeps bytes of `owner` where no inspection shows them.
 *
 * @param {object} owner
 * @param {string} name
 * @param {Buffer} value
 */
export function hidden(owner, name, value) {
  bytes.set(owner, { ...bytes.get(owner), [name]: value });
}

/**
 * @param {object} owner
 * @param {string} name
 * @returns {Buffer}
 */
export function kept(owner, name) {
  return bytes.get(owner)?.[name] ?? Buffer.alloc(0);
}
