/**
 * The API reference as an HTML page, generated only from the OpenAPI description (`openapi.ts`). It is readable without a script. The
 * script adds a search and a form for requests.
 */
import type { JsonObject } from '../openapi-schemas.ts';
import { type Content, html, type Markup, marked, paragraphs } from './markup.ts';
import { anchorOf, type DocumentedOperation, operationArticle, operationsIn } from './operation.ts';
import { membersOf, type Named, objectIn, objectsIn, textIn, titleOf } from './schema.ts';

interface PageOptions {
  /** The OpenAPI description. */
  readonly document: JsonObject;
  readonly style: string;
  readonly script: string;
}

/** A pin on a board, inline, so that it needs no URL. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0f766e"/><path d="M8 3a3.4 3.4 0 0 0-3.4 3.4C4.6 9 8 13 8 13s3.4-4 3.4-6.6A3.4 3.4 0 0 0 8 3z" fill="#fff"/><circle cx="8" cy="6.4" r="1.3" fill="#0f766e"/></svg>',
)}`;

export function pageOf({ document, style, script }: PageOptions): string {
  const { info, tags, components } = document;
  const { title, summary, description, version } = objectIn(info);
  const named = objectIn(objectIn(components)['schemas']) as Named;
  const operations = operationsIn(document);
  const groups = objectsIn(tags).map((tag) => {
    const name = textIn(tag['name']);
    return { name, about: textIn(tag['description']), operations: operations.filter((each) => each.tag === name) };
  });
  const head = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${textIn(title)} API reference</title>
<link rel="icon" href="${icon}">
<style>`;
  const body = html`</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<aside>
<header><a href="#top" class="name">${textIn(title)}</a> <small>${textIn(version)}</small>
<button type="button" class="menu" aria-expanded="false" aria-controls="menu">Menu</button></header>
<div id="menu">
<input type="search" id="filter" placeholder="Filter ( / )" aria-label="Filter operations and schemas" autocomplete="off" spellcheck="false">
<nav aria-label="Operations and schemas">${groups.map(navigation)}${schemaNavigation(named)}</nav>
</div>
</aside>
<main id="content">
<section class="intro" id="top">
<h1>${textIn(title)} API</h1>
<p class="lead">${textIn(summary)}</p>
${paragraphs(textIn(description))}
<form class="start">
<p><span>Base address</span> <code class="base">/api/v1</code></p>
<p class="scripted"><label for="key">API key</label> <input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="mw_..."> <small>for the requests that you make from this page; kept in this tab, until you close it</small></p>
<p><span>For programs</span> <a href="openapi.json">openapi.json</a> (OpenAPI ${textIn(document['openapi'])})</p>
</form>
</section>
${groups.map(({ name, about, operations }) => {
  const articles = operations.map((operation) => operationArticle(operation, named));
  return html`<section class="group" id="${groupAnchor(name)}">
<h2>${name}</h2>
<p>${marked(about)}</p>
${articles}</section>`;
})}
<section class="group" id="refusals">
<h2>Refusals</h2>
<p>Each is an <code>application/problem+json</code> document, a <a href="#schema-Problem">Problem</a>, and says what to do.</p>
<dl class="members">${refusals(objectIn(objectIn(components)['responses']))}</dl>
</section>
<section class="group" id="schemas">
<h2>Schemas</h2>
<p>What bodies may hold and what responses show. The schemas of this page are those of <a href="openapi.json">openapi.json</a>, by which every request is checked.</p>
${schemaArticles(named, operations)}
</section>
</main>
<script>`;
  // Style and script are not escaped: they come from this package, and only their end tags end these elements.
  return `${head.text}${style}${body.text}${script}</script>\n</body>\n</html>\n`;
}

interface Group {
  readonly name: string;
  readonly operations: readonly DocumentedOperation[];
}

const groupAnchor = (name: string): string => `group-${name.toLowerCase().replaceAll(' ', '-')}`;

const navigation = ({ name, operations }: Group): Markup => html`
<section><h2><a href="#${groupAnchor(name)}">${name}</a></h2>
<ul>${operations.map(
  ({ method, path, summary, id }) =>
    html`<li data-words="${`${method} ${path} ${summary} ${id}`.toLowerCase()}"><a href="#${anchorOf(id)}"><b class="${method.toLowerCase()}">${method}</b> ${summary}</a></li>`,
)}</ul></section>`;

const schemaNavigation = (named: Named): Markup => html`
<section><h2><a href="#refusals">Refusals</a></h2></section>
<section><h2><a href="#schemas">Schemas</a></h2>
<ul>${Object.keys(named).map((title) => html`<li data-words="schema ${title.toLowerCase()}"><a href="#schema-${title}">${title}</a></li>`)}</ul></section>`;

const refusals = (responses: JsonObject): Markup[] =>
  Object.entries(responses).map(([name, response]) => {
    const { description, headers } = objectIn(response);
    const more = Object.keys(objectIn(headers)).filter((header) => header !== 'X-Request-Id');
    const carried: Content = more.length === 0 ? undefined : html` <small>with ${more.join(', ')}</small>`;
    return html`<div class="member" id="${name}"><dt><code>${name.replace(/\D/g, '')}</code>${carried}</dt><dd>${marked(textIn(description))}</dd></div>`;
  });

/** Titles of all request schemas and of the schemas in them. */
function askedTitles(operations: readonly DocumentedOperation[], named: Named): Set<string> {
  const asked = new Set<string>();
  const walk = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const title = titleOf(schema as JsonObject);
    if (title === undefined) for (const inner of Object.values(schema)) walk(inner);
    else if (!asked.has(title)) {
      asked.add(title);
      walk(named[title]);
    }
  };
  for (const { body } of operations) walk(body?.schema);
  return asked;
}

function schemaArticles(named: Named, operations: readonly DocumentedOperation[]): Markup[] {
  const asked = askedTitles(operations, named);
  return Object.entries(named).map(
    ([title, schema]) => html`<article class="schema" id="schema-${title}">
<h3><a href="#schema-${title}">${title}</a></h3>
<p>${marked(textIn(schema['description']))}</p>
${membersOf(schema, asked.has(title))}
</article>`,
  );
}
