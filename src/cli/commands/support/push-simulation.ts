/** Pushes what the sensors of the example office would say, until it is stopped. */
import { setTimeout as delay } from 'node:timers/promises';
import { simulateOffice } from '../../../lib/simulate-office.ts';
import { type ApiClient, jsonBody, jsonOf } from '../../api-client.ts';
import { UsageError } from '../../option-parsing.ts';

/** A data source of the office: the route of its response, by the name that the simulation uses. */
type SimulatedSources = ReadonlyMap<keyof ReturnType<typeof simulateOffice>, string>;

const everyMs = 1000;
const sourcesBytesMax = 16 * 1024 * 1024;

/** The data sources of an office. Throws a {@link UsageError} for a project that lacks one of them. */
export async function simulatedSources(client: ApiClient, projectId: string): Promise<SimulatedSources> {
  const route = `/projects/${encodeURIComponent(projectId)}/data-sources`;
  const listed = (await jsonOf(await client.ask('GET', `${route}?fields=name`), sourcesBytesMax)) as {
    id: string;
    name: string;
  }[];
  const names = Object.keys(simulateOffice(0)) as (keyof ReturnType<typeof simulateOffice>)[];
  const missing = names.filter((name) => !listed.some((source) => source.name === name));
  if (missing.length > 0) {
    throw new UsageError(
      `The project ${projectId} is no office of the examples: it has no data source ${missing.map((name) => `"${name}"`).join(', ')}. Leave out --project to load one.`,
    );
  }
  return new Map(
    names.map((name) => {
      const { id } = listed.find((source) => source.name === name) as { id: string };
      return [name, `${route}/${encodeURIComponent(id)}/response`];
    }),
  );
}

/** Pushes the simulated responses of each second. Resolves after the signal; rejects if the server refuses a push. */
export async function pushSimulation(client: ApiClient, sources: SimulatedSources, signal: AbortSignal): Promise<void> {
  const started = performance.now();
  while (!signal.aborted) {
    const responses = simulateOffice((performance.now() - started) / 1000);
    await Promise.all(
      [...sources].map(async ([name, route]) => (await client.ask('PUT', route, jsonBody(responses[name]))).resume()),
    );
    await delay(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
