// tier: short
/** What the history calls a version, and what it says that the version has. */
import t from 'tap';
import { texts } from '../../src/web/console/console-texts.ts';

const moment = '2026-11-26T06:56:16.443Z';

t.test('the state before a restore has the local time of the version in its name', async (t) => {
  const kind = 'before-restore';
  const localTime = texts.versions.nameOf({ name: '', kind: 'automatic', created: moment }).replace('Automatic, ', '');
  const name = `Before the restore of ${moment}`;
  t.equal(texts.versions.shownName({ name, kind }), `Before the restore of ${localTime}`);
  t.equal(texts.versions.nameOf({ name, kind, created: moment }), `Before the restore of ${localTime}`);
  t.equal(texts.versions.shownName({ name, kind: 'named' }), name, 'a name that a user typed stays as it is');
  t.equal(texts.versions.shownName({ name: 'Before the restore of Summer', kind }), 'Before the restore of Summer');
});

t.test('the contents of a version count its pictures', async (t) => {
  const none = { artboards: 0, objects: 0, popups: 0, files: 0 };
  t.equal(texts.versions.contents({ ...none, artboards: 1, objects: 2, files: 3 }), '1 artboard, 2 objects, 3 pictures');
  t.equal(texts.versions.contents({ ...none, files: 1 }), '1 picture', 'a version with nothing but a picture is not empty');
  t.equal(texts.versions.contents(none), 'empty');
});
