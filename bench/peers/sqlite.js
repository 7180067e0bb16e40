/** The store on SQLite: every transaction is on the disk before it is answered (`synchronous = FULL`). */
import path from 'node:path';
import Database from 'better-sqlite3';
import { columns } from './object.js';

/** SQLite has no booleans; vertices are JSON. */
const columnTypes = { string: 'TEXT', number: 'REAL', boolean: 'INTEGER', array: 'TEXT' };

const schema = `
  CREATE TABLE keys (digest TEXT PRIMARY KEY, account TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE projects (id TEXT PRIMARY KEY, account TEXT NOT NULL, name TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE artboards (id TEXT PRIMARY KEY, project TEXT NOT NULL REFERENCES projects, name TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE objects (
    place INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    artboard TEXT NOT NULL REFERENCES artboards,
    ${columns.map(({ name, type }) => `${name} ${columnTypes[type]} NOT NULL`).join(', ')}
  );
  CREATE INDEX objects_of_artboard ON objects (artboard, place);
`;

/** Opens a database in a folder that has none yet. */
export function openSqlite(folder) {
  const db = new Database(path.join(folder, 'peer.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(schema);

  const names = columns.map(({ name }) => name).join(', ');
  const values = columns.map(() => '?').join(', ');
  const ownArtboard =
    'SELECT a.id FROM artboards a JOIN projects p ON p.id = a.project WHERE a.id = ? AND p.id = ? AND p.account = ?';
  const insertKey = db.prepare('INSERT INTO keys VALUES (?, ?)');
  const selectKey = db.prepare('SELECT account FROM keys WHERE digest = ?').pluck();
  const insertProject = db.prepare('INSERT INTO projects VALUES (?, ?, ?)');
  const insertArtboard = db.prepare('INSERT INTO artboards VALUES (?, ?, ?)');
  const selectArtboard = db.prepare(ownArtboard).pluck();
  const insertObject = db.prepare(`INSERT INTO objects (id, artboard, ${names}) VALUES (?, ?, ${values})`);
  const insertOwnObject = db.prepare(
    `INSERT INTO objects (id, artboard, ${names}) SELECT ?, own.id, ${values} FROM (${ownArtboard}) own`,
  );
  const selectObject = db.prepare(`SELECT id, ${names} FROM objects WHERE id = ? AND artboard = (${ownArtboard})`);
  const selectObjects = db.prepare(`SELECT id, ${names} FROM objects WHERE artboard = ? ORDER BY place`);

  const createProject = db.transaction((account, { id, name, artboards }) => {
    insertProject.run(id, account, name);
    for (const artboard of artboards) {
      insertArtboard.run(artboard.id, id, artboard.name);
      for (const object of artboard.objects) insertObject.run(object.id, artboard.id, ...rowOf(object));
    }
  });

  return {
    /** @param digest of the key */
    addKey: (digest, account) => insertKey.run(digest, account),
    /** `undefined` for an unknown key */
    accountOf: (digest) => selectKey.get(digest),
    createProject,
    /** False when there is no such artboard. One statement is one transaction. */
    createObject: (account, { project, artboard }, object) =>
      insertOwnObject.run(object.id, ...rowOf(object), artboard, project, account).changes === 1,
    /** `undefined` when there is none */
    object(account, { project, artboard, object }) {
      const row = selectObject.get(object, artboard, project, account);
      return row && shown(row);
    },
    /** `undefined` when there is no such artboard */
    objects(account, { project, artboard }) {
      const own = selectArtboard.get(artboard, project, account);
      return own === undefined ? undefined : selectObjects.all(own).map(shown);
    },
    close: () => db.close(),
  };
}

const rowOf = (object) =>
  columns.map(({ name, type }) => {
    const value = object[name];
    if (type === 'boolean') return value ? 1 : 0;
    return type === 'array' ? JSON.stringify(value) : value;
  });

/** The serialiser makes booleans of numbers by itself. */
function shown(row) {
  row.coords = JSON.parse(row.coords);
  return row;
}
