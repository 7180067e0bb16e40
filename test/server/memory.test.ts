// tier: normal, process: own
/**
 * The memory budget on a real process with a small heap: writers push until they are refused, reads go on, deletions make room, writes
 * resume, a restart recovers everything, also above the budget; the process never runs out of memory.
 */
import { execFile } from 'node:child_process';
import http from 'node:http';
import { promisify } from 'node:util';
import t from 'tap';
import { countedLimitBytes, heapLimitBytes } from '../../src/engine/memory/memory-budget.ts';
import type { Limits } from '../../src/http/guard/http-limits.ts';
import { mebibyte } from '../../src/lib/option-declaration.ts';
import { limitsWithin } from '../../src/server/limits-in-force.ts';
import { type Answer, ask } from '../support/client.ts';
import { run, type Served, serve, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';
import { sized } from '../support/tier.ts';

const execute = promisify(execFile);

t.setTimeout(600_000);

/** The same on every Node: in 24 and 26, the space for the youngest values would be larger than the budget. */
const heap = (mib: number) => ({ env: { NODE_OPTIONS: `--max-old-space-size=${mib} --max-semi-space-size=16` } });
const many = (count: number) => Array.from({ length: count }, (_, i) => ({ type: 'spot', name: `Spot ${i}`, x: i * 1.5, y: i }));

const loads: Record<string, (i: number) => object> = {
  'many small objects': (i) => ({ name: `${i}`, artboards: [{ objects: many(3000) }] }),
  'a few huge texts': (i) => ({ name: `${i}`, popups: [{ content: 'x'.repeat(3_000_000) }] }),
  'polygons of small numbers': (i) => ({
    name: `${i}`,
    artboards: [
      {
        objects: [0, 50_000].map((from) => ({
          type: 'poly',
          coords: Array.from({ length: 50_000 }, (_, j) => ({ x: from + j, y: 1 })),
        })),
      },
    ],
  }),
};

for (const [what, body] of Object.entries(loads).slice(...sized({ sample: [1, 2], all: [0] }))) {
  test.all(`a full server refuses ${what} with 507, serves reads, and resumes after deletions and a restart`, async (t) => {
    const data = temporaryFolder(t);
    const agent = new http.Agent({ keepAlive: true });
    t.teardown(() => agent.destroy());
    const flags = ['--segment-mb', '8', '--memory-mb', '72'];
    const server = await serve(t, data, flags, undefined, heap(160));
    const at = { ...pick(server), agent };
    /** Acknowledged projects, with what was answered. */
    const made = new Map<string, number>();
    const push = async (i: number): Promise<Answer> => {
      for (;;) {
        const answer = await ask(at, 'POST', '/v1/projects', body(i));
        if (answer.status === 200) made.set(answer.json.id, answer.text.length);
        if (answer.status !== 503 && answer.status !== 429) return answer;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    let full = false;
    let refusal: Answer | undefined;
    const writer = async (n: number) => {
      for (let i = 0; !full && i < 400; i++) {
        const answer = await push(n * 1000 + i);
        if (answer.status !== 507) continue;
        refusal = answer;
        // Others are under way, and what they take counts; without them it may fit.
        if (made.size > 0) full = true;
      }
    };
    await Promise.all([1, 2, 3, 4].map(writer));
    t.match(refusal, { status: 507, json: { code: 'insufficient_storage', detail: /no memory left/ } });
    for (let i = 0, refusals = 0; refusals < 3 && i < 400; i++) refusals += (await push(9000 + i)).status === 507 ? 1 : 0;
    t.ok(made.size > 0, `${made.size} projects`);
    // It may be over by now: of large requests the last is refused while there is room for small ones.
    while (!/"alarm":"memory_full"/.test(server.stderr)) await new Promise((resolve) => setTimeout(resolve, 50));

    const [first] = made.keys();
    t.equal((await ask(at, 'GET', '/readyz')).status, 200);
    for (const [id, length] of made) {
      if ((await ask(at, 'GET', `/v1/projects/${id}`)).text.length !== length) t.fail('a read is not what was acknowledged');
    }
    t.equal((await ask(at, 'PATCH', `/v1/projects/${first}`, { name: '!' })).status, 200, 'what does not grow is changed');
    made.set(first as string, (await ask(at, 'GET', `/v1/projects/${first}`)).text.length);
    for (const id of [...made.keys()].slice(0, Math.ceil(made.size * 0.7))) {
      t.equal((await ask(at, 'DELETE', `/v1/projects/${id}`)).status, 204);
      made.delete(id);
    }
    let resumed = 507;
    for (let i = 0; resumed !== 200 && i < 300; i++) {
      resumed = (await push(i)).status;
      if (resumed !== 200) await new Promise((resolve) => setTimeout(resolve, 100));
    }
    t.equal(resumed, 200, 'writes resume');
    for (let i = 0, refusals = 0; refusals < 2 && i < 400; i++) refusals += (await push(i)).status === 507 ? 1 : 0;
    t.strictSame([server.child.exitCode, server.child.signalCode], [null, null], 'it lives');
    await server.end('SIGKILL');

    const small = await serve(t, data, ['--segment-mb', '8', '--memory-mb', '24'], server.key, heap(160));
    const again = { ...pick(small), agent };
    for (const [id, length] of made) {
      const answer = await ask(again, 'GET', `/v1/projects/${id}`);
      if (answer.text.length !== length) t.fail(`${answer.status}: a restart has other data`);
    }
    t.equal((await ask(again, 'POST', '/v1/projects', body(1))).status, 507, 'larger than its budget, it does not grow');
    const [one] = made.keys();
    t.equal((await ask(again, 'PATCH', `/v1/projects/${one}`, { name: '?' })).status, 200);
    t.equal((await ask(again, 'DELETE', `/v1/projects/${one}`)).status, 204);
    t.equal((await small.end('SIGTERM')).code, 0);
  });
}

t.test('the memory of the young generation is not counted as available', async (t) => {
  const whole = heapLimitBytes();
  for (const version of ['11.3.244.8-node.38', '12.4.254.21-node.57']) t.equal(countedLimitBytes(version, []), whole, version);
  t.equal(
    whole - countedLimitBytes('13.6.233.17-node.53', [undefined]),
    144 * 1024 * 1024,
    'half of it is 64 MiB in Node 24, and 16 before',
  );
  t.equal(whole - countedLimitBytes('14.6.202.34-node.34', [undefined]), 48 * 1024 * 1024, 'half of it is 32 MiB in Node 26');
  for (const flag of ['--max-semi-space-size=16', '--max_semi_space_size=16', '--max-heap-size=300'])
    t.equal(countedLimitBytes('13.6.233.17-node.53', ['--trace-warnings', flag]), whole, flag);
  const limit = async (...flags: string[]) =>
    Number((await execute(process.execPath, [...flags, '--print', 'v8.getHeapStatistics().heap_size_limit'])).stdout);
  const old = '--max-old-space-size=300';
  const more = (await limit(old)) - (await limit(old, '--max-semi-space-size=16'));
  t.equal(more, whole - countedLimitBytes(process.versions.v8, []), 'as this Node has it');
});

t.test('a budget above the heap limit of V8 is refused with the option to start with', async (t) => {
  const { code, stderr } = await run(['serve', '--data', temporaryFolder(t), '--memory-mb', '200'], heap(160));
  t.equal(code, 2);
  t.match(stderr, /--memory-mb must be a number from 1 to \d+/);
  const [flag] = /NODE_OPTIONS=--max-old-space-size=\d+/.exec(stderr) ?? [];
  t.type(flag, 'string');
  const env = { NODE_OPTIONS: (flag as string).replace('NODE_OPTIONS=', '') };
  await serve(t, temporaryFolder(t), ['--segment-mb', '1', '--memory-mb', '200'], undefined, { env });
});

const pick = ({ url, key }: Served) => ({ url, key });

t.test('a small memory reduces what requests may hold, but one body of any account and one response always fit', async (t) => {
  const held = ({ bodiesBytesMax, responsesBytesMax }: Limits) => [bodiesBytesMax / mebibyte, responsesBytesMax / mebibyte];
  t.strictSame(held(limitsWithin(4096 * mebibyte, undefined)), [256, 256], 'the defaults');
  t.strictSame(held(limitsWithin(800 * mebibyte, undefined)), [100, 200], 'an eighth and a quarter');
  t.strictSame(held(limitsWithin(8 * mebibyte, { bodyBytesMax: 3 * mebibyte })), [6, 3], 'one account may use half of it');
});
