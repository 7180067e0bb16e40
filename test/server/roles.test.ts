/** Every route of the API and of the console, with every role, every kind of key, and none: who gets in, by the table of rights. */
import t from 'tap';
import { type Right, rightsOfAccess, rightsOfRole } from '../../src/model/people/roles.ts';
import { startForRequests } from '../support/mapwright.ts';
import { operations } from '../support/operations.ts';
import { type Answered, ask, type SignedIn, signIn } from '../support/signed-in.ts';

interface Route {
  readonly method: string;
  /** Below the address of the server, with parameters as `:project_id`. */
  readonly path: string;
  readonly right: Right;
}

/** What a route of the console needs; those without a right answer everybody who is signed in. */
const consoleRoutes: readonly (Omit<Route, 'right'> & { readonly right: Right })[] = [
  { method: 'GET', path: '/console/session', right: 'read' },
  { method: 'GET', path: '/console/sessions', right: 'read' },
  { method: 'GET', path: '/console/people', right: 'people' },
  { method: 'POST', path: '/console/people', right: 'people' },
  { method: 'POST', path: '/console/people/:person_id/invitation', right: 'people' },
  { method: 'DELETE', path: '/console/people/:person_id', right: 'people' },
];

/** What publishes, or makes private. */
const publishing = /^(?:PUT|DELETE) \/projects\/:project_id\/publication(?:\/picture)?$/;

t.test('every route of the description lets in who has its right, and nobody else', async (t) => {
  const mapwright = await startForRequests(t);
  const routes: Route[] = [...consoleRoutes];
  for (const { method, path, isRead } of operations) {
    const right = isRead ? 'read' : publishing.test(`${method} ${path}`) ? 'publish' : 'write';
    routes.push({ method, path: `/api/v1${path}`, right });
  }
  const { id: project } = (await mapwright.post('/projects', { name: 'Map' })).shown;
  const { id: other } = (await mapwright.post('/projects', { name: 'Other' })).shown;
  const owner = await signIn(mapwright);
  const invite = (role: string, more = {}) => owner.invite({ name: role, role, ...more });
  const keyOf = async (options: object) => ({
    authorization: `Bearer ${(await mapwright.server.createKey('ann', options)).key}`,
  });
  const clients: readonly (readonly [string, SignedIn['headers'], readonly Right[]])[] = [
    ['owner', (await invite('owner')).headers, rightsOfRole.owner],
    ['editor', (await invite('editor')).headers, rightsOfRole.editor],
    ['viewer', (await invite('viewer')).headers, rightsOfRole.viewer],
    ['editor of a project', (await invite('editor', { projects: [project] })).headers, rightsOfRole.editor],
    ['viewer of a project', (await invite('viewer', { projects: [project] })).headers, rightsOfRole.viewer],
    ['key', await keyOf({}), rightsOfAccess.write],
    ['key for reading', await keyOf({ readOnly: true }), rightsOfAccess.read],
    ['key of a project', await keyOf({ projects: [project] }), rightsOfAccess.write],
    ['key for reading a project', await keyOf({ readOnly: true, projects: [project] }), rightsOfAccess.read],
    ['none', {}, []],
  ];
  const isRefused = ({ status, json }: Answered): boolean => status === 401 || (status === 403 && json.code === 'forbidden');
  for (const { method, path, right } of routes) {
    for (const [name, headers, rights] of clients) {
      for (const [of, id] of [
        ['own', project],
        ['other', other],
      ] as const) {
        const target = path.replace(':project_id', id).replaceAll(/:\w+/g, '01890000-0000-7000-8000-000000000000');
        // No precondition holds: nothing is changed, and what comes later in the table is there.
        const body = method === 'GET' || method === 'DELETE' ? undefined : { unknown_member: 1 };
        const answer = await ask(mapwright, method, target, { headers: { ...headers, 'if-match': '"none"' }, body });
        const what = `${name}: ${method} ${path} of ${of} project: ${answer.status}`;
        if (name === 'none') t.equal(answer.status, 401, what);
        else if (!rights.includes(right)) t.equal(isRefused(answer) && answer.status, 403, what);
        else if (/of a project|a project$/.test(name) && path.includes(':project_id') && of === 'other')
          t.ok(answer.status === 404 || isRefused(answer), what);
        else if (/of a project|a project$/.test(name) && right !== 'read' && !path.includes(':project_id'))
          t.ok(isRefused(answer), what);
        else if (!/(?:duplicate|import)/.test(path) || !/project/.test(name)) t.notOk(isRefused(answer), what);
        t.notMatch(String(answer.status), /^5/, what);
      }
    }
  }
});

t.test('the table of the document is that of the program', async (t) => {
  const { readFileSync } = await import('node:fs');
  const { join } = await import('node:path');
  const { projectRoot } = await import('../support/project.ts');
  const text = readFileSync(join(projectRoot(import.meta.dirname), 'docs/security.md'), 'utf8');
  const rows = [
    ...text.matchAll(/^\| `(read|write|publish|people)` \| (.*?) \| (.*?) \| (.*?) \| (.*?) \| (.*?) \| (.*?) \|$/gm),
  ];
  const { rights } = await import('../../src/model/people/roles.ts');
  t.strictSame(
    rows.map(([, right, what, ...cells]) => [right, what, ...cells]),
    Object.entries(rights).map(([right, what]) => [
      right,
      what,
      ...[rightsOfRole.owner, rightsOfRole.editor, rightsOfRole.viewer, rightsOfAccess.write, rightsOfAccess.read].map((list) =>
        list.includes(right as Right) ? 'yes' : '–',
      ),
    ]),
  );
});
