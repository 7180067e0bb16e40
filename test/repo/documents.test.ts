/** The form of the documents: valid links, limited length, and decisions with the same parts. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { eventKinds } from '../../src/engine/feed/event-encoder.ts';
import { collectionNames, isBesideDocument, resourceOf } from '../../src/model/resources.ts';
import { documentNames, documentText } from '../support/documents.ts';
import { projectRoot } from '../support/project.ts';

const root = projectRoot(import.meta.dirname);
const names = documentNames();

/** The text of a document without its fenced blocks. */
const proseOf = (name: string): string => documentText(name).replaceAll(/^```[\s\S]*?^```$/gm, '');

/** The anchor that a heading gets in a rendered document. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (name: string): string[] =>
  Array.from(proseOf(name).matchAll(/^#+ (.*)$/gm), ([, heading = '']) => anchorOf(heading));

t.test('every link leads to an existing file and heading', async (t) => {
  for (const name of names) {
    for (const [, link = ''] of proseOf(name).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(link)) continue;
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? name : path.posix.join(path.posix.dirname(name), file);
      t.ok(fs.existsSync(path.join(root, target)), `${name}: ${link}`);
      if (anchor !== undefined) t.ok(anchorsOf(target).includes(anchor), `${name}: ${link}`);
    }
  }
});

t.test('every document in docs is linked from another one', async (t) => {
  const linked = new Set(
    names.flatMap((name) =>
      Array.from(documentText(name).matchAll(/\]\(([^)\s#]+)/g), ([, link = '']) =>
        path.posix.join(path.posix.dirname(name), link),
      ),
    ),
  );
  for (const name of names) if (name.startsWith('docs/')) t.ok(linked.has(name), name);
});

t.test('git ignores what commands of the documents leave in this folder', async (t) => {
  const ignored = fs
    .readFileSync(path.join(root, '.gitignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const patterns = ignored.map(
    (line) =>
      new RegExp(
        `^${line
          .replace(/^\/|\/$/g, '')
          .replaceAll('.', '\\.')
          .replaceAll('*', '.*')}$`,
      ),
  );
  const left = /(?:--(?:out|to|docker|example|data)|-o|>>?|mapwright backup) ([a-z][\w./]*)(?= |$)/g;
  const found = names.flatMap((name) =>
    Array.from(documentText(name).matchAll(/^```sh\n([\s\S]*?)^```$/gm), ([, block = '']) => block)
      .flatMap((block) => block.split('\n'))
      .flatMap((line) => Array.from(line.matchAll(left), ([, word = '']) => ({ name, word: word.replace(/\/$/, '') }))),
  );
  t.ok(found.length > 15);
  // A backup is in its folder.
  for (const { name, word } of found)
    t.ok(
      patterns.some((pattern) => pattern.test(word) || pattern.test(path.posix.dirname(word))),
      `${name}: ${word}`,
    );
});

t.test('the README and the architecture stay short', async (t) => {
  for (const [name, most] of Object.entries({ 'README.md': 265, 'docs/architecture.md': 260, 'docs/performance.md': 150 })) {
    const lines = documentText(name).trimEnd().split('\n').length;
    t.ok(lines <= most, `${name} has ${lines} lines, at most ${most}`);
  }
});

t.test(
  'a line of a document has at most 120 characters, unless it is a table, code, or a single word, link or image',
  async (t) => {
    // The benchmark writes this page.
    for (const name of names.filter((name) => name !== 'bench/RESULTS.md')) {
      const isExempt = (line: string) =>
        line.startsWith('|') || /^\s*(?:[-*] |\d+\. )?(?:!?\[[^\]]*\]\(\S+\)\S*|\S+)$/.test(line);
      const long = proseOf(name)
        .split('\n')
        .filter((line) => line.length > 120 && !isExempt(line));
      t.strictSame(long, [], name);
    }
  },
);

t.test('every decision has a number, a date, what was rejected, consequences, and what would change it', async (t) => {
  const decisions = names.filter((name) => /^docs\/decisions\/\d/.test(name));
  t.ok(decisions.length >= 15);
  const index = documentText('docs/decisions/README.md');
  const links = Array.from(index.matchAll(/^\| \d{3} \| \[.*?\]\((.*?)\)/gm), ([, file = '']) => `docs/decisions/${file}`);
  t.strictSame(links, decisions);
  const part = '(?:(?!\\n## )[\\s\\S])+';
  for (const name of decisions) {
    const text = documentText(name);
    const number = path.basename(name).slice(0, 3);
    const form = new RegExp(
      `^# ${number}: (.+)\n\nDate: (\\d{4}-\\d{2}-\\d{2})\n\n## Context\n\n${part}\n\n## Decision\n\n${part}\n\n` +
        `## Rejected\n\n${part}\n\n## Consequences\n\n${part}\n\n## What would change our mind\n\n${part}$`,
    );
    const [, title, date] = form.exec(text) ?? [];
    t.ok(index.includes(`| ${number} | [${title}](${path.basename(name)}) | ${date} |`), name);
    const lines = text.trimEnd().split('\n').length;
    t.ok(lines <= 40, `${name} has ${lines} lines, at most 40`);
  }
});

t.test('every module and test that a document names exists', async (t) => {
  for (const name of ['docs/architecture.md', 'docs/reliability.md', 'docs/operations.md', 'docs/format.md', 'CONTRIBUTING.md']) {
    for (const [, file = ''] of proseOf(name).matchAll(/`((?:test|src|bench)\/[\w/.-]+)`/g)) {
      const found = ['', '.ts', '.test.ts'].some((end) => fs.existsSync(path.join(root, `${file}${end}`)));
      t.ok(found, `${name}: ${file}`);
    }
  }
});

t.test('every decision that is named by its number exists', async (t) => {
  const numbers = new Set(names.map((name) => /^docs\/decisions\/(\d{3})/.exec(name)?.[1]));
  for (const name of names) {
    // A link shows the number of the decision that it leads to.
    for (const [, shown, file] of documentText(name).matchAll(/\[(\d{3})\]\([^)]*?(\d{3})-[^)]*\)/g)) t.equal(shown, file, name);
    for (const [words] of documentText(name).matchAll(/\bdecisions?\s\d{3}(?:(?:,\s|\sand\s|\sto\s)\d{3})*/g))
      for (const [number] of words.matchAll(/\d{3}/g)) t.ok(numbers.has(number), `${name}: ${words}`);
  }
});

t.test('docs/api.md lists every event of the change feed', async (t) => {
  const isOrdered = (kind: string) => collectionNames.some((name) => resourceOf[name].kind === kind && !isBesideDocument(name));
  const rows = Array.from(documentText('docs/api.md').matchAll(/^ {2}\| `(\w+)` \| (`\.[^|]*`) \|$/gm), ([, kind, events]) => [
    kind,
    events,
  ]);
  const expected = eventKinds.map((kind) => [
    kind,
    `\`.created\` \`.updated\` \`.deleted\`${isOrdered(kind) ? ' `.reordered` `.placed`' : ''}${kind === 'object' ? ' `.moved`' : ''}`,
  ]);
  t.strictSame(rows, expected);
});
