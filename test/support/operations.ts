/** The operations of the API, read from its description: for tests that send each of them. */
import { description } from './described.ts';

export interface Operation {
  /** `operationId`. */
  readonly id: string;
  readonly summary: string;
  readonly method: string;
  /** '' for those that need no key. */
  readonly prefix: '/v1' | '';
  /** Below the prefix, with parameters as `:project_id`. */
  readonly path: string;
  /** Names of its query parameters. */
  readonly query: readonly string[];
  /** It needs no right to write. */
  readonly isRead: boolean;
  /** Its answer has no end. */
  readonly isStream: boolean;
  readonly takesIfMatch: boolean;
  readonly takesIfNoneMatch: boolean;
  readonly body: OperationBody | undefined;
}

interface OperationBody {
  readonly isJson: boolean;
  readonly isOptional: boolean;
  readonly example: unknown;
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { readonly in?: string; readonly name?: string; readonly $ref?: string }[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly example?: unknown }>>;
  };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

/** They only compute. */
const readingWrites = ['evaluateProject'];

function operationOf(
  prefix: Operation['prefix'],
  path: string,
  method: string,
  { operationId: id, summary, parameters = [], requestBody, responses }: Described,
): Operation {
  const json = requestBody?.content['application/json'];
  const takes = (name: string): boolean => parameters.some(({ $ref }) => $ref?.endsWith(`/${name}`) === true);
  return {
    ...{ id, summary, method: method.toUpperCase(), prefix, path: path.replaceAll(/\{(\w+)\}/g, ':$1') },
    query: parameters.flatMap(({ in: place, name }) => (place === 'query' && name !== undefined ? [name] : [])),
    isRead: method === 'get' || readingWrites.includes(id),
    isStream: responses['200']?.content?.['text/event-stream'] !== undefined,
    ...{ takesIfMatch: takes('IfMatch'), takesIfNoneMatch: takes('IfNoneMatch') },
    body: requestBody && {
      isJson: json !== undefined,
      isOptional: requestBody.required !== true,
      example: json?.example,
    },
  };
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** All of them, also those that need no key. */
export const everyOperation: readonly Operation[] = Object.entries(
  description().document['paths'] as unknown as Readonly<Record<string, Readonly<Record<string, Described>>>>,
).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, described]) =>
    methods.includes(method) ? [operationOf('servers' in item ? '' : '/v1', path, method, described)] : [],
  ),
);

/** Those below `/v1`. */
export const operations = everyOperation.filter(({ prefix }) => prefix === '/v1');
