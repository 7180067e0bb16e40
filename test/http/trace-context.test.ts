/** `traceparent` and `tracestate`: what is read, what is sent, and what is ignored. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import t, { type Test } from 'tap';
import type { DiagnosticMessages } from '../../src/index.ts';
import { type Endpoint, serve } from './harness.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';
const at: Endpoint<string>[] = [
  { method: 'GET', path: '/x', prefixes: [''], handle: () => ({ kind: 'json', status: 200, json: '{}' }) },
  { method: 'POST', path: '/x', prefixes: [''], acceptsBody: true, handle: () => Promise.reject(new Error('on purpose')) },
];

const malformed: readonly string[] = [
  '',
  trace,
  `00-${trace}-${span}`,
  `00-${trace.toUpperCase()}-${span}-01`,
  `00-${'0'.repeat(32)}-${span}-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
  `ff-${trace}-${span}-01`,
  `00-${trace}-${span}-01-more`,
  `00-${trace}-${span}-0g`,
  `00-${trace}0-${span}-01`,
  ` 00-${trace}-${span}-01 x`,
  `00-${trace}-${span}-01, 00-${trace}-${span}-01`,
];

t.test('each request has its own span in the trace of the client, in the response and the log', async (t) => {
  const { ask, listener, logged } = await serve(t, at, { logRequests: true });
  const headers = { traceparent: `00-${trace}-${span}-01`, tracestate: 'vendor=opaque' };
  const answers = [await ask('/x', { headers }), await ask('/x', { headers }), await ask('/nowhere', { headers })];
  answers.push(await ask('/x', { method: 'POST', headers, body: '{}' }));
  await listener.idle();
  const sent = answers.map(({ headers }) => String(headers['traceparent']));
  for (const field of sent) t.match(field, new RegExp(`^00-${trace}-(?!${span})[\\da-f]{16}-01$`));
  t.equal(new Set(sent).size, sent.length, 'each request is a span');
  for (const { headers } of answers) t.notOk('tracestate' in headers, 'there is nobody behind this server to hand it to');
  const lines = logged.filter(([, , message]) => message === 'request').map(([, fields]) => fields);
  t.strictSame(
    lines.map((fields) => `00-${fields['trace_id']}-${fields['span_id']}-${fields['trace_flags']}`),
    sent,
  );
  const faults = logged.filter(([level]) => level === 'error').map(([, fields]) => fields);
  t.match(faults, [{ trace_id: trace, err: { message: 'on purpose' } }], 'a fault is found by its trace');
});

t.test('a request with a missing or malformed traceparent has no trace', async (t) => {
  const { ask, listener, logged } = await serve(t, at, { logRequests: true });
  t.notOk('traceparent' in (await ask('/x')).headers);
  for (const traceparent of malformed) {
    const { status, headers } = await ask('/x', { headers: { traceparent } });
    t.equal(status, 200);
    t.notOk('traceparent' in headers, JSON.stringify(traceparent));
  }
  t.notOk(
    'traceparent' in (await ask('/x', { headers: { traceparent: [`00-${trace}-${span}-01`, 'x'] } })).headers,
    'sent twice',
  );
  await listener.idle();
  t.notMatch(JSON.stringify(logged), /trace_id/);
});

/** Returns the trace contexts that requests with these headers have, for subscribers in the process. */
async function readAs(t: Test): Promise<(headers: Record<string, string>) => Promise<unknown>> {
  const { ask } = await serve(t, at);
  let read: unknown;
  const note = (message: unknown): void => {
    read = (message as DiagnosticMessages['mapwright:request:start']).trace;
  };
  subscribe('mapwright:request:start', note);
  t.teardown(() => unsubscribe('mapwright:request:start', note));
  return async (headers) => {
    await ask('/x', { headers });
    return read;
  };
}

t.test('a traceparent of a later version is read by its known part, without unknown flags', async (t) => {
  const read = await readAs(t);
  const later = await read({ traceparent: `01-${trace}-${span}-ff-what-comes` });
  t.match(later, { traceId: trace, parentId: span, flags: '03', state: '' });
  t.match(await read({ traceparent: `00-${trace}-${span}-02` }), { flags: '02' });
  t.equal(await read({ traceparent: `01-${trace}-${span}-01more` }), undefined);
});

t.test('an invalid tracestate is ignored as a whole', async (t) => {
  const read = await readAs(t);
  const stateOf = async (tracestate?: string) => {
    const headers = { traceparent: `00-${trace}-${span}-01`, ...(tracestate === undefined ? {} : { tracestate }) };
    return ((await read(headers)) as { state: string }).state;
  };
  const right = ['a=1', 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7', 'tenant@vendor=x y', 'a=1 , ,b=2', 'z_*-/9=~'];
  for (const state of right) t.equal(await stateOf(state), state);
  const wrong = ['A=1', 'a', 'a=', 'a=1,a=2', 'a=b=c', 'a=ü', '@v=1', Array.from({ length: 33 }, (_, i) => `k${i}=1`).join(',')];
  for (const state of [undefined, ...wrong]) t.equal(await stateOf(state), '', String(state));
});
