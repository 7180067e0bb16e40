// tier: all, process: own
/**
 * The command as it is installed: one bundle, with its workers next to it (`npm run bundle`). The tests use what differs from the modules:
 * files next to the bundle, threads, and other files of the package.
 */
import path from 'node:path';
import t from 'tap';
import { ask } from '../support/client.ts';
import { fetchDescribed } from '../support/fetch.ts';
import { must, run, type Served, serve, temporaryFolder } from '../support/process.ts';

const file = path.resolve('dist/bin/mapwright.js');

t.test('the bundled program serves, writes snapshots and backups, and recovers after a kill', async (t) => {
  const folder = temporaryFolder(t);
  const server = await serve(t, folder, ['--segment-mb', '1'], undefined, { file });
  const { id } = await must(server, 'POST', '/projects', { name: 'kept' });
  t.match(await run(['snapshot', '--data', folder], { file }), { code: 0, stderr: '' }, 'the thread that makes snapshots');
  t.match(await run(['backup', path.join(folder, '..', `${path.basename(folder)}.backup`), '--data', folder], { file }), {
    code: 0,
  });
  const { headers } = await ask(server, 'GET', `/v1/projects/${id}`);
  const place = String(headers.etag).replaceAll('"', '');
  await must(server, 'PATCH', `/projects/${id}`, { name: 'kept too' });
  await server.end('SIGKILL');
  const again = await serve(t, folder, ['--segment-mb', '1'], server.key, { file });
  t.match(await must(again, 'GET', `/projects/${id}`), { name: 'kept too' });
  t.match(
    await firstEventAfter(again, place, `/projects/${id}/events`),
    /^event: project.updated$/m,
    'the thread that reads the log',
  );
  t.match(await again.end('SIGTERM'), { code: 0, stderr: /"msg":"stopped"/ });
});

/** The first event behind a place. */
async function firstEventAfter({ url, key }: Served, place: string, route: string): Promise<string> {
  const answer = await fetchDescribed(`${url}/v1${route}?after=${place}`, { headers: { authorization: `Bearer ${key}` } });
  let text = '';
  for await (const part of answer.body ?? []) {
    text += Buffer.from(part).toString();
    if (text.includes('id: ')) break;
  }
  return text;
}

t.test('the bundled program finds the version and the examples of its package', async (t) => {
  t.match(await run(['--version'], { file }), { code: 0, stdout: /^\d+\.\d+\.\d+\n$/ });
  const server = await serve(t, temporaryFolder(t), [], undefined, { file });
  t.match(await run(['demo', '--url', server.url, '--key', server.key], { file }), { code: 0, stderr: '' }, 'the examples');
});
