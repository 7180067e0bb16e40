/**
 * The command as it is installed: one bundle, with its workers beside it (`npm run bundle`). Whatever is different about it, modules that
 * look for files beside themselves, threads, what the package has elsewhere, is used here.
 */
import path from 'node:path';
import t from 'tap';
import { must, run, serve, temporaryFolder } from '../support/process.ts';

const file = path.resolve('dist/bin/mapwright.js');

t.test('it serves, folds and backs up, and has everything after it was killed', async (t) => {
  const folder = temporaryFolder(t);
  const server = await serve(t, folder, ['--segment-mb', '1'], undefined, { file });
  const { id } = await must(server, 'POST', '/projects', { name: 'kept' });
  t.match(await run(['snapshot', '--data', folder], { file }), { code: 0, stderr: '' }, 'the thread that folds');
  t.match(await run(['backup', path.join(folder, '..', `${path.basename(folder)}.backup`), '--data', folder], { file }), {
    code: 0,
  });
  await must(server, 'PATCH', `/projects/${id}`, { name: 'kept too' });
  await server.end('SIGKILL');
  const again = await serve(t, folder, ['--segment-mb', '1'], server.key, { file });
  t.match(await must(again, 'GET', `/projects/${id}`), { name: 'kept too' });
  t.match(await again.end('SIGTERM'), { code: 0, stderr: '' });
});

t.test('it finds what the package has elsewhere', async (t) => {
  t.match(await run(['--version'], { file }), { code: 0, stdout: /^\d+\.\d+\.\d+\n$/ });
  const server = await serve(t, temporaryFolder(t), [], undefined, { file });
  t.match(await run(['demo', '--url', server.url, '--key', server.key], { file }), { code: 0, stderr: '' }, 'the examples');
});
