/** What tests of the console's changes need without a browser and a server: timers that the test runs, failures, a server in memory. */
import type { Test } from 'tap';
import { ConnectionError, createClient, ProblemError } from '../../src/web/client/client.ts';
import { type BatchOperation, ProjectApi, type Versioned } from '../../src/web/console/project/project-api.ts';
import type { Members, Resource, ResourceRef } from '../../src/web/console/project/resource-kinds.ts';

interface FakeTimer {
  readonly run: () => void;
  readonly ms: number;
}

/** Timers that are set and neither run nor cleared, by their number. */
export function fakeTimers(t: Test): Map<number, FakeTimer> {
  const pending = new Map<number, FakeTimer>();
  const { setTimeout: original, clearTimeout: originalClear } = globalThis;
  t.teardown(() => Object.assign(globalThis, { setTimeout: original, clearTimeout: originalClear }));
  let count = 0;
  Object.assign(globalThis, {
    setTimeout: (run: () => void, ms: number) => {
      const id = ++count;
      pending.set(id, {
        ms,
        run: () => {
          pending.delete(id);
          run();
        },
      });
      return id;
    },
    clearTimeout: (id: number) => pending.delete(id),
  });
  return pending;
}

export const noAnswer = (): ConnectionError => new ConnectionError('PATCH /', new Error('no route'));

export const refusal = (
  status: number,
  detail: string,
  code: ProblemError['code'] = 'bad_request',
  errors: ProblemError['errors'] = [],
): ProblemError => new ProblemError('PATCH /', new Response(null, { status }), { code, detail, errors });

/** Resources by identifier, with versions as a server gives them. A failure in `failures` is thrown by the next write, once. */
export class MemoryApi extends ProjectApi {
  readonly resources = new Map<string, { value: Resource; version: string }>();
  readonly sent: { readonly id: string; readonly body: Members; readonly version: string }[] = [];
  readonly keys: (string | undefined)[] = [];
  readonly failures: Error[] = [];
  /** Awaited before each write is executed. */
  before: () => Promise<void> | void = () => undefined;
  #version = 0;

  constructor() {
    super(createClient({ baseUrl: 'http://127.0.0.1:1' }), 'p');
  }

  /** Writes as another user. */
  write(value: Resource): Versioned<Resource> {
    const written = { value, version: `"h-${(++this.#version).toString(36)}"` };
    this.resources.set(value.id, written);
    return written;
  }

  override async read({ id }: ResourceRef): Promise<Versioned<Resource>> {
    const found = this.resources.get(id);
    if (found === undefined) throw refusal(404, 'gone', 'not_found');
    return found;
  }

  override async list(): Promise<string[]> {
    return [...this.resources.keys()];
  }

  override async patch(ref: ResourceRef, body: Members, version: string): Promise<Versioned<Resource>> {
    this.sent.push({ id: ref.id, body, version });
    await this.before();
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    const found = await this.read(ref);
    if (found.version !== version) throw refusal(412, 'changed', 'precondition_failed');
    return this.write({ ...found.value, ...body });
  }

  override async batch(operations: readonly BatchOperation[], key?: string): Promise<Versioned<(Resource | undefined)[]>> {
    this.keys.push(key);
    await this.before();
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    const value = operations.map((operation) => {
      if (operation.method === 'POST') return this.write({ ...operation.body, id: `new${this.#version}` }).value;
      if (operation.method === 'PATCH')
        return this.write({ id: operation.at.id, ...this.resources.get(operation.at.id)?.value, ...operation.body }).value;
      this.resources.delete(operation.at.id);
      return undefined;
    });
    return { value, version: `"h-${this.#version.toString(36)}"` };
  }
}
