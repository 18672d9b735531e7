/** JSON without what two readers read in two ways: a name twice, a byte that is no UTF-8. */
import { ProtocolError } from './errors.js';

/** @typedef {{ [name: string]: unknown }} Json */

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The object that `text`, UTF-8, is.
 *
 * @param {Uint8Array} text
 * @returns {Json}
 */
export function parseObject(text) {
  let value;
  try {
    const words = decoder.decode(text);
    value = JSON.parse(words);
    requireOnce(words);
  } catch (e) {
    if (e instanceof ProtocolError) {
      throw e;
    }
    throw new ProtocolError('no JSON');
  }
  if (!isObject(value)) {
    throw new ProtocolError('JSON that is no object');
  }
  return value;
}

/**
 * @param {unknown} value
 * @returns {value is Json}
 */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * Walks valid JSON for names that stand twice in one object.
 *
 * @param {string} words
 */
function requireOnce(words) {
  /** @type {(Set<string> | null)[]} */
  const within = [];
  let last = '';
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(words); token !== null; token = TOKEN.exec(words)) {
    const word = token[0];
    if (word === '{' || word === '[') {
      within.push(word === '{' ? new Set() : null);
    } else if (word === '}' || word === ']') {
      within.pop();
    } else if (word === ':') {
      const names = within[within.length - 1];
      const name = JSON.parse(last);
      if (names?.has(name)) {
        throw new ProtocolError('a name that stands there twice');
      }
      names?.add(name);
    } else if (word !== ',') {
      last = word;
    }
  }
}

/**
 * @param {Json} json
 * @param {string} name
 * @returns {string}
 */
export function text(json, name) {
  const value = json[name];
  return typeof value === 'string' ? value : '';
}

/**
 * @param {Json} json
 * @param {string} name
 * @returns {number}
 */
export function number(json, name) {
  const value = json[name];
  return typeof value === 'number' ? value : 0;
}

/**
 * @param {Json} json
 * @param {string} name
 * @returns {readonly string[]}
 */
export function texts(json, name) {
  const value = json[name];
  return Array.isArray(value) ? Object.freeze(value.filter((item) => typeof item === 'string')) : [];
}

/**
 * @param {Json} json
 * @param {string} name
 * @returns {Json}
 */
export function object(json, name) {
  const value = json[name];
  return isObject(value) ? value : {};
}
