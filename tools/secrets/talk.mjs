// In the cage: the same as talk.py, by fetch or by https: talk.mjs fetch|https URL FIELD PREFIX VARIABLE NAME SIZE SPELLING...

import https from 'node:https';

const [how, url, field, prefix, variable, name, size, ...spellings] = process.argv.slice(2);
const key = process.env[variable];

async function* said(body) {
  const headers = { [field]: prefix + key, 'content-type': 'application/json' };
  if (how === 'fetch') {
    const answer = await fetch(url, { method: 'POST', headers, body });
    yield* answer.body;
    return;
  }
  const answer = await new Promise((then, fails) =>
    https.request(url, { method: 'POST', headers }, then).on('error', fails).end(body));
  yield* answer;
}

function text(event) {
  if (event.type === 'content_block_delta') {
    return event.delta.text;
  }
  if (event.type === 'response.output_text.delta') {
    return event.delta;
  }
  return (event.choices ?? []).map(choice => choice.delta.content ?? '').join('');
}

console.log(key);
for (const spelling of spellings) {
  const told = `echo ${name} ${spelling} ${size}`;
  let raw = '';
  const body = JSON.stringify({ model: 'm', stream: true, input: told, messages: [{ role: 'user', content: told }] });
  for await (const piece of said(body)) {
    raw += Buffer.from(piece).toString();
  }
  const whole = raw.split('\n').filter(line => line.startsWith('data: {')).map(line => text(JSON.parse(line.slice(6)))).join('');
  console.log(JSON.stringify({ spelling, text: whole, raw }));
}
