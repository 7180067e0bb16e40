// tier: normal
/** What a text in the clipboard can be: objects of this or another page, or anything else. */
import t from 'tap';
import { copiedIn } from '../../src/web/console/editor/copied-objects.ts';

t.test('only a text that a page has copied has objects, and only members of objects count', async (t) => {
  for (const text of ['', 'Hello', '{"mapwright":"objects"', '{"mapwright":"objects"]', '[{"mapwright":"objects"}]'])
    t.equal(copiedIn(text), undefined, text);
  const objects = [{ id: 'a', name: 'A' }, { name: 'without identifier' }, 7, null];
  t.strictSame(copiedIn(JSON.stringify({ mapwright: 'objects', artboardId: 'b', objects, popups: 'none' })), {
    mapwright: 'objects',
    artboardId: 'b',
    objects: [{ id: 'a', name: 'A' }],
    popups: [],
  });
});
