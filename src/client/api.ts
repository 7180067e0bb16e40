/**
 * What can be asked, and what with: types of requests and answers, taken from the generated ones. They are ours and not those of
 * openapi-fetch, which let a misspelt member pass that stands beside a right one.
 */
import type * as contract from './generated/contract.ts';
import type * as latest from './generated/latest.ts';

/** The API by the original that the server speaks (`serve --compat`). */
export interface Apis {
  readonly contract: { readonly paths: contract.paths; readonly schemas: contract.components['schemas'] };
  readonly latest: { readonly paths: latest.paths; readonly schemas: latest.components['schemas'] };
}
export type Compat = keyof Apis;

/** A path as it is declared (`/projects/{project_id}`), to what it has. */
export type PathsOf<C extends Compat> = Apis[C]['paths'];

export type Method = 'get' | 'post' | 'patch' | 'delete';

interface Operation {
  readonly parameters: object;
  readonly requestBody?: unknown;
  readonly responses:
    | { readonly 200: { readonly content: { readonly 'application/json': unknown } } }
    | { readonly 204: unknown };
}

/** Paths that have a method. Feeds are not among them: their answers have no end (see `changes`). */
export type PathsWith<Paths, M extends Method> = {
  [Path in keyof Paths & string]: Paths[Path] extends { readonly [Name in M]: Operation } ? Path : never;
}[keyof Paths & string];

export type OperationAt<Paths, Path extends keyof Paths, M extends Method> = Paths[Path] extends {
  readonly [Name in M]: infer Found extends Operation;
}
  ? Found
  : never;

type QueryOf<Op> = Op extends { readonly parameters: { readonly query?: infer Query } } ? NonNullable<Query> : never;

/** Paths of lists that come in pages. */
export type ListPaths<Paths> = {
  [Path in PathsWith<Paths, 'get'>]: 'cursor' extends keyof QueryOf<OperationAt<Paths, Path, 'get'>> ? Path : never;
}[PathsWith<Paths, 'get'>];

/** The body of a success; `undefined` where there is none. */
export type AnswerOf<Op> = Op extends {
  readonly responses: { readonly 200: { readonly content: { readonly 'application/json': infer Answer } } };
}
  ? Answer
  : undefined;

/** What a request carries; `never` where that is nothing. */
export type BodyOf<Op> = Op extends { readonly requestBody?: infer Carried } ? JsonIn<NonNullable<Carried>> : never;

type JsonIn<Carried> = Carried extends { readonly content: { readonly 'application/json': infer Sent } } ? Sent : never;

/** The same where nobody will change it: also for literals. */
export type Unchanged<T> = T extends object ? { readonly [Name in keyof T]: Unchanged<T[Name]> } : T;

/** What may be said of any request. */
export interface RequestOptions {
  /** Ends the request, and waiting for another attempt. For a time limit: `AbortSignal.timeout(10_000)`. */
  readonly signal?: AbortSignal | undefined;
  /** Further headers. Those that the API knows are in `params.header`. */
  readonly headers?: Readonly<Record<string, string>>;
}

type RequiredKeys<T> = { [Key in keyof T]-?: Record<never, never> extends Pick<T, Key> ? never : Key }[keyof T];

type Params<Op extends Operation> =
  RequiredKeys<Op['parameters']> extends never
    ? { readonly params?: Omit<Op['parameters'], 'cookie'> }
    : { readonly params: Omit<Op['parameters'], 'cookie'> };

type Body<Op extends Operation> = [BodyOf<Op>] extends [never]
  ? { readonly body?: never }
  : Op extends { readonly requestBody: unknown }
    ? { readonly body: BodyOf<Op> }
    : { readonly body?: BodyOf<Op> };

/** What is sent with a request: `params` (`path`, `query`, `header`) and `body`, each where the operation has any. */
export type Init<Op extends Operation> = Params<Op> & Body<Op> & RequestOptions;

/** The same as the last argument, which may be left out where nothing is needed. */
export type InitArguments<I> = RequiredKeys<I> extends never ? [init?: I] : [init: I];

// ---- `?fields=`

type Words<List extends string> = List extends `${infer Word},${infer Rest}` ? Word | Words<Rest> : List;

type OneWith<T, Fields extends string> = string extends Fields
  ? Partial<T> & Pick<T, keyof T & 'id'>
  : Pick<T, keyof T & (Words<Fields> | 'id')>;

/** An answer with those members only that `?fields=` names, if it does. */
export type With<Answer, Fields extends string> = [Fields] extends [never]
  ? Answer
  : Answer extends readonly (infer One)[]
    ? OneWith<One, Fields>[]
    : OneWith<Answer, Fields>;

/** What `?fields=` may be. */
export type FieldsOf<Op> = 'fields' extends keyof QueryOf<Op> ? string : never;

type NamesOf<Answer> = Answer extends readonly (infer One)[] ? NamesOf<One> : Answer extends unknown ? keyof Answer : never;

/** What a list of names in `?fields=` is checked against: nothing where it is not known when it is compiled. */
type Known<Fields extends string, Answer> = string extends Fields
  ? unknown
  : Words<Fields> extends NamesOf<Answer>
    ? unknown
    : 'a member that is there';

/** Where it stands: of names that are given as they are, each is one of a member of the answer. */
export interface FieldsInit<Fields extends string, Answer> {
  readonly params?: { readonly query?: { readonly fields?: Fields & Known<Fields, Answer> } };
}
