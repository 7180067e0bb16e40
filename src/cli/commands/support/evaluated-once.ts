/** The `live.json` of a folder: what data sources, variables and actions of a project make now. */
import { gunzipSync } from 'node:zlib';
import { runToEnd } from '../../../lib/async/run-to-end.ts';
import { askedSources } from '../../../live/evaluate/asked-sources.ts';
import type { Evaluation } from '../../../live/evaluate/evaluation.ts';
import type { OpenObject } from '../../../live/evaluate/open-json.ts';
import { hasUnusableResponse } from '../../../live/evaluate/unusable-responses.ts';
import { publicEvaluation } from '../../../live/runs/public-evaluation.ts';
import { type SourceAnswer, type SourcesState, stateOfSource, worseOf } from '../../../live/sources/source-freshness.ts';
import { newLiveSecret } from '../../../model/publication.ts';
import { type ApiClient, jsonBody, jsonOf, listOf } from '../../api-client.ts';

const documentBytesMax = 64 * 1024 * 1024;

/** A data source whose newest fetch failed, as the server describes it. */
interface FailingBody extends NonNullable<SourceAnswer['problem']>, Pick<SourceAnswer, 'body_at'> {
  readonly data_source_id: string;
  readonly published: boolean;
}

/** The present evaluation of a project in its public form, as JSON. */
export async function evaluatedOnce(client: ApiClient, id: string, version: number): Promise<string> {
  const route = `/projects/${encodeURIComponent(id)}`;
  const res = await client.ask('POST', `${route}/evaluate`, jsonBody({}));
  const evaluation = (await jsonOf(res, documentBytesMax)) as Evaluation;
  const now = new Date().toISOString();
  const variables = await listOf<OpenObject>(client, `${route}/variables`, documentBytesMax);
  const sources = await listOf<{ readonly id: string }>(client, `${route}/data-sources`, documentBytesMax);
  const asked = new Set(runToEnd(askedSources(variables, sources)).map((source) => source.id));
  const failing = await jsonOf(
    await client.ask('GET', `/failing-sources?project_id=${encodeURIComponent(id)}`),
    documentBytesMax,
  );
  const state = (failing as FailingBody[])
    .filter(({ data_source_id, published }) => !published && asked.has(data_source_id))
    .map(({ body_at, ...problem }) => stateOfSource({ body_at, problem }, true, 0))
    // A file does not know how old it is: viewers show its time unless another one replaces it.
    .reduce<SourcesState>(worseOf, { sources: 'stale', since: now });
  // A data source without any response has no value either.
  const isUnusable = hasUnusableResponse(
    { variables },
    Object.fromEntries([...asked].map((id) => [id, null])),
    evaluation.values,
  );
  const { gzip } = publicEvaluation(evaluation, { secret: newLiveSecret(), version, now, state }, undefined, isUnusable);
  return gunzipSync(gzip).toString();
}
