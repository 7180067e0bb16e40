/** The Grafana dashboard and the alert rules: their metrics exist, and Grafana can import the dashboard. */
import fs from 'node:fs';
import path from 'node:path';
import { Registry } from 'prom-client';
import t, { type Test } from 'tap';
import { NodeTelemetry } from '../../src/cluster/node/node-telemetry.ts';
import { MetricBuilder } from '../../src/server/telemetry/metric-helpers.ts';
import { type Family, parseExposition } from '../support/exposition.ts';
import { silent, startMapwright } from '../support/mapwright.ts';
import { projectRoot } from '../support/project.ts';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[];
}

interface Dashboard {
  readonly id: null;
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string; readonly query: unknown }[] };
  readonly __requires: readonly { readonly type: string; readonly id: string }[];
}

const root = projectRoot(import.meta.dirname);
const folder = path.join(root, 'data/templates/grafana');
const read = (name: string): string => fs.readFileSync(path.join(folder, name), 'utf8');
const dashboard = JSON.parse(read('mapwright.json')) as Dashboard;
const rules = read('alerts.yml');

/** Labels that Prometheus adds. */
const added = ['job', 'instance'];

/** Metrics and labels of an expression that are not there. */
function unknownIn(expr: string, families: ReadonlyMap<string, Family>): string[] {
  const faults: string[] = [];
  const labels = new Set(added);
  for (const [name] of expr.matchAll(/\b(?:mapwright|process|nodejs)_\w+/g)) {
    const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''));
    const samples = family?.samples.filter((sample) => sample.name === name) ?? [];
    if (samples.length === 0) faults.push(name);
    for (const sample of samples) for (const label of Object.keys(sample.labels)) labels.add(label);
  }
  const grouped = [...expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */));
  const matched = [...expr.matchAll(/[{,](\w+)=~?"/g)].map(([, label = '']) => label);
  return [...faults, ...[...grouped, ...matched].filter((label) => !labels.has(label))];
}

/** What keeps Grafana from importing a dashboard, or makes panels cover each other. */
function faultsOf({ id, panels, templating, __requires }: Dashboard): string[] {
  const faults: string[] = [];
  if (id !== null) faults.push('it claims a place of its own');
  if (!templating.list.some(({ name, type, query }) => name === 'datasource' && type === 'datasource' && query === 'prometheus'))
    faults.push('no choice of a data source');
  const ids = new Set(panels.map((panel) => panel.id));
  if (ids.size !== panels.length) faults.push('an id twice');
  const taken = new Set<string>();
  for (const { type, title, gridPos, datasource, targets = [] } of panels) {
    const { x, y, w, h } = gridPos;
    if (x < 0 || w < 1 || h < 1 || x + w > 24) faults.push(`${title} leaves the grid`);
    for (let column = x; column < x + w; column++) {
      for (let line = y; line < y + h; line++) {
        if (taken.has(`${column} ${line}`)) faults.push(`${title} covers another`);
        taken.add(`${column} ${line}`);
      }
    }
    if (type === 'row') continue;
    if (datasource?.uid !== '$' + '{datasource}') faults.push(`${title} has a data source of its own`);
    if (!__requires.some((required) => required.type === 'panel' && required.id === type)) faults.push(`${type} is not required`);
    if (targets.length === 0 || new Set(targets.map(({ refId }) => refId)).size !== targets.length)
      faults.push(`${title}: targets`);
  }
  return [...new Set(faults)];
}

/** What a node of a cluster adds. */
async function nodeFamilies(t: Test): Promise<Map<string, Family>> {
  const telemetry = new NodeTelemetry({
    ...{ leaseMs: 3_000, stallMs: 5_000, log: silent },
    role: () => 'owner',
    shards: () => [
      { shard: 0, lsn: 0, newestLsn: 0, leaseLeftMs: 3_000, lossReason: '', append: undefined, cacheError: undefined },
    ],
    forwarder: () => ({ counters: { requests: 0, failures: { no_owner: 0, owner_lost: 0, broken: 0 } }, inFlight: 0 }),
    probe: async () => undefined,
  });
  t.teardown(() => telemetry.close());
  const registry = new Registry();
  telemetry.addMetrics(new MetricBuilder(registry));
  return parseExposition(await registry.metrics());
}

t.test('every metric and label of the dashboard and the rules exists in /metrics', async (t) => {
  const backup = { dir: fs.mkdtempSync(path.join(process.env['TMPDIR'] ?? '/tmp', 'backups-')), everyMs: 3_600_000, keep: 1 };
  t.teardown(() => fs.rmSync(backup.dir, { recursive: true, force: true }));
  const mapwright = await startMapwright(t, { backup });
  await mapwright.post('/projects', {});
  await mapwright.get('/projects', { key: 'nonsense' });
  const families = new Map([...parseExposition((await mapwright.ask('GET', '/metrics')).text), ...(await nodeFamilies(t))]);
  const expressions = [
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...[...rules.matchAll(/^ +expr: (.*)$/gm)].map(([, expr = '']) => expr),
  ];
  t.ok(expressions.length > 60);
  for (const expr of expressions) t.strictSame(unknownIn(expr, families), [], expr);
  t.strictSame(unknownIn('sum by (rout) (mapwright_http_requests_total{kind="x"}) + mapwright_no', families), [
    'mapwright_no',
    'rout',
    'kind',
  ]);

  const named = new Set(expressions.flatMap((expr) => expr.match(/\b(?:mapwright|process|nodejs)_\w+/g) ?? []));
  const shown = [...families.keys()].filter((name) => [name, `${name}_bucket`, `${name}_sum`].some((part) => named.has(part)));
  t.ok(shown.length > families.size * 0.75, 'most of what there is is shown');
  for (const { legendFormat, expr } of dashboard.panels.flatMap(({ targets = [] }) => targets)) {
    for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
      t.ok(expr.includes(label) || expr.startsWith('mapwright_build_info'), `${legendFormat}: ${expr}`);
  }
});

t.test('Grafana can import the dashboard', async (t) => {
  t.strictSame(faultsOf(dashboard), []);
  t.strictSame(
    dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title),
    [
      'Overview',
      'Traffic',
      'Latency',
      'Journal',
      'Snapshots and backups',
      'Memory and caches',
      'Process',
      'Alarms',
      'Live maps',
      'Cluster',
    ],
  );
  t.ok(dashboard.schemaVersion >= 36 && dashboard.uid !== '');
  const [first, second, third] = dashboard.panels as [Panel, Panel, Panel];
  const wrong: readonly Partial<Dashboard>[] = [
    { templating: { list: [] } },
    { panels: [first, second, { ...third, id: second.id }] },
    { panels: [first, second, { ...third, gridPos: { ...second.gridPos, x: 1 } }] },
    { panels: [{ ...second, gridPos: { x: 20, y: 0, w: 5, h: 1 } }] },
    { panels: [{ ...second, datasource: { type: 'prometheus', uid: 'mine' } }] },
    { panels: [{ ...second, type: 'graph' }] },
  ];
  for (const change of wrong) t.ok(faultsOf({ ...dashboard, ...change }).length > 0, JSON.stringify(change).slice(0, 100));
});

t.test('every alert rule has a severity and says what to do', async (t) => {
  const each = rules.split('      - alert: ').slice(1);
  t.ok(each.length >= 8);
  for (const rule of each) {
    t.match(rule, /^Mapwright\w+\n {8}expr: .+\n( {8}for: \d+m\n)? {8}labels: \{ severity: (critical|warning) \}\n/);
    t.match(rule, /summary: (['"]).+\1\n {10}description: (['"]).+\2\n$/);
  }
});

t.test('the package contains the dashboard and the rules', async (t) => {
  const { files } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { files: string[] };
  t.ok(files.includes('data/templates'));
});
