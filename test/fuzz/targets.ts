/** Every target by name. Each is made when it is needed, and cleans up after itself. */
import type { Test } from 'tap';
import type { Target } from './target.ts';
import { authorization } from './targets/authorization.ts';
import { batch } from './targets/batch.ts';
import { body } from './targets/body.ts';
import { config } from './targets/config.ts';
import { control } from './targets/control.ts';
import { document } from './targets/document.ts';
import { documentFiles } from './targets/document-files.ts';
import { evaluation } from './targets/evaluation.ts';
import { fileTargets } from './targets/files.ts';
import { http } from './targets/http.ts';
import { json } from './targets/json.ts';
import { log } from './targets/log.ts';
import { query } from './targets/query.ts';
import { record } from './targets/record.ts';
import { router } from './targets/router.ts';
import { snapshot } from './targets/snapshot.ts';

type Make = (t: Pick<Test, 'teardown'>) => Target | Promise<Target>;

export const targets: Readonly<Record<string, Make>> = {
  log,
  record,
  snapshot,
  json,
  query,
  router,
  authorization,
  batch,
  body,
  config,
  control,
  document,
  'document-files': documentFiles,
  evaluation,
  http,
  ...fileTargets,
};
