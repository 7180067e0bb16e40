import t from 'tap';
import { startPostgres } from './support/postgres.ts';

t.test('a pair', async (t) => {
  const began = performance.now();
  const pair = await startPostgres(t);
  console.error('pair', performance.now() - began);
  await pair.primary.sql('CREATE TABLE a (b int)');
  await pair.standby.kill();
  await pair.standby.start();
  await pair.primary.sql('INSERT INTO a VALUES (1)');
  console.error('standby again', performance.now() - began);
  await pair.primary.kill();
  await pair.primary.start();
  await pair.primary.sql('INSERT INTO a VALUES (1)');
  console.error('primary again', performance.now() - began);
  await pair.primary.pause();
  await pair.primary.resume();
  await pair.primary.kill();
  await pair.standby.promote();
  t.match(await pair.standby.sql('SELECT substr(pg_walfile_name(pg_current_wal_lsn()),1,8) AS at'), [{ at: '00000002' }]);
  console.error('promoted', performance.now() - began, pair.standby.log.length);
});
