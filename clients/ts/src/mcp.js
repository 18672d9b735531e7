/** `cagewright mcp serve` and what else offers its four tools, over pipes or a unix socket. */
import { spawn } from 'node:child_process';
import { request as httpRequest } from 'node:http';
import { Denied, hidden, kept, ProtocolError, Refused, TimedOut, Unavailable } from './errors.js';
import { Denial } from './records.js';
import { isObject, number, object, parseObject, text, texts } from './strict-json.js';
import { requireOwn } from './wire.js';

/** @typedef {import('./strict-json.js').Json} Json */
/** @typedef {string | Uint8Array} Word */

const VERSION = '2025-11-25';
const LONGEST = 16 << 20;
const METHOD_NOT_FOUND = -32601;
const ENDS_WITHIN = 10;
const DECISION = 'dev.cagewright/decision';

/**
 * A request that is not answered.
 *
 * @typedef {{ resolve: (answer: Json) => void, reject: (why: unknown) => void,
 *   progress: ((done: number, message: string) => void) | undefined }} Pending
 */

/**
 * Gives whole lines of a stream.
 *
 * @param {(line: Buffer) => void} heard
 * @param {(why: Error) => void} failed
 */
function lines(heard, failed) {
  /** @type {Buffer[]} */
  let begun = [];
  let size = 0;
  return (/** @type {Buffer} */ bytes) => {
    let from = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, from)) {
      const line = Buffer.concat([...begun, bytes.subarray(from, end)]);
      begun = [];
      size = 0;
      from = end + 1;
      heard(line);
    }
    if (from < bytes.length) {
      begun.push(Buffer.from(bytes.subarray(from)));
      size += bytes.length - from;
    }
    if (size > LONGEST) {
      failed(new ProtocolError('a message of more than 16 MiB'));
    }
  };
}

/** A server that this process started. */
class Pipes {
  #process;
  #ended;

  /**
   * @param {readonly string[]} command
   * @param {NodeJS.ProcessEnv | undefined} env
   * @param {(message: Buffer) => void} heard
   * @param {(why: Error) => void} over
   */
  constructor(command, env, heard, over) {
    const [program, ...words] = command;
    if (program === undefined) {
      throw new TypeError('command is a list of words');
    }
    const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'], env: env ?? process.env });
    this.#process = child;
    child.stdout.on('data', lines(heard, over));
    child.stdin.on('error', () => over(new Unavailable('the server ended')));
    this.#ended = new Promise((resolve) => {
      child.on('error', (e) => {
        over(new Unavailable(`${program}: ${e.message}`));
        resolve(undefined);
      });
      child.on('close', () => {
        over(new Unavailable('the server ended'));
        resolve(undefined);
      });
    });
  }

  /** @param {Json} message */
  async say(message) {
    this.#process.stdin.write(JSON.stringify(message) + '\n');
  }

  /** @param {Json} message */
  async ask(message) {
    await this.say(message);
  }

  agreed() {}

  /** The end of its input ends a server; one that stays is made to. */
  async close() {
    this.#process.stdin.end();
    for (const signal of /** @type {const} */ (['SIGTERM', 'SIGKILL'])) {
      const timer = setTimeout(() => this.#process.kill(signal), ENDS_WITHIN * 1000);
      await Promise.race([this.#ended, new Promise((resolve) => setTimeout(resolve, ENDS_WITHIN * 1000 + 500).unref())]);
      clearTimeout(timer);
      if (this.#process.exitCode !== null || this.#process.signalCode !== null || this.#process.pid === undefined) {
        return;
      }
    }
  }
}

/** A server that listens on a unix socket, HTTP. Each message has a connection of its own. */
class Socket {
  #at;
  #heard;
  /** @type {string | undefined} */
  #session;
  /** @type {string | undefined} */
  #version;

  /**
   * @param {string} at
   * @param {(message: Buffer) => void} heard
   */
  constructor(at, heard) {
    requireOwn(at);
    this.#at = at;
    this.#heard = heard;
  }

  /** @param {Json} message */
  async say(message) {
    await this.#post(message, AbortSignal.timeout(ENDS_WITHIN * 1000));
  }

  /**
   * @param {Json} message
   * @param {AbortSignal} [over] when nobody waits for it any more
   */
  async ask(message, over) {
    await this.#post(message, over);
  }

  agreed() {
    this.#version = VERSION;
  }

  /**
   * @param {string} method
   * @param {AbortSignal | undefined} signal
   */
  #begin(method, signal) {
    return httpRequest({
      socketPath: this.#at,
      path: '/mcp',
      method,
      agent: false,
      headers: {
        Host: 'localhost',
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(this.#session === undefined ? {} : { 'Mcp-Session-Id': this.#session }),
        ...(this.#version === undefined ? {} : { 'MCP-Protocol-Version': this.#version }),
      },
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /**
   * @param {Json} message
   * @param {AbortSignal} [signal]
   * @returns {Promise<void>}
   */
  #post(message, signal) {
    return new Promise((resolve, reject) => {
      const request = this.#begin('POST', signal);
      /** @param {Error} why */
      const failed = (why) => {
        request.destroy();
        reject(why);
      };
      request.on('error', (e) => reject(new Unavailable(`the server at ${this.#at} is gone (${e.message})`)));
      request.on('response', (response) => {
        const session = response.headers['mcp-session-id'];
        this.#session = typeof session === 'string' ? session : this.#session;
        const kind = (response.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
        const status = response.statusCode ?? 0;
        response.on('error', (e) => reject(new Unavailable(`the server at ${this.#at} is gone (${e.message})`)));
        if (kind === 'text/event-stream') {
          response.on('data', lines(events(this.#guarded(failed)), failed));
          response.on('end', resolve);
          return;
        }
        /** @type {Buffer[]} */
        const whole = [];
        let size = 0;
        response.on('data', (/** @type {Buffer} */ bytes) => {
          size += bytes.length;
          if (size > LONGEST) {
            failed(new ProtocolError('a message of more than 16 MiB'));
          }
          whole.push(bytes);
        });
        response.on('end', () => {
          const body = Buffer.concat(whole);
          if (status >= 400 && kind !== 'application/json') {
            failed(new Refused(`HTTP ${status}: ${body.toString('utf8', 0, 1 << 16)}`, status));
          } else if (body.length > 0) {
            this.#guarded(failed)(body);
          }
          resolve();
        });
      });
      request.end(JSON.stringify(message));
    });
  }

  /**
   * @param {(why: Error) => void} failed
   * @returns {(message: Buffer) => void}
   */
  #guarded(failed) {
    return (message) => {
      try {
        this.#heard(message);
      } catch (e) {
        failed(e instanceof Error ? e : new ProtocolError(String(e)));
      }
    };
  }

  /** Ends the session, if there is one. */
  async close() {
    if (this.#session === undefined) {
      return;
    }
    await new Promise((resolve) => {
      const request = this.#begin('DELETE', AbortSignal.timeout(ENDS_WITHIN * 1000));
      request.on('error', resolve);
      request.on('response', (response) => response.resume().on('end', resolve).on('error', resolve));
      request.end();
    });
  }
}

/**
 * Gives the data of server-sent events, line by line.
 *
 * @param {(message: Buffer) => void} heard
 * @returns {(line: Buffer) => void}
 */
function events(heard) {
  /** @type {Buffer[]} */
  let data = [];
  return (line) => {
    const word = line.at(-1) === 0x0d ? line.subarray(0, -1) : line;
    if (word.toString('latin1', 0, 5) === 'data:') {
      data.push(word.subarray(word[5] === 0x20 ? 6 : 5), Buffer.from('\n'));
    } else if (word.length === 0 && data.length > 0) {
      const message = Buffer.concat(data);
      data = [];
      heard(message);
    }
  };
}

/** A client of one server. */
export class Mcp {
  #transport;
  #timeout;
  #elicit;
  #last = 0;
  /** @type {Map<number, Pending>} */
  #pending = new Map();
  /** @type {Error | null} */
  #failure = null;
  /** @type {Json} */
  #server = {};
  /** @type {string | null} */
  #instructions = null;

  /**
   * @param {readonly string[] | { socket: string }} where
   * @param {import('./index.js').McpOptions} options
   */
  constructor(where, options) {
    this.#timeout = options.timeout ?? 60;
    this.#elicit = options.elicit;
    /** @param {Error} why */
    const over = (why) => this.#over(why);
    this.#transport =
      'socket' in where
        ? new Socket(where.socket, (message) => this.#heard(message))
        : new Pipes(where, options.env, (message) => this.#heardOrOver(message), over);
  }

  /**
   * Starts a server.
   *
   * @param {readonly string[]} command
   * @param {import('./index.js').McpOptions} [options]
   */
  static async start(command, options = {}) {
    if (!Array.isArray(command)) {
      throw new TypeError('command is a list of words, and not a line');
    }
    return new Mcp(command, options).#opened();
  }

  /**
   * Finds one that listens.
   *
   * @param {string} socket
   * @param {import('./index.js').McpOptions} [options]
   */
  static async unix(socket, options = {}) {
    return new Mcp({ socket }, options).#opened();
  }

  async #opened() {
    try {
      const params = {
        protocolVersion: VERSION,
        capabilities: this.#elicit === undefined ? {} : { elicitation: {} },
        clientInfo: { name: 'cagewright-node', version: '0.1.0' },
      };
      const begun = await this.#request('initialize', params, { timeout: this.#timeout });
      if (begun.protocolVersion !== VERSION) {
        throw new ProtocolError(`the server speaks another version of the protocol (expected: ${VERSION})`);
      }
      this.#server = object(begun, 'serverInfo');
      this.#instructions = text(begun, 'instructions') || null;
      this.#transport.agreed();
      await this.#transport.say({ jsonrpc: '2.0', method: 'notifications/initialized' });
      return this;
    } catch (e) {
      await this.close();
      throw e;
    }
  }

  get server() {
    return this.#server;
  }

  get instructions() {
    return this.#instructions;
  }

  async close() {
    await this.#transport.close();
    this.#over(new Unavailable('the client is closed'));
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }

  /** @param {Error} why */
  #over(why) {
    this.#failure ??= why;
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    waiting.forEach((pending) => pending.reject(this.#failure));
  }

  /** @param {Buffer} message */
  #heardOrOver(message) {
    try {
      this.#heard(message);
    } catch (e) {
      this.#over(e instanceof Error ? e : new ProtocolError(String(e)));
      void this.#transport.close();
    }
  }

  /** @param {Buffer} bytes */
  #heard(bytes) {
    const message = parseObject(bytes);
    if (message.jsonrpc !== '2.0') {
      throw new ProtocolError('a message that is not of JSON-RPC 2.0');
    }
    if (typeof message.method === 'string') {
      this.#toldOrAsked(message.method, object(message, 'params'), message);
    } else if ('result' in message === 'error' in message) {
      throw new ProtocolError('a message that is neither asked, told nor answered');
    } else {
      this.#answered(message);
    }
  }

  /**
   * @param {string} method
   * @param {Json} params
   * @param {Json} message
   */
  #toldOrAsked(method, params, message) {
    const { id } = message;
    if (id !== undefined) {
      if (typeof id !== 'string' && !Number.isSafeInteger(id)) {
        throw new ProtocolError('an id that is none');
      }
      void this.#asked(method, params, id);
    } else if (method === 'notifications/progress' && typeof params.progressToken === 'number') {
      this.#pending.get(params.progressToken)?.progress?.(number(params, 'progress'), text(params, 'message'));
    }
  }

  /**
   * @param {string} method
   * @param {Json} params
   * @param {unknown} id
   */
  async #asked(method, params, id) {
    try {
      await this.#transport.say({ jsonrpc: '2.0', id, ...(await this.#answerTo(method, params)) });
    } catch {
      // whoever waits for the server hears of it
    }
  }

  /**
   * @param {string} method
   * @param {Json} params
   * @returns {Promise<Json>}
   */
  async #answerTo(method, params) {
    if (method === 'ping') {
      return { result: {} };
    }
    if (method === 'elicitation/create' && this.#elicit !== undefined) {
      const content = await this.#elicit(text(params, 'message'), object(params, 'requestedSchema'));
      return { result: content === null ? { action: 'decline' } : { action: 'accept', content } };
    }
    return { error: { code: METHOD_NOT_FOUND, message: `${method} is not answered here` } };
  }

  /** @param {Json} message */
  #answered(message) {
    const { id } = message;
    if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1 || id > this.#last) {
      throw new ProtocolError('an answer to nothing that was asked');
    }
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.resolve(message);
  }

  /**
   * @param {string} method
   * @param {Json} params
   * @param {import('./index.js').CallOptions} options
   * @returns {Promise<Json>}
   */
  async #request(method, params, options) {
    if (this.#failure !== null) {
      throw this.#failure;
    }
    options.signal?.throwIfAborted();
    const id = ++this.#last;
    const over = new AbortController();
    const { timeout, signal, progress } = options;
    /** @type {Promise<Json>} */
    const answered = new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject, progress }));
    /** @param {unknown} why */
    const takeBack = (why) => {
      const pending = this.#pending.get(id);
      this.#pending.delete(id);
      pending?.reject(why);
      const params = { requestId: id };
      this.#transport.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => {});
    };
    const late = () => takeBack(new TimedOut(`${method}: no answer within ${timeout} s; it was taken back`));
    const timer = timeout === undefined ? undefined : setTimeout(late, Math.min(timeout * 1000, 0x7fffffff));
    const aborted = () => takeBack(signal?.reason);
    signal?.addEventListener('abort', aborted, { once: true });
    const meta = progress === undefined ? {} : { _meta: { progressToken: id } };
    const asking = this.#transport.ask({ jsonrpc: '2.0', id, method, params: { ...params, ...meta } }, over.signal);
    asking.then(
      () => this.#unanswered(id),
      (e) => this.#pending.get(id)?.reject(e),
    );
    try {
      return resultOf(await answered);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
      this.#pending.delete(id);
      over.abort();
    }
  }

  /**
   * A stream of HTTP's is over.
   *
   * @param {number} id
   */
  #unanswered(id) {
    if (this.#transport instanceof Socket) {
      this.#pending.get(id)?.reject(new ProtocolError('an answer without an answer'));
    }
  }

  /** @returns {Promise<Json[]>} */
  async tools() {
    /** @type {Json[]} */
    const found = [];
    /** @type {Json} */
    let params = {};
    for (let pages = 0; pages < 1000; pages++) {
      const page = await this.#request('tools/list', params, { timeout: this.#timeout });
      found.push(...(Array.isArray(page.tools) ? page.tools.filter(isObject) : []));
      if (typeof page.nextCursor !== 'string') {
        return found;
      }
      params = { cursor: page.nextCursor };
    }
    throw new ProtocolError('a list without an end');
  }

  /**
   * @param {string} tool
   * @param {Json} [args]
   * @param {import('./index.js').CallOptions} [options]
   * @returns {Promise<import('./index.js').ToolResult>}
   */
  async call(tool, args = {}, options = {}) {
    const got = await this.#request('tools/call', { name: tool, arguments: args }, options);
    const content = Array.isArray(got.content) ? got.content.filter(isObject) : [];
    const decision = object(object(got, '_meta'), DECISION);
    const words = content.filter((block) => block.type === 'text').map((block) => text(block, 'text'));
    if (got.isError === true && decision.decision === 'deny') {
      throw new Denied(denialOf(decision, words.join('\n')));
    }
    return Object.freeze({
      content,
      structured: isObject(got.structuredContent) ? got.structuredContent : null,
      isError: got.isError === true,
      decision,
      id: text(decision, 'id') || null,
      text: words.join('\n'),
    });
  }

  /**
   * @param {string} tool
   * @param {Json} args
   * @param {import('./index.js').CallOptions} options
   */
  async #done(tool, args, options) {
    const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
    const result = await this.call(tool, given, options);
    if (result.structured === null) {
      throw new Refused(result.text, number(result.decision, 'exit'));
    }
    return { got: result.structured, id: result.id };
  }

  /**
   * @param {readonly string[]} argv
   * @param {import('./index.js').CommandOptions} [options]
   */
  async runCommand(argv, options = {}) {
    if (!Array.isArray(argv)) {
      throw new TypeError('argv is a list of words, and not a line');
    }
    const timeout = options.timeout ?? 120;
    const args = {
      argv: [...argv],
      cwd: options.cwd,
      timeout: Math.max(1, Math.trunc(timeout)),
      max_output: options.maxOutput,
      ...encoded('stdin', 'stdin_encoding', options.stdin),
    };
    const { got, id } = await this.#done('run_command', args, { ...options, timeout: timeout + ENDS_WITHIN });
    return withBytes(
      {
        exit: number(got, 'exit'),
        ok: number(got, 'exit') === 0,
        cause: text(got, 'cause'),
        why: text(got, 'why'),
        stdoutCut: number(got, 'stdout_cut'),
        stderrCut: number(got, 'stderr_cut'),
        notices: texts(got, 'notices'),
        id,
      },
      { stdout: decoded(got, 'stdout'), stderr: decoded(got, 'stderr') },
    );
  }

  /**
   * @param {string} path
   * @param {import('./index.js').ReadOptions} [options]
   */
  async readFile(path, options = {}) {
    const args = { path, offset: options.offset ?? 0, limit: options.limit, encoding: 'base64' };
    const { got, id } = await this.#done('read_file', args, { timeout: this.#timeout, ...options });
    return withBytes(
      {
        path: text(got, 'path'),
        offset: number(got, 'offset'),
        size: number(got, 'size'),
        more: got.more === true,
        id,
      },
      { content: decoded(got, 'content', 'encoding') },
    );
  }

  /**
   * @param {string} path
   * @param {Word} content
   * @param {import('./index.js').WriteOptions} [options]
   */
  async writeFile(path, content, options = {}) {
    const args = {
      path,
      mode: options.mode ?? 'overwrite',
      parents: options.parents ?? false,
      ...encoded('content', 'encoding', content),
    };
    const { got, id } = await this.#done('write_file', args, { timeout: this.#timeout, ...options });
    return Object.freeze({
      path: text(got, 'path'),
      size: number(got, 'size'),
      created: got.created === true,
      id,
    });
  }

  /**
   * @param {string | URL} url
   * @param {import('./index.js').FetchOptions} [options]
   */
  async httpFetch(url, options = {}) {
    const timeout = options.timeout ?? 120;
    const args = {
      url: String(url),
      method: options.method ?? 'GET',
      headers: options.headers,
      credential: options.credential,
      credential_header: options.field,
      timeout: Math.max(1, Math.trunc(timeout)),
      max_bytes: options.maxBody,
      ...encoded('body', 'body_encoding', options.body),
    };
    const call = { ...(options.signal === undefined ? {} : { signal: options.signal }), timeout: timeout + ENDS_WITHIN };
    const { got, id } = await this.#done('http_fetch', args, call);
    const fields = Array.isArray(got.headers) ? got.headers.filter(isObject) : [];
    return withBytes(
      {
        status: number(got, 'status'),
        headers: Object.freeze(fields.map((one) => Object.freeze({ name: text(one, 'name'), value: text(one, 'value') }))),
        cut: text(got, 'cut') || null,
        id,
      },
      { body: decoded(got, 'body') },
    );
  }
}

/**
 * @param {Json} answer
 * @returns {Json}
 */
function resultOf(answer) {
  if (isObject(answer.error)) {
    throw new Refused(text(answer.error, 'message'), number(answer.error, 'code'));
  }
  if (!isObject(answer.result)) {
    throw new ProtocolError('a result that is no object');
  }
  return answer.result;
}

/**
 * @param {Json} decision
 * @param {string} said
 */
function denialOf(decision, said) {
  const fix = texts(decision, 'fix');
  const reasons = {
    ...decision,
    why: text(decision, 'why') || said,
    would_allow: fix.length > 0 ? fix : texts(decision, 'would_allow'),
  };
  return new Denial(text(decision, 'id') || null, text(decision, 'what'), texts(decision, 'rules'), reasons);
}

/**
 * @template {object} T
 * @template {{ [name: string]: Buffer }} B
 * @param {T} values
 * @param {B} bytes which no text form shows
 * @returns {Readonly<T & B>}
 */
function withBytes(values, bytes) {
  const made = /** @type {any} */ ({ ...values });
  for (const [name, value] of Object.entries(bytes)) {
    hidden(made, name, value);
    Object.defineProperty(made, name, { get: () => kept(made, name), enumerable: false });
  }
  return Object.freeze(made);
}

/**
 * @param {string} name
 * @param {string} encoding
 * @param {Word | undefined} content
 * @returns {Json}
 */
function encoded(name, encoding, content) {
  if (content === undefined) {
    return {};
  }
  return typeof content === 'string'
    ? { [name]: content, [encoding]: 'utf-8' }
    : { [name]: Buffer.from(content).toString('base64'), [encoding]: 'base64' };
}

/**
 * @param {Json} json
 * @param {string} name
 * @param {string} [encoding]
 * @returns {Buffer}
 */
function decoded(json, name, encoding = `${name}_encoding`) {
  return Buffer.from(text(json, name), text(json, encoding) === 'base64' ? 'base64' : 'utf8');
}
