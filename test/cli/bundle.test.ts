// tier: all, process: own
/**
 * The command as it is installed: one bundle, with its workers next to it (`npm run bundle`). The tests use what differs from the modules:
 * files next to the bundle, threads, and other files of the package.
 */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
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

/** The command as it is installed without optional packages. */
function installedAlone(t: Test): string {
  const folder = temporaryFolder(t);
  for (const part of ['package.json', 'dist/bin']) fs.cpSync(part, path.join(folder, part), { recursive: true });
  fs.mkdirSync(path.join(folder, 'node_modules/@napi-rs'), { recursive: true });
  for (const native of ['fs-native-extensions', '@napi-rs/nice'])
    fs.symlinkSync(path.resolve('node_modules', native), path.join(folder, 'node_modules', native));
  return folder;
}

t.test('without openid-client, single sign-on names the command that installs it, as does the doctor', async (t) => {
  const folder = installedAlone(t);
  const installed = { file: path.join(folder, 'dist/bin/mapwright.js'), env: { MAPWRIGHT_OIDC_SECRET: 'secret' } };
  const options = ['--data', path.join(folder, 'data'), '--public-url', 'https://maps.example', '--port', '0'];
  options.push('--oidc-issuer', 'http://127.0.0.1:1', '--oidc-client', 'maps');
  const names = 'Single sign-on needs the package openid-client: npm install openid-client@6';
  t.match(await run(['serve', ...options], installed), { code: 2, stderr: names });
  t.match(await run(['doctor', ...options], installed), { code: 1, stdout: new RegExp(`fail  sign-on +${names}`) });
  t.match(await run(['doctor', ...options], { ...installed, file }), { code: 0, stdout: /warn {2}sign-on .*cannot be used/ });
});

t.test(
  'without pg and undici, a cluster names the command that installs them, as does each check of the doctor once',
  async (t) => {
    const folder = installedAlone(t);
    const installed = { file: path.join(folder, 'dist/bin/mapwright.js') };
    const cluster = ['--cluster', 'postgres://ann@127.0.0.1:1/maps', '--advertise', 'http://127.0.0.1:1'];
    const names = 'A cluster needs the packages pg and undici: npm install pg@8 undici@7';
    for (const command of [
      ['serve', ...cluster],
      ['cluster', 'status', ...cluster.slice(0, 2)],
    ]) {
      const { code, stderr } = await run(
        [...command, '--data', path.join(folder, 'data')].slice(0, command[0] === 'serve' ? 99 : 4),
        installed,
      );
      t.equal(code, 2);
      t.match(stderr, names);
      t.notMatch(stderr, 'Cannot find module');
    }
    const { code, stdout } = await run(['doctor', ...cluster, '--data', path.join(folder, 'data')], installed);
    t.equal(code, 1);
    t.equal(stdout.split(names).length - 1, 1, stdout);
    t.equal(stdout.split('not checked without these packages').length - 1, 4, stdout);
  },
);
