/**
 * Types of requests and responses, derived from the generated ones. They replace those of openapi-fetch, which accept a misspelt member
 * next to a correct one.
 */
export type { Paths } from './generated/api-types.ts';

export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

interface Operation {
  readonly parameters: object;
  readonly requestBody?: unknown;
  readonly responses:
    | { readonly 200: { readonly content: { readonly 'application/json': unknown } | { readonly 'text/csv': string } } }
    | { readonly 204: unknown };
}

/** Paths with a method. Excludes event feeds, whose responses do not end (see `changes`). */
export type PathsWith<Paths, M extends HttpMethod> = {
  [Path in keyof Paths & string]: Paths[Path] extends { readonly [Name in M]: Operation } ? Path : never;
}[keyof Paths & string];

export type OperationAt<Paths, Path extends keyof Paths, M extends HttpMethod> = Paths[Path] extends {
  readonly [Name in M]: infer Found extends Operation;
}
  ? Found
  : never;

type QueryOf<Op> = Op extends { readonly parameters: { readonly query?: infer Query } } ? NonNullable<Query> : never;

/** Paths of paged lists. */
export type ListPaths<Paths> = {
  [Path in PathsWith<Paths, 'get'>]: 'cursor' extends keyof QueryOf<OperationAt<Paths, Path, 'get'>> ? Path : never;
}[PathsWith<Paths, 'get'>];

/** The body of a successful response; `undefined` if there is none. */
export type ResponseOf<Op> = Op extends {
  readonly responses: { readonly 200: { readonly content: { readonly 'application/json': infer Answer } } };
}
  ? Answer
  : Op extends { readonly responses: { readonly 200: { readonly content: { readonly 'text/csv': infer Table } } } }
    ? Table
    : undefined;

/** The body of a request; `never` if there is none. */
export type BodyOf<Op> = Op extends { readonly requestBody?: infer Carried } ? SentIn<NonNullable<Carried>> : never;

type SentIn<Carried> = Carried extends { readonly content: infer Content } ? Content[keyof Content] : never;

/** The same type, read-only at all levels, so that it also accepts literals. */
export type Unchanged<T> = T extends object ? { readonly [Name in keyof T]: Unchanged<T[Name]> } : T;

/** Options of every request. */
export interface RequestOptions {
  /** Cancels the request, including its retries. For a timeout: `AbortSignal.timeout(10_000)`. */
  readonly signal?: AbortSignal | undefined;
  /** Further headers. Headers declared by the API belong into `params.header`. */
  readonly headers?: Readonly<Record<string, string>>;
}

type RequiredKeys<T> = { [Key in keyof T]-?: Record<never, never> extends Pick<T, Key> ? never : Key }[keyof T];

type Params<Op extends Operation> =
  RequiredKeys<Op['parameters']> extends never ? { readonly params?: Op['parameters'] } : { readonly params: Op['parameters'] };

type Body<Op extends Operation> = [BodyOf<Op>] extends [never]
  ? { readonly body?: never }
  : Op extends { readonly requestBody: unknown }
    ? { readonly body: BodyOf<Op> }
    : { readonly body?: BodyOf<Op> };

/** Arguments of a request: `params` (`path`, `query`, `header`) and `body`, as far as the operation has them. */
export type Init<Op extends Operation> = Params<Op> & Body<Op> & RequestOptions;

/** The last parameter of a function; optional if no member is required. */
export type InitArguments<I> = RequiredKeys<I> extends never ? [init?: I] : [init: I];

// ---- `?fields=`

type Words<List extends string> = List extends `${infer Word},${infer Rest}` ? Word | Words<Rest> : List;

type OneWith<T, Fields extends string> = string extends Fields
  ? Partial<T> & Pick<T, keyof T & 'id'>
  : Pick<T, keyof T & (Words<Fields> | 'id')>;

/** A response restricted to the members in `?fields=`, if given. */
export type With<Answer, Fields extends string> = [Fields] extends [never]
  ? Answer
  : Answer extends readonly (infer One)[]
    ? OneWith<One, Fields>[]
    : OneWith<Answer, Fields>;

/** The type of `?fields=`. */
export type FieldsOf<Op> = 'fields' extends keyof QueryOf<Op> ? string : never;

type NamesOf<Answer> = Answer extends readonly (infer One)[] ? NamesOf<One> : Answer extends unknown ? keyof Answer : never;

/** Checks the names in a literal `?fields=`; accepts any string that is unknown at compile time. */
type Known<Fields extends string, Answer> = string extends Fields
  ? unknown
  : Words<Fields> extends NamesOf<Answer>
    ? unknown
    : 'a member that is there';

/** Checks that each name in a literal `?fields=` is a member of the response. */
export interface FieldsInit<Fields extends string, Answer> {
  readonly params?: { readonly query?: { readonly fields?: Fields & Known<Fields, Answer> } };
}
