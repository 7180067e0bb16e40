/** Every error class that the package exports has a stable code, and docs/embedding.md and docs/client.md name it. */
import fs from 'node:fs';
import path from 'node:path';
import t from 'tap';
import * as embedding from '../../src/index.ts';
import * as client from '../../src/web/client/client.ts';
import { projectRoot } from '../support/project.ts';

const isErrorClass = (value: unknown): value is { readonly prototype: Error } =>
  typeof value === 'function' && value.prototype instanceof Error;

/** One error of each class, and all of its codes. */
const { CorruptError, FolderError, FolderInUseError, FolderReplacedError, OperationError, StoppedError } = embedding;
const samples: Readonly<Record<string, readonly [error: Error, codes: readonly string[]]>> = {
  CorruptError: [new CorruptError('a.segment', 0, 'zeros'), ['corrupt']],
  FolderError: [new FolderError('no'), ['folder_unusable']],
  FolderInUseError: [new FolderInUseError('no'), ['folder_in_use']],
  FolderReplacedError: [new FolderReplacedError('no'), ['folder_replaced']],
  OperationError: [new OperationError('no'), ['validation_failed', 'not_found', 'conflict']],
  StoppedError: [new StoppedError('no'), ['stopped']],
  ProblemError: [new client.ProblemError('GET /', new Response(), { code: 'not_found', detail: 'no' }), []],
  ConnectionError: [new client.ConnectionError('GET /', new Error('no')), ['no_response']],
};

const text = (name: string): string => fs.readFileSync(path.join(projectRoot(import.meta.dirname), 'docs', name), 'utf8');

for (const [exported, document] of [
  [embedding, text('embedding.md')],
  [client, text('client.md')],
] as const) {
  t.test('each exported error class has a code, and its document names it', async (t) => {
    const names = Object.entries(exported).flatMap(([name, value]) => (isErrorClass(value) ? [name] : []));
    t.not(names.length, 0);
    for (const name of names) {
      const [error, codes] = samples[name] ?? [undefined, []];
      t.equal(error?.name, name, 'its name');
      t.match((error as { code?: unknown } | undefined)?.code, /^[a-z_]+$/, `${name} has a code`);
      const line = document.split('\n').find((one) => one.includes(`\`${name}\``));
      for (const code of codes) t.ok(line?.includes(`\`${code}\``), `${name}: the document names ${code}`);
    }
  });
}

t.test('an error class has the code of its cause', async (t) => {
  for (const code of ['validation_failed', 'not_found', 'conflict'] as const) t.equal(new OperationError('no', code).code, code);
  const unusable: unknown[] = [new FolderError(''), new FolderInUseError(''), new FolderReplacedError('')];
  t.ok(unusable.every((error) => error instanceof FolderError));
});
