/** The shard of a request, by its address, without a network. */
import type { IncomingMessage } from 'node:http';
import t from 'tap';
import { RequestRouting } from '../../src/cluster/routing/request-routing.ts';
import type { ShardDirectory } from '../../src/cluster/routing/shard-directory.ts';
import { newSlug } from '../../src/model/publication.ts';

/** A directory that knows these, and no others. */
const directoryOf = (shards: Readonly<Record<string, number>> = {}) =>
  ({
    known: (id: string) => shards[id],
    isUnknown: (id: string) => shards[id] === undefined,
    shardOf: async (id: string) => shards[id],
  }) as unknown as ShardDirectory;

function routing(shards: number, owned: number | undefined, basePath = ''): RequestRouting {
  const own = { url: 'http://127.0.0.1:1', nodeId: 'own' };
  const directories = { directory: directoryOf(), names: directoryOf({ lindenhof: 2, 'a-1': 0 }) };
  return new RequestRouting({
    ...{ own, shards, basePath, ...directories },
    ...{ owned: () => owned, observedOwner: () => undefined },
  });
}

const to = (url: string) => ({ url, headers: {} }) as Pick<IncomingMessage, 'url' | 'headers'>;
const mapOf = (shard: number) => to(`/p/${newSlug(shard)}`);
const visitOf = (shard: number) => to(`/p/${newSlug(shard)}/seen`);
const fileOf = (shard: number) => to(`/f/${newSlug(shard)}/plan.png`);
const codeOf = (shard: number) => to(`/console/session?shard=${shard}`);

t.test(
  'maps, their visits, files and sign-in codes belong to the shard in their address, if there is such a shard',
  async (t) => {
    for (const request of [mapOf, visitOf, fileOf, codeOf]) {
      t.equal(routing(3, 0).shardOf(request(2)), 2);
      t.equal(routing(3, 1).shardOf(request(3)), 1, 'there is no fourth shard: the own one answers');
      t.equal(routing(3, undefined).shardOf(request(9)), 0, 'or the first');
    }
  },
);

t.test('a node answers for the shard that it owns alone', async (t) => {
  for (const request of [mapOf, visitOf, fileOf, codeOf]) {
    t.equal(routing(3, 2).answers(request(2) as IncomingMessage), true);
    t.equal(routing(3, 1).answers(request(2) as IncomingMessage), false);
    t.equal(routing(3, undefined).answers(request(2) as IncomingMessage), false);
    t.equal(routing(3, 1).answers(request(3) as IncomingMessage), true, 'no shard has it: 404');
  }
});

t.test('maps with a readable address belong to the shard that has the name', async (t) => {
  for (const path of ['/p/lindenhof', '/p/lindenhof/map.json', '/p/%6cindenhof/live.json', 'http://maps.example/p/lindenhof?x']) {
    t.equal(routing(3, 0).answers(to(path) as IncomingMessage), false, path);
    t.equal(routing(3, 2).answers(to(path) as IncomingMessage), true, path);
    t.equal(await routing(3, 0).shardOf(to(path)), 2, path);
    t.equal(await routing(1, 0).shardOf(to(path)), 0, 'a cluster of one shard looks nothing up');
  }
  t.equal(await routing(3, 1).shardOf(to('/p/a-1')), 0);
  for (const path of ['/p/nothing', '/p/no', '/f/lindenhof/plan.png', '/q/lindenhof']) {
    t.equal(routing(3, 1).answers(to(path) as IncomingMessage), true, `${path}: 404`);
    t.equal(await routing(3, 1).shardOf(to(path)), 1);
  }
});

t.test('a description for other sites belongs to the shard of its map', async (t) => {
  const oembed = (page: string) => to(`/oembed?format=json&url=${encodeURIComponent(page)}`);
  t.equal(routing(3, 0).shardOf(oembed(`https://maps.example/p/${newSlug(2)}`)), 2);
  t.equal(await routing(3, 0).shardOf(oembed('https://maps.example/p/lindenhof')), 2);
  t.equal(await routing(3, 0, '/maps').shardOf(oembed('https://maps.example/maps/p/lindenhof')), 2);
  for (const page of ['', 'lindenhof', 'https://maps.example/lindenhof']) t.equal(routing(3, 1).shardOf(oembed(page)), 1, page);
  t.equal(routing(3, 1).shardOf(to('/oembed')), 1);
});

t.test('the path of the public URL may precede every path', async (t) => {
  for (const request of [mapOf, fileOf, codeOf]) {
    const below = (shard: number) => to(`/maps${request(shard).url}`);
    t.equal(routing(3, 0, '/maps').shardOf(below(2)), 2);
    t.equal(routing(3, 1, '/maps').answers(below(2) as IncomingMessage), false);
    t.equal(routing(3, 0, '/maps').shardOf(request(2)), 2, 'a proxy may have removed it');
    t.equal(routing(3, 0).shardOf(below(2)), 0, 'another path is no map');
  }
});
