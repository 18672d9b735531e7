/** The stage that `ClientsTest` of the module escape builds: a cage `web` that is up, and an origin that it may reach. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * @param {string} name
 * @returns {string}
 */
export function given(name) {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`${name} is not set: ClientsTest of the module escape runs these tests`);
  }
  return value;
}

export const COMMAND = given('CAGEWRIGHT_TEST_COMMAND');
export const ACT = given('CAGEWRIGHT_TEST_ACT');
export const ORIGIN = `http://origin.test:${given('CAGEWRIGHT_TEST_ORIGIN')}`;
export const PATIENCE = 60;
/** Time that is to run out, and yet enough for a program to begin on a busy machine. */
export const SOON = 10;

/** @param {string[]} words */
export async function product(...words) {
  return promisify(execFile)(COMMAND, words, { timeout: PATIENCE * 1000 });
}

/** @param {() => Promise<boolean>} condition */
export async function until(condition) {
  const end = performance.now() + PATIENCE * 1000;
  while (!(await condition())) {
    if (performance.now() > end) {
      throw new Error('still waiting');
    }
    await pause(20);
  }
}

/**
 * @param {string} kind
 * @param {string | Buffer} content
 */
export function frame(kind, content) {
  const bytes = Buffer.from(content);
  const head = Buffer.alloc(5);
  head.write(kind, 'latin1');
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/**
 * Listens as a supervisor does, and says what it is told to say.
 *
 * @param {Buffer} said
 * @param {(socket: string) => Promise<void>} then
 * @returns {Promise<string>} what it heard
 */
export async function falseSupervisor(said, then) {
  const folder = mkdtempSync(join(tmpdir(), 'cagewright-'));
  const at = join(folder, 'socket');
  let heard = '';
  const server = createServer((there) => {
    there.on('error', () => {});
    there.on('data', (bytes) => {
      heard += bytes.toString('latin1');
      there.end(said);
    });
  });
  await new Promise((resolve) => server.listen(at, () => resolve(undefined)));
  try {
    await then(at);
    return heard;
  } finally {
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  }
}

/**
 * @template {Error} E
 * @param {Promise<unknown>} doing
 * @param {{ readonly prototype: E, readonly name: string }} kind
 * @returns {Promise<E>}
 */
export async function thrown(doing, kind) {
  try {
    await doing;
  } catch (e) {
    if (e instanceof /** @type {any} */ (kind)) {
      return /** @type {E} */ (e);
    }
    throw e;
  }
  return assert.fail(`no ${kind.name}`);
}
