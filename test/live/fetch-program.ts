/** A process that fetches URLs one after the other, and prints the outcomes: certificates of authorities are read when Node starts. */
import { fetchSource } from '../../src/live/sources/fetch-source.ts';
import { HostRules } from '../../src/live/sources/host-rules.ts';
import { parseSource } from '../../src/live/sources/source-request.ts';

const [hosts, ...urls] = process.argv.slice(2);
const outcomes: unknown[] = [];
for (const url of urls) {
  const parsed = parseSource({ url });
  if ('problem' in parsed) throw new Error(parsed.problem.detail);
  const options = { hosts: new HostRules(hosts), forbidden: () => [], timeoutMs: 30_000, bytesMax: 1000 };
  outcomes.push(await fetchSource(parsed.request, options));
}
console.log(JSON.stringify(outcomes));
