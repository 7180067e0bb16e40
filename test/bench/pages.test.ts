// tier: all, process: own
/** The bench of the viewer, as small as can be: it works and gives its rows. No figure means anything here. */
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { viewerPages } from '../../bench/pages/viewer.ts';
import { browser, skipWithoutBrowser as skip } from '../support/browser.ts';

const program = fileURLToPath(new URL('../..', import.meta.url));

t.test('rows', { skip }, async (t) => {
  const rows = await viewerPages.run({
    program,
    rounds: 1,
    seconds: 0.01,
    minutes: 0.01,
    tiny: true,
    alone: false,
    say: () => undefined,
  });
  t.equal(rows.length, 13);
  t.equal(new Set(rows.map(({ what }) => what)).size, 13);
  for (const { what, ours, spread } of rows) t.ok(ours >= 0 && Number.isFinite(spread), what);
});

t.test('it says why it is left out', async (t) => {
  t.equal((await viewerPages.missing?.()) === undefined, browser !== '');
});
