// tier: short
/** What the history calls a version, and what it says that the version has. */
import t from 'tap';
import { lateTexts } from '../../src/web/console/late-texts.ts';

const moment = '2026-11-26T06:56:16.443Z';

t.test('the state before a restore has the local time of the version in its name', async (t) => {
  const kind = 'before-restore';
  const localTime = lateTexts.versions.nameOf({ name: '', kind: 'automatic', created: moment }).replace('Automatic, ', '');
  const name = `Before the restore of ${moment}`;
  t.equal(lateTexts.versions.shownName({ name, kind }), `Before the restore of ${localTime}`);
  t.equal(lateTexts.versions.nameOf({ name, kind, created: moment }), `Before the restore of ${localTime}`);
  t.equal(lateTexts.versions.shownName({ name, kind: 'named' }), name, 'a name that a user typed stays as it is');
  t.equal(lateTexts.versions.shownName({ name: 'Before the restore of Summer', kind }), 'Before the restore of Summer');
});

t.test('the contents of a version count its pictures', async (t) => {
  const none = { artboards: 0, objects: 0, popups: 0, files: 0 };
  t.equal(lateTexts.versions.contents({ ...none, artboards: 1, objects: 2, files: 3 }), '1 artboard, 2 objects, 3 pictures');
  t.equal(lateTexts.versions.contents({ ...none, files: 1 }), '1 picture', 'a version with nothing but a picture is not empty');
  t.equal(lateTexts.versions.contents(none), 'empty');
});
