/** The shard of a request, by its address, without a network. */
import type { IncomingMessage } from 'node:http';
import t from 'tap';
import type { KeyDirectory } from '../../src/cluster/routing/key-directory.ts';
import { RequestRouting } from '../../src/cluster/routing/request-routing.ts';
import { newSlug } from '../../src/model/publication.ts';

function routing(shards: number, owned: number | undefined, basePath = ''): RequestRouting {
  const directory = { known: () => undefined, isUnknown: () => true } as unknown as KeyDirectory;
  const own = { url: 'http://127.0.0.1:1', nodeId: 'own' };
  return new RequestRouting({ own, shards, directory, basePath, owned: () => owned, observedOwner: () => undefined });
}

const to = (url: string) => ({ url, headers: {} }) as Pick<IncomingMessage, 'url' | 'headers'>;
const mapOf = (shard: number) => to(`/p/${newSlug(shard)}`);
const fileOf = (shard: number) => to(`/f/${newSlug(shard)}/plan.png`);
const codeOf = (shard: number) => to(`/console/session?shard=${shard}`);

t.test('maps, files and sign-in codes belong to the shard in their address, if there is such a shard', async (t) => {
  for (const request of [mapOf, fileOf, codeOf]) {
    t.equal(routing(3, 0).shardOf(request(2)), 2);
    t.equal(routing(3, 1).shardOf(request(3)), 1, 'there is no fourth shard: the own one answers');
    t.equal(routing(3, undefined).shardOf(request(9)), 0, 'or the first');
  }
});

t.test('a node answers for the shard that it owns alone', async (t) => {
  for (const request of [mapOf, fileOf, codeOf]) {
    t.equal(routing(3, 2).answers(request(2) as IncomingMessage), true);
    t.equal(routing(3, 1).answers(request(2) as IncomingMessage), false);
    t.equal(routing(3, undefined).answers(request(2) as IncomingMessage), false);
    t.equal(routing(3, 1).answers(request(3) as IncomingMessage), true, 'no shard has it: 404');
  }
});

t.test('a description for other sites belongs to the shard of its map', async (t) => {
  const oembed = (page: string) => to(`/oembed?format=json&url=${encodeURIComponent(page)}`);
  t.equal(routing(3, 0).shardOf(oembed(`https://maps.example/p/${newSlug(2)}`)), 2);
  t.equal(routing(3, 0, '/maps').shardOf(oembed(`https://maps.example/maps/p/${newSlug(2)}`)), 2);
  for (const page of ['', 'nothing', 'https://maps.example/nothing']) t.equal(routing(3, 1).shardOf(oembed(page)), 1, page);
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
