// tier: all, process: own
/** The bench of the viewer with a tiny load: it has its rows; the figures mean nothing. */
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { viewerPages } from '../../bench/pages/viewer.ts';
import { browser, skipWithoutBrowser as skip } from '../support/browser.ts';

const program = fileURLToPath(new URL('../..', import.meta.url));

t.test('the bench of the viewer has its rows', { skip }, async (t) => {
  const rows = await viewerPages.run({
    program,
    rounds: 1,
    seconds: 0.01,
    minutes: 0.01,
    tiny: true,
    alone: false,
    say: () => undefined,
  });
  t.equal(rows.length, 27);
  t.equal(new Set(rows.map(({ what }) => what)).size, 27);
  for (const { what, ours, spread } of rows) t.ok(ours >= 0 && Number.isFinite(spread), what);
});

t.test('the bench of the viewer names a missing browser as its reason to skip', async (t) => {
  t.equal((await viewerPages.missing?.()) === undefined, browser !== '');
});
