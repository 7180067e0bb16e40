// tier: normal, process: own
/** The real server, killed at random moments of uploads: every acknowledged file has its bytes after the next start. */
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { png } from '../api/pictures.ts';
import { serve, temporaryFolder } from '../support/process.ts';
import { randomFrom } from '../support/random.ts';
import { seed, sized } from '../support/tier.ts';
import { until } from '../support/until.ts';

const kills = sized({ sample: 3, all: 20 });

t.setTimeout(600_000);

t.test(`no acknowledged file is lost in ${kills} kills during uploads (seed ${seed})`, async (t) => {
  const folder = temporaryFolder(t);
  const random = randomFrom(seed);
  let server = await serve(t, folder, ['--segment-mb', '1']);
  const headers = { authorization: `Bearer ${server.key}` };
  const made = await fetch(`${server.url}/v1/projects`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{}',
  });
  const { id } = (await made.json()) as { id: string };
  const kept = new Map<string, Buffer>();
  let count = 0;
  for (let killed = 0; killed < kills; killed++) {
    const { url } = server;
    let isEnding = false;
    const client = async (): Promise<void> => {
      while (!isEnding) {
        const bytes = png(3, 2, `${count++} `.repeat(1 + random(20_000)));
        const body = new Uint8Array(bytes);
        const sent = fetch(`${url}/v1/projects/${id}/files?name=a.png`, { method: 'POST', headers, body });
        const file = await sent
          .then((response) => response.json() as Promise<{ url?: string }>)
          .catch(() => ({ url: undefined }));
        if (file.url !== undefined) kept.set(file.url, bytes);
      }
    };
    const clients = [client(), client(), client()];
    const before = kept.size;
    await until('files are acknowledged', () => kept.size >= before + 3);
    await setTimeout(random(300));
    isEnding = true;
    await server.end('SIGKILL');
    await Promise.all(clients);
    server = await serve(t, folder, ['--segment-mb', '1'], server.key);
    let wrong = 0;
    for (const [address, bytes] of kept) {
      const response = await fetch(server.url + address);
      if (response.status !== 200 || !Buffer.from(await response.arrayBuffer()).equals(bytes)) wrong++;
    }
    t.equal(wrong, 0, `${kept.size} files`);
  }
  t.ok(kept.size > kills, `${kept.size} files were acknowledged`);
});
