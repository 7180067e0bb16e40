/**
 * Single tests that only the longest tier has: `test.all('title', …)` instead of `t.test('title', …)`. The tier of a whole file is in its
 * first line (test-files.ts).
 */
import t from 'tap';

let isLeftOut = false;

/** Makes `test.all` skip its tests from now on. Only several.ts calls it, so a file that runs without the runner has all of its tests. */
export function leaveOutTestsOfAll(): void {
  isLeftOut = true;
}

export const test = {
  /** For a test that costs about a second or more, while other tests of its file show the same subject. */
  all: ((...args: Parameters<typeof t.test>) => (isLeftOut ? Promise.resolve() : t.test(...args))) as typeof t.test,
};
