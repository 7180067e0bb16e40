/** The store on PostgreSQL, with its defaults: a transaction is on the disk before it is answered. */
import pg from 'pg';
import { columns } from './object.js';

/** So many transactions can share a sync of the log. */
const connectionsMax = 64;

const columnTypes = { string: 'text', number: 'double precision', boolean: 'boolean', array: 'json' };

const schema = `
  CREATE TABLE keys (digest text PRIMARY KEY, account text NOT NULL);
  CREATE TABLE projects (id uuid PRIMARY KEY, account text NOT NULL, name text NOT NULL);
  CREATE TABLE artboards (id uuid PRIMARY KEY, project uuid NOT NULL REFERENCES projects, name text NOT NULL);
  CREATE TABLE objects (
    place bigint GENERATED ALWAYS AS IDENTITY,
    id uuid PRIMARY KEY,
    artboard uuid NOT NULL REFERENCES artboards,
    ${columns.map(({ name, type }) => `${name} ${columnTypes[type]} NOT NULL`).join(', ')}
  );
  CREATE INDEX objects_of_artboard ON objects (artboard, place);
`;

/**
 * Opens a database that is empty yet.
 *
 * @param place folder of its socket, or a URL, of whose hosts the first is used
 */
export async function openPostgres(place) {
  const [connectionString] = place.split(',');
  const where = place.startsWith('postgres:') ? { connectionString } : { host: place, user: 'bench' };
  const pool = new pg.Pool({ ...where, database: 'postgres', max: connectionsMax });
  await pool.query(schema);

  const names = columns.map(({ name }) => name).join(', ');
  const parameters = columns.map((_, i) => `$${i + 5}`).join(', ');
  const ownArtboard = (first) =>
    `SELECT a.id FROM artboards a JOIN projects p ON p.id = a.project WHERE a.id = $${first} AND p.id = $${first + 1} AND p.account = $${first + 2}`;
  /** A statement with a name is prepared once on each connection. */
  const prepared =
    (name, text) =>
    (values, on = pool) =>
      on.query({ name, text, values });
  const insertKey = prepared('insert-key', 'INSERT INTO keys VALUES ($1, $2)');
  const selectKey = prepared('select-key', 'SELECT account FROM keys WHERE digest = $1');
  const insertProject = prepared('insert-project', 'INSERT INTO projects VALUES ($1, $2, $3)');
  const insertArtboard = prepared('insert-artboard', 'INSERT INTO artboards VALUES ($1, $2, $3)');
  const insertObject = prepared(
    'insert-object',
    `INSERT INTO objects (id, artboard, ${names}) SELECT $1, own.id, ${parameters} FROM (${ownArtboard(2)}) own`,
  );
  const selectObject = prepared(
    'select-object',
    `SELECT id, ${names} FROM objects WHERE id = $1 AND artboard = (${ownArtboard(2)})`,
  );
  const selectArtboard = prepared('select-artboard', ownArtboard(1));
  const selectObjects = prepared('select-objects', `SELECT id, ${names} FROM objects WHERE artboard = $1 ORDER BY place`);

  const rowOf = (object) => columns.map(({ name, type }) => (type === 'array' ? JSON.stringify(object[name]) : object[name]));

  async function createProject(account, { id, name, artboards }) {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await insertProject([id, account, name], client);
      for (const artboard of artboards) {
        await insertArtboard([artboard.id, id, artboard.name], client);
        for (const object of artboard.objects)
          await insertObject([object.id, artboard.id, id, account, ...rowOf(object)], client);
      }
      await client.query('COMMIT');
      client.release();
    } catch (error) {
      client.release(error);
      throw error;
    }
  }

  return {
    addKey: (digest, account) => insertKey([digest, account]),
    accountOf: async (digest) => (await selectKey([digest])).rows[0]?.account,
    createProject,
    createObject: async (account, { project, artboard }, object) =>
      (await insertObject([object.id, artboard, project, account, ...rowOf(object)])).rowCount === 1,
    object: async (account, { project, artboard, object }) => (await selectObject([object, artboard, project, account])).rows[0],
    async objects(account, { project, artboard }) {
      const own = (await selectArtboard([artboard, project, account])).rows[0];
      return own && (await selectObjects([own.id])).rows;
    },
    close: () => pool.end(),
  };
}
