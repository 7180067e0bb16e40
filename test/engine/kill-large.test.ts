// tier: all, process: own
/** The real server, killed while it writes a record larger than a segment: the record is recovered whole or not at all. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { ask } from '../support/client.ts';
import { must, serve, temporaryFolder } from '../support/process.ts';

const count = 10_000;
const popups = Array.from({ length: count }, (_, i) => ({ title: `${i}`, content: 'x'.repeat(400) }));
const document = { format: 'mapwright-project', version: 1, project: { name: 'big', popups } };
const flags = ['--segment-mb', '1', '--import-mb', '64'];

t.setTimeout(600_000);

/** When the server is killed, by the names in the folder of the log. */
const moments: Record<string, (names: readonly string[]) => boolean> = {
  'is written': (names) => names.includes('large.tmp'),
  'is complete': (names) => names.includes('large') || names.length > 3,
};

for (const [name, isThen] of Object.entries(moments)) {
  t.test(`a large record is recovered whole or not at all if the server is killed while it ${name}`, async (t) => {
    const data = temporaryFolder(t);
    const journal = path.join(data, 'journal');
    const first = await serve(t, data, flags);
    const { key } = first;
    await must(first, 'POST', '/projects', { name: 'before' });
    const importing = ask(first, 'POST', '/v1/projects/import', document).catch(() => undefined);
    while (!isThen(fs.readdirSync(journal))) await delay(1);
    await first.end('SIGKILL');
    const answer = await importing;
    const again = await serve(t, data, flags, key);
    t.notOk(
      fs.readdirSync(journal).some((name) => name.startsWith('large')),
      'nothing is left beside the log',
    );
    const projects = await must(again, 'GET', '/projects');
    t.equal(projects[0].name, 'before');
    t.ok(projects.length <= 2 && projects.length >= (answer?.status === 200 ? 2 : 1));
    if (projects.length === 2) t.equal(projects[1].popups.length, count, 'whole');
    await must(again, 'POST', '/projects/import', document);
    t.equal((await must(again, 'GET', '/projects?fields=id')).length, projects.length + 1, 'and it goes on');
  });
}
