/** What the supervisor tells, as values. */
import { hidden, kept } from './errors.js';
import { number, object, parseObject, text, texts } from './strict-json.js';

/** @typedef {import('./strict-json.js').Json} Json */

/**
 * An action in one line.
 *
 * @param {Json} action
 * @returns {string}
 */
function line(action) {
  const { argv } = action;
  if (Array.isArray(argv)) {
    return ['proc.exec', ...argv.map((word) => (typeof word === 'string' ? quoted(word) : '(bytes)'))].join(' ');
  }
  const host = text(action, 'host');
  const port = number(action, 'port');
  const place = host && port ? `${host}:${port}` : host || (port ? String(port) : '');
  return [
    text(action, 'name'),
    text(action, 'method'),
    place + text(action, 'path'),
    text(action, 'secret'),
    text(action, 'server'),
    text(action, 'tool'),
    text(action, 'verb'),
  ]
    .filter((part) => part)
    .join(' ');
}

/**
 * @param {string} word
 * @returns {string}
 */
function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

/** What was denied, by which rules, and the narrowest change that would allow it. */
export class Denial {
  /**
   * @param {string | null} id
   * @param {string} what
   * @param {readonly string[]} rules
   * @param {Json} reasons
   */
  constructor(id, what, rules, reasons) {
    this.id = id;
    this.what = what;
    this.rules = rules;
    this.code = text(reasons, 'code');
    this.why = text(reasons, 'why');
    this.where = text(reasons, 'at') || null;
    this.fix = texts(reasons, 'would_allow');
    Object.freeze(this);
  }

  /** The most specific of its rules. */
  get rule() {
    return this.rules[0] ?? '';
  }

  toString() {
    const said = [`denied: ${this.what}: ${this.why} (${this.rules.join(', ')})`];
    if (this.fix.length > 0) {
      said.push('would be allowed by:', ...this.fix.map((one) => '  ' + one));
    }
    if (this.id !== null) {
      said.push('cagewright why ' + this.id);
    }
    return said.join('\n');
  }
}

/**
 * @param {Json} json
 * @returns {Denial}
 */
export function denialOf(json) {
  return new Denial(text(json, 'id') || null, text(json, 'what'), texts(json, 'rules'), json);
}

/** One line of the audit log. */
export class Event {
  /** @param {Buffer} bytes the line as it stands there */
  constructor(bytes) {
    const json = parseObject(bytes);
    this.seq = number(json, 'seq');
    this.time = text(json, 'time');
    this.session = text(json, 'session');
    this.cage = text(json, 'cage');
    this.id = text(json, 'id');
    this.kind = text(json, 'kind');
    this.action = object(json, 'action');
    this.decision = text(json, 'decision');
    this.rules = texts(json, 'rules');
    this.detail = object(json, 'detail');
    hidden(this, 'line', bytes);
    Object.freeze(this);
  }

  /** The line, byte for byte. */
  get line() {
    return kept(this, 'line');
  }

  /** The action's name, e.g. `proc.exec`. */
  get name() {
    return text(this.action, 'name');
  }

  /** What a denied intent says. */
  denial() {
    return new Denial(this.id || null, line(this.action), this.rules, this.detail);
  }
}

/** What the log has about one decision, the oldest line first. */
export class Decision {
  /**
   * @param {string} id
   * @param {readonly Event[]} lines
   */
  constructor(id, lines) {
    this.id = id;
    this.lines = Object.freeze([...lines]);
    Object.freeze(this);
  }

  get intent() {
    return this.lines.find((one) => one.kind === 'intent') ?? null;
  }

  get outcome() {
    return this.lines.find((one) => one.kind === 'outcome') ?? null;
  }

  get allowed() {
    return this.intent?.decision === 'allow';
  }

  get rules() {
    return this.intent?.rules ?? [];
  }

  /** Its rules and what would allow it, where it was denied. */
  get denial() {
    return this.intent?.decision === 'deny' ? this.intent.denial() : null;
  }
}

/** How a program ended. */
export class Result {
  /**
   * @param {{ exit: number, cause: string, id: string | null, denied: readonly Denial[], told: readonly string[],
   *   outcome: Json }} ended
   * @param {Buffer} stdout
   * @param {Buffer} stderr
   */
  constructor(ended, stdout, stderr) {
    this.exit = ended.exit;
    this.cause = ended.cause;
    this.id = ended.id;
    this.denied = Object.freeze([...ended.denied]);
    this.told = ended.told;
    this.outcome = ended.outcome;
    hidden(this, 'stdout', stdout);
    hidden(this, 'stderr', stderr);
    Object.freeze(this);
  }

  get ok() {
    return this.exit === 0;
  }

  get stdout() {
    return kept(this, 'stdout');
  }

  get stderr() {
    return kept(this, 'stderr');
  }

  /** Is not all of its output here? */
  get truncated() {
    return this.cause === 'output' || this.outcome.truncated === true;
  }
}

/** What an origin answered. */
export class Response {
  /**
   * @param {Json} end
   * @param {Buffer} body
   */
  constructor(end, body) {
    this.status = number(end, 'status');
    this.contentType = text(end, 'content_type') || null;
    this.cut = text(end, 'cut') || null;
    this.id = text(end, 'id') || null;
    hidden(this, 'body', body);
    Object.freeze(this);
  }

  get body() {
    return kept(this, 'body');
  }
}

/**
 * @param {Json} json
 * @returns {import('./index.js').CageState}
 */
export function cageState(json) {
  return Object.freeze({
    name: text(json, 'name'),
    session: text(json, 'session'),
    since: text(json, 'since'),
    programs: number(json, 'programs'),
    own: text(json, 'own'),
    denials: number(json, 'denials'),
  });
}
