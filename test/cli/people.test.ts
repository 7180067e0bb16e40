// tier: normal
/** `mapwright people`: who may use which account, with a running server. */
import t from 'tap';
import { run, serve, temporaryFolder } from '../support/process.ts';
import { SignedIn } from '../support/signed-in.ts';

t.test('people are listed with role, projects, sessions and invitations', async (t) => {
  const folder = temporaryFolder(t);
  const { url } = await serve(t, folder);
  const port = Number(new URL(url).port);
  const people = (...args: string[]) => run(['people', 'list', ...args, '--data', folder]);
  const owner = new SignedIn({ port });
  t.equal((await owner.enter((await run(['console', '--json', '--data', folder])).stdout)).status, 200);
  const { id } = (await owner.ask('POST', '/v1/projects', { name: 'Office' })).json;
  await owner.invite({ name: 'Kim', role: 'editor', projects: [id] });
  await owner.ask('POST', '/console/people', { name: 'Vera', role: 'viewer' });
  const table = await people();
  t.equal(table.code, 0, table.stderr);
  t.match(table.stdout, /default\W+Kim\W+editor\W+Office\W+20\d\d-\d\d-\d\d \d\dh\W+1/);
  t.match(table.stdout, /default\W+Vera\W+viewer\W+all\W+never\W+0\W+invited until 20/);
  const listed = JSON.parse((await people('--json')).stdout);
  t.match(listed, [
    { account: 'default', name: 'owner', role: 'owner', projects: null, sessions: 1, invited: null, removed: null },
    { name: 'Kim', projects: [{ id, name: 'Office' }], last_seen: /:00:00.000Z$/, sessions: 1 },
    { name: 'Vera', last_seen: null, invited: /^20/, sessions: 0 },
  ]);
  t.strictSame(JSON.parse((await people('--json', '--account', 'default')).stdout), listed);
  t.match((await people('--account', 'nobody')).stdout, /^There is no account "nobody", or it has no people\./);
});
