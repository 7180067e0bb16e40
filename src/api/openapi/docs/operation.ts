/** One operation on the reference page: its parameters, bodies and responses, each with an example. */
import type { Json, JsonObject } from '../openapi-schemas.ts';
import { html, type Markup, marked, paragraphs } from './markup.ts';
import { memberRow, membersOf, type Named, objectIn, objectsIn, schemaSample, textIn, titleOf, typeOf } from './schema.ts';

interface Content {
  readonly type: string;
  readonly schema: JsonObject;
  readonly example: Json | undefined;
}

export interface DocumentedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** The path is relative to the server, not to the API. */
  readonly isOutside: boolean;
  readonly parameters: readonly JsonObject[];
  readonly body: (Content & { readonly isRequired: boolean }) | undefined;
  /** By status. */
  readonly responses: readonly { readonly status: string; readonly description: string; readonly content: Content | undefined }[];
  /** Names of the problem responses in the components of the description. */
  readonly refusals: readonly string[];
}

/** All operations of a description, in its order. */
export function operationsIn(document: JsonObject): DocumentedOperation[] {
  const components = objectIn(document['components']);
  const examples = new Map<string, Json>();
  const operations: DocumentedOperation[] = [];
  for (const [path, item] of Object.entries(objectIn(document['paths']))) {
    const { parameters: ofPath, servers, ...methods } = objectIn(item);
    for (const [method, value] of Object.entries(methods)) {
      const operation = objectIn(value);
      const named = (parameter: JsonObject): JsonObject => {
        const title = titleOf(parameter);
        return title === undefined ? parameter : objectIn(objectIn(components['parameters'])[title]);
      };
      const described = Object.entries(objectIn(operation['responses'])).map(
        ([status, response]) => [status, objectIn(response)] as const,
      );
      const body = objectIn(operation['requestBody']);
      const sent = contentOf(body);
      const responses = described
        .filter(([, response]) => titleOf(response) === undefined)
        .map(([status, response]) => ({ status, description: textIn(response['description']), content: contentOf(response) }));
      for (const { content } of responses) {
        const title = content && titleOf(content.schema);
        if (title !== undefined && content?.example !== undefined && !examples.has(title)) examples.set(title, content.example);
      }
      operations.push({
        id: textIn(operation['operationId']),
        method: method.toUpperCase(),
        path,
        tag: textIn(objectTexts(operation['tags'])[0]),
        summary: textIn(operation['summary']),
        description: textIn(operation['description']),
        isOutside: servers !== undefined,
        parameters: [...objectsIn(ofPath), ...objectsIn(operation['parameters']).map(named)],
        body: sent && { ...sent, isRequired: body['required'] === true },
        responses,
        refusals: described.flatMap(([, response]) => titleOf(response) ?? []),
      });
    }
  }
  // The response of one operation is an example for every other operation with the same response.
  return operations.map((operation) => ({
    ...operation,
    responses: operation.responses.map(({ content, ...response }) => ({
      ...response,
      content: content && { ...content, example: content.example ?? examples.get(titleOf(content.schema) ?? '') },
    })),
  }));
}

const objectTexts = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

function contentOf(of: JsonObject): Content | undefined {
  const [first] = Object.entries(objectIn(of['content']));
  if (first === undefined) return undefined;
  const { schema, example } = objectIn(first[1]);
  return { type: first[0], schema: objectIn(schema), example };
}

export const anchorOf = (id: string): string => `operation-${id}`;

/** Parameters beyond this number are collapsed. */
const parametersShown = 6;

export function operationArticle(operation: DocumentedOperation, named: Named): Markup {
  const { id, method, path, summary, description, isOutside, parameters, body, responses, refusals } = operation;
  const tableOf = (place: string, words: string): Markup | undefined => {
    const here = parameters.filter((parameter) => parameter['in'] === place);
    return here.length === 0 ? undefined : html`<h4>${words}</h4>${parameterTable(here)}`;
  };
  return html`<article class="operation" id="${anchorOf(id)}" data-method="${method}" data-path="${path}"${isOutside ? html` data-outside` : undefined}>
<div class="words">
<h3><a href="#${anchorOf(id)}">${summary}</a></h3>
<p class="address"><b class="${method.toLowerCase()}">${method}</b> <code>${addressOf(path)}</code></p>
${paragraphs(description)}
${tableOf('path', 'In the path')}
${body === undefined ? undefined : bodyTable(body, named)}
${tableOf('query', 'Query')}
${tableOf('header', 'Headers')}
<h4>Responses</h4>
<dl class="members">${responses.map(
    ({ status, description, content }) =>
      html`<div class="member"><dt><code class="good">${status}</code> <span class="type">${content && typeOf(content.schema)}</span></dt><dd>${marked(description)}</dd></div>`,
  )}</dl>
${refusals.length === 0 ? undefined : html`<p class="refusals">Refusals ${refusals.map((name) => html`<a href="#${name}">${name.replace(/\D/g, '')}</a> `)}</p>`}
</div>
<div class="samples">
${curlOf(operation, named)}
${responseSample(operation, named)}
<details class="try scripted"><summary>Try it</summary><form></form></details>
</div>
</article>
`;
}

/** The path with its parameters marked. */
const addressOf = (path: string): Markup[] =>
  path.split(/(\{\w+\})/).map((part) => (part.startsWith('{') ? html`<i>${part}</i>` : html`${part}`));

function parameterTable(parameters: readonly JsonObject[]): Markup {
  const rows = parameters.map((parameter) => {
    const { name, in: place, description, required, schema } = parameter;
    return memberRow({
      name: textIn(name),
      schema: objectIn(schema),
      description,
      isRequired: required === true,
      place: html` data-in="${textIn(place)}" data-name="${textIn(name)}"`,
    });
  });
  const more = rows.slice(parametersShown);
  const collapsed = html`<details><summary>and ${more.length} more</summary><dl class="members">${more}</dl></details>`;
  return html`<dl class="members">${rows.slice(0, parametersShown)}</dl>${more.length === 0 ? undefined : collapsed}`;
}

function bodyTable({ schema, type, isRequired }: NonNullable<DocumentedOperation['body']>, named: Named): Markup {
  const whole = named[titleOf(schema) ?? ''] ?? schema;
  return html`<h4>Body <span class="type">${typeOf(schema)}</span> <small>${type}${isRequired ? undefined : ', may be left out'}</small></h4>
<p>${marked(textIn(whole['description']))}</p>
<details open class="body"><summary>members</summary>${membersOf(whole, true)}</details>`;
}

const token = /("(?:\\.|[^"\\])*")(:?)|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;

/** JSON with colours for names, strings and other values. */
function coloured(text: string): Markup {
  const pieces: Markup[] = [];
  let at = 0;
  for (const found of text.matchAll(token)) {
    const [all, string, colon] = found;
    pieces.push(html`${text.slice(at, found.index)}`);
    if (string === undefined) pieces.push(html`<var>${all}</var>`);
    else pieces.push(colon === '' ? html`<s>${string}</s>` : html`<u>${string}</u>:`);
    at = found.index + all.length;
  }
  return html`${[...pieces, html`${text.slice(at)}`]}`;
}

const pretty = (value: Json): string => JSON.stringify(value, null, 2);

/** The request as a shell command. If the server's URL is unknown, the script of the page inserts its own. */
function curlOf(operation: DocumentedOperation, named: Named): Markup {
  const { method, path, isOutside, body } = operation;
  const base = html`<span class="base"${isOutside ? html` data-outside` : undefined}>${isOutside ? '' : '/api/v1'}</span>`;
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const sample = body === undefined ? undefined : pretty(body.example ?? schemaSample(body.schema, named));
  const key = isOutside ? undefined : html` \\\n  -H "Authorization: Bearer $MAPWRIGHT_KEY"`;
  const verb = method === 'GET' || method === 'POST' ? '' : ` -X ${method}`;
  const data =
    sample === undefined
      ? undefined
      : html` \\\n  -H 'Content-Type: application/json' \\\n  -d '<span class="sent">${coloured(sample.replaceAll("'", "'\\''"))}</span>'`;
  const bare = method === 'POST' && sample === undefined ? ' -X POST' : verb;
  return sampleFigure('Request', html`curl${bare} "${base}${address}"${key}${data}`, 'request');
}

function responseSample({ responses }: DocumentedOperation, named: Named): Markup | undefined {
  const [response] = responses;
  if (response?.content === undefined) return undefined;
  const { type, schema, example } = response.content;
  if (!type.endsWith('json')) return undefined;
  return sampleFigure(`Response ${response.status}`, coloured(pretty(example ?? schemaSample(schema, named))), 'answer');
}

const sampleFigure = (title: string, content: Markup, kind: string): Markup =>
  html`<figure class="${kind}"><figcaption>${title} <button type="button" class="copy scripted">Copy</button></figcaption><pre><code>${content}</code></pre></figure>`;
