/** The content security policies of the console's pages: on the wire, in a table here, and in docs/security.md; and that of all other responses. */
import t from 'tap';
import { documentText } from '../support/documents.ts';
import { startForRequests } from '../support/mapwright.ts';

const frame = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src * data: blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
];

/** The console turns no text into markup; the popup editor and the preview do, so they may do nothing else. */
const policies = {
  '/console': [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "style-src 'self'",
    "img-src 'self' https: http: data: blob:",
    "require-trusted-types-for 'script'",
    'trusted-types mapwright-convert',
    "worker-src 'self'",
    "frame-src 'self'",
  ],
  '/console/popup': [...frame, 'trusted-types dompurify ProseMirrorClipboard', 'sandbox allow-scripts'],
  '/console/preview': [...frame, 'trusted-types dompurify', 'sandbox allow-scripts'],
};

/** The directives in the table of a page. */
function documented(page: string): string[] {
  const [, section = ''] = documentText('docs/security.md').split(`The policy of \`${page}\``);
  const [table = ''] = /(?:^\|.*\n)+/m.exec(section) ?? [];
  return Array.from(table.matchAll(/^\| `([^`]+)` \|/gm), ([, directive = '']) => directive);
}

for (const [page, policy] of Object.entries(policies))
  t.test(`${page} and its files have exactly the policy that docs/security.md has`, async (t) => {
    const { port } = await startForRequests(t);
    const root = `http://127.0.0.1:${port}`;
    const response = await fetch(root + page);
    const all = Array.from((await response.text()).matchAll(/(?:src|href)="([^":]+)"/g), ([, name = '']) => name);
    // The viewer is for pages of all origins.
    const names = all.filter((name) => name !== '../viewer.js');
    t.equal(names.length, 2, 'a script and a style');
    for (const each of [page, ...names]) {
      const { status, headers } = await fetch(new URL(each, root + page));
      t.equal(status, 200, each);
      t.equal(headers.get('content-security-policy'), policy.join('; '), each);
    }
    // One table for both frames.
    if (page !== '/console/preview') t.strictSame(documented(page), policy, 'the document');
  });

t.test('a response without a policy has one that disarms it; a 304 leaves the policy of the page', async (t) => {
  const { port } = await startForRequests(t);
  const root = `http://127.0.0.1:${port}`;
  for (const path of ['/openapi.json', '/viewer.js', '/v1/projects', '/nothing'])
    t.equal((await fetch(root + path)).headers.get('content-security-policy'), "sandbox; default-src 'none'", path);
  const etag = (await fetch(`${root}/console`)).headers.get('etag') ?? '';
  const { status, headers } = await fetch(`${root}/console`, { headers: { 'if-none-match': etag } });
  t.strictSame([status, headers.get('content-security-policy')], [304, null]);
});
