/** Names that an owner reserves while its database is away, without a database. */
import t from 'tap';
import { DatabaseUnavailableError } from '../../../src/cluster/database/database-errors.ts';
import type { OwnerSession } from '../../../src/cluster/log/owner-session.ts';
import { ShardDirectory } from '../../../src/cluster/routing/shard-directory.ts';
import { OwnerRegistry } from '../../../src/cluster/shards/owner-registry.ts';
import type { ShardNode } from '../../../src/cluster/shards/shard-node.ts';
import { StalledError } from '../../../src/lib/errors.ts';
import { recordingLog } from '../../support/engine.ts';

t.test('without the database, no name of a map is reserved, and none that is freed is an error', async (t) => {
  const session = { shard: 0, token: { epoch: 1, owner: '' } } as unknown as OwnerSession;
  const connection = async (): Promise<never> => {
    throw new DatabaseUnavailableError('away');
  };
  const none = new ShardDirectory(async () => []);
  const node = { bulk: { connection }, directory: none, names: none } as unknown as ShardNode;
  const { log, logged } = recordingLog();
  const registry = new OwnerRegistry(session, node, log);
  const error = await registry.reserveMapName('lindenhof').catch((thrown: unknown) => thrown);
  t.ok(
    error instanceof StalledError && error.isRefusal && error.medium === 'database',
    'a 503 that says that nothing was changed',
  );
  await registry.freeMapNames(['lindenhof']);
  t.match(logged, [['warn', { shard: 0 }, /cannot delete the reservation of a name/]]);
  t.equal(none.known('lindenhof'), undefined);
});
