/** Options that all nodes of a cluster must share: nodes of different versions agree while neither has a new one. */
import t from 'tap';
import { sharedOptions } from '../../src/cluster/node/shared-options.ts';
import { openStreetMap } from '../../src/lib/draw/open-street-map.ts';

t.test('options are compared regardless of their order and of given defaults', async (t) => {
  const names = Object.keys(JSON.parse(sharedOptions({}, 3_000).text));
  const isLimit = (name: string): boolean => name.startsWith('limits.');
  const quotas = ['quotas.bytes', 'quotas.members', 'quotas.projects', 'quotas.versions'];
  t.strictSame(
    names.filter((name) => !isLimit(name)),
    ['compression', 'cors', 'docs', 'elementsMax', 'lease', 'publicUrl', ...quotas, 'rateLimit', 'segmentBytes'],
    "a new option has shared: 'if-set': nodes without options agree with those of earlier versions",
  );
  t.equal(names.filter(isLimit).length, 22, 'and so has a new limit');
  t.equal(sharedOptions({}, 3_000).digest, 'c1304e9d6db52e20', 'with the defaults of earlier versions');
  const set = { publish: false, versions: false, dataHosts: 'sensors.internal', dataTimeoutMs: 500, tiles: 'none' };
  const texts = { publish: 'false', versions: 'false', dataHosts: '"sensors.internal"', dataTimeoutMs: '500', tiles: '"none"' };
  const { text } = sharedOptions(set, 3_000);
  for (const [name, value] of Object.entries(texts)) t.match(text, `"${name}":${value}`);
  const defaults = { publish: true, dataHosts: '', dataTimeoutMs: 10_000, tiles: openStreetMap.url };
  t.equal(sharedOptions(defaults, 3_000).digest, 'c1304e9d6db52e20');
  const own = sharedOptions({ cors: ['https://b.example', 'https://a.example'], compression: true }, 3_000);
  t.same(own, sharedOptions({ cors: ['https://a.example', 'https://b.example'], limits: { urlBytesMax: 8192 } }, 3_000));
});
