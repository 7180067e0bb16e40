/**
 * The guide of a server: documents about the console, imports, live data and maps on any page, as web pages. They are found at `/docs/guide`, in the
 * look of the console, with the pictures of the documents.
 */
import fs from 'node:fs';
import path from 'node:path';
import { Marked } from 'marked';

const documents = ['console', 'import', 'live-data', 'viewer'];

/** The identifier of a chapter, as GitHub makes it: other documents link to these. */
const slugOf = (text) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/gu, '-');
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The name in one folder of a picture below `images`. */
const pictureName = (href) => path.posix.relative('images', href).replaceAll('/', '-');

/** A document: its title, what one can do after reading it, its chapters, and its HTML. */
function read(root, name, addressOf) {
  const source = fs.readFileSync(path.join(root, 'docs', `${name}.md`), 'utf8');
  const chapters = [];
  let title = '';
  const pictures = new Set();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const id = slugOf(text);
        const html = this.parser.parseInline(tokens);
        if (depth === 1) title = html;
        if (depth === 2) chapters.push({ id, html });
        return `<h${depth} id="${id}">${html}</h${depth}>\n`;
      },
      table(token) {
        const row = (cells, tag) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const isEmpty = token.header.every(({ text }) => text === '');
        const head = isEmpty
          ? ''
          : `<thead>${row(token.header, 'th scope="col"').replaceAll('</th scope="col">', '</th>')}</thead>`;
        // On a narrow screen a table scrolls, not the page.
        return `<div class="table" tabindex="0" role="group"><table>${head}<tbody>${token.rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>\n`;
      },
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      link({ href, tokens }) {
        return `<a href="${escaped(addressOf(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }) {
        pictures.add(href);
        return `<img src="${pictureName(href)}" alt="${escaped(text)}" loading="lazy">`;
      },
    },
  });
  const html = marked.parse(source);
  const about = /^After reading this page (.*?)\n\n/ms.exec(source.split('\n').slice(2).join('\n'))?.[1] ?? '';
  return { name, title, chapters, html, about: marked.parseInline(about.replaceAll('\n', ' ')), pictures };
}

const page = ({ title, style, body }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – mapwright</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
</head>
<body>
${body}
</body>
</html>
`;

/**
 * Writes the pages and their pictures into a folder.
 *
 * @param repository address of the sources, for documents that are not in the guide
 */
export function writeGuide(root, folder, repository) {
  const addressOf = (href) => {
    if (/^(?:https?:|mailto:|#)/.test(href)) return href;
    const [file = '', fragment] = href.split('#');
    const name = path.basename(file, '.md');
    const after = fragment === undefined ? '' : `#${fragment}`;
    if (documents.includes(name) && !file.includes('/')) return `${name}.html${after}`;
    return `${repository}/blob/main/${path.posix.normalize(`docs/${file}`)}${after}`;
  };
  const guide = documents.map((name) => read(root, name, addressOf));
  fs.mkdirSync(folder, { recursive: true });
  const links = (current, prefix) =>
    guide
      .map(({ name, title }) => `<a href="${prefix}${name}.html"${name === current ? ' aria-current="page"' : ''}>${title}</a>`)
      .join('\n');
  for (const { name, title, chapters, html, pictures } of guide) {
    const contents = chapters.map(({ id, html: chapter }) => `<li><a href="#${id}">${chapter}</a></li>`).join('\n');
    const body = `<header><a class="brand" href="../guide">mapwright</a><nav aria-label="Guide">${links(name, '')}</nav></header>
<main>
<nav class="contents" aria-label="Contents"><ul>
${contents}
</ul></nav>
<article>
${html}</article>
</main>`;
    fs.writeFileSync(path.join(folder, `${name}.html`), page({ title, style: 'guide.css', body }));
    for (const picture of pictures) {
      fs.copyFileSync(path.join(root, 'docs', picture), path.join(folder, pictureName(picture)));
    }
  }
  const list = guide.map(
    ({ name, title, about }) => `<li><a href="guide/${name}.html">${title}</a><p>After reading it ${about}</p></li>`,
  );
  const body = `<header><a class="brand" href="guide">mapwright</a><nav aria-label="Guide">${links('', 'guide/')}</nav></header>
<main><article><h1>Guide</h1>
<ul class="guide-list">
${list.join('\n')}
</ul>
<p>For programs: the <a href="../docs">reference of the API</a>.</p></article></main>`;
  fs.writeFileSync(path.join(folder, 'index.html'), page({ title: 'Guide', style: 'guide/guide.css', body }));
}
