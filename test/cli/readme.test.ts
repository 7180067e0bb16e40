/** The README's own lines, run as printed against a real server. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { serve, temporaryFolder } from '../support/process.ts';
import { projectRoot } from '../support/project.ts';

const run = promisify(execFile);
const root = projectRoot(import.meta.dirname);
const readme = fs.readFileSync(path.join(root, 'README.md'), 'utf8');

/** The first fenced block of a language after a heading. */
function blockAfter(heading: string, language: string): string {
  const section = readme.slice(readme.indexOf(`\n## ${heading}`));
  const block = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(section)?.[1];
  if (block === undefined) throw new Error(`the README has no ${language} block after "${heading}"`);
  return block;
}

t.test('the five curls of the first map', async (t) => {
  const server = await serve(t, temporaryFolder(t));
  const script = blockAfter('First map, in five curls', 'sh')
    .replace('mw_...', server.key)
    .replace('http://127.0.0.1:8070', server.url);
  t.equal(script.match(/\bcurl -s\b/g)?.length, 5);
  const { stdout, stderr } = await run('bash', ['-euo', 'pipefail', '-c', `${script}\necho`]);
  t.equal(stderr, '');
  const answers = stdout.replaceAll('}{', '}\n{').trim().split('\n');
  const [popup, project] = answers.map((line) => JSON.parse(line));
  t.equal(popup.title, 'St. Stephen');
  t.match(project, { name: 'City walk', artboards: [{ type: 'osm', objects: [{ name: 'Cathedral' }] }], popups: [popup] });
  t.equal(popup.attachedTo, project.artboards[0].objects[0].id);
});

t.test('the embedding example', async (t) => {
  const folder = temporaryFolder(t);
  const entry = path.join(import.meta.dirname, '..', '..', 'src', 'index.js');
  // As printed, except where it stands: the package is not installed here, the port may be taken, and it has to end.
  const program = blockAfter('Embedding', 'js')
    .replace("from 'mapwright'", `from ${JSON.stringify(entry)}`)
    .replace('.listen(3000)', ".listen(0, '127.0.0.1', async function () { await look(this.address().port); this.close(); })")
    .concat(`
async function look(port) {
  const { key } = await maps.createKey('a customer');
  const answer = await fetch(\`http://127.0.0.1:\${port}/api/v1/projects\`, { headers: { authorization: \`Bearer \${key}\` } });
  const own = await fetch(\`http://127.0.0.1:\${port}/else\`);
  console.log(answer.status, await answer.text(), await own.text());
  await maps.close();
}`);
  const file = path.join(folder, 'program.mjs');
  fs.writeFileSync(file, program);
  const { stdout } = await run(process.execPath, [file], { cwd: folder });
  t.equal(stdout.trim(), '200 [] my own program');
});

t.test('every flag of the configuration table exists, with the default it says', async (t) => {
  const { stdout } = await run(process.execPath, [
    path.join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.js'),
    'serve',
    '--help',
  ]);
  const rows = readme.slice(readme.indexOf('\n## Configuration')).matchAll(/^\| `--(.*?)` \| (.*?) \|/gm);
  for (const [, flags = '', defaults = ''] of rows) {
    flags.split('`, `--').forEach((flag, i) => {
      const value = defaults.replaceAll('`', '').split(', ')[i] ?? '';
      t.match(stdout, new RegExp(`--${flag} [^]*?\\[default: "?${value === 'off' ? 'false' : value}"?\\]`), flag);
    });
  }
});
