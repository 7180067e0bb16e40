// tier: all
/** `openapi.json` equals the description of the program, and two independent validators accept it. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import t, { type Test } from 'tap';
import { openapiOf } from '../../src/api/openapi/openapi.ts';
import type { JsonObject } from '../../src/api/openapi/openapi-schemas.ts';
import { temporaryFolder } from '../support/process.ts';
import { projectRoot } from '../support/project.ts';

const root = projectRoot(import.meta.dirname);

t.test('two validators accept the OpenAPI description', async (t) => {
  t.strictSame(await validated(t, openapiOf({ version: '1.0.0' })), [true, true]);
});

t.test('two validators refuse an invalid OpenAPI description', async (t) => {
  const document = openapiOf({ version: '1.0.0' });
  const { responses: _, ...less } = document['components'] as JsonObject;
  t.strictSame(await validated(t, { ...document, paths: { projects: {} } }), [false, false]);
  t.strictSame((await validated(t, { ...document, components: less }))[1], false, 'a reference to nothing');
});

/** What each of them says. */
async function validated(t: Test, document: JsonObject): Promise<[boolean, boolean]> {
  const first = await new Validator().validate(structuredClone(document));
  const file = path.join(temporaryFolder(t), 'openapi.json');
  fs.writeFileSync(file, JSON.stringify(document));
  const cli = path.join(root, 'node_modules', '.bin', 'redocly');
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const second = await new Promise<boolean>((resolve) => {
    execFile(process.execPath, [cli, 'lint', '--extends=spec', file], { env }, (error, stdout, stderr) => {
      if (error !== null) t.comment(`${stdout}${stderr}`.slice(0, 2000));
      resolve(error === null);
    });
  });
  return [first.valid, second];
}
