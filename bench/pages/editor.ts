/**
 * The editor of the console with 2,000 objects: the longest turn of the page's thread after a command, in which the page answers nothing. Turns are
 * counted in processor time, so that other programs of the machine have no part in them.
 */
import type { Browser, Page } from 'playwright-core';
import { call } from '../lib/ask.ts';
import { rowOfOurs, said } from '../lib/rows.ts';
import type { Context, Row } from '../row.ts';
import { startOurs } from '../servers/ours.ts';

const viewport = { width: 1400, height: 800 };
const artboard = { width: 800, height: 600 };
const sizes = { full: { objects: 2000, pauseMs: 1500 }, tiny: { objects: 40, pauseMs: 600 } };
/** Goal of the longest turn, in milliseconds. */
const turnMs = 200;

const click = (label: string) => (page: Page) => page.locator('.resource-form').getByLabel(label, { exact: true }).click();

/** In their order: each begins where the one before has ended. */
const commands: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'select all': (page) => page.keyboard.press('Control+a'),
  'an arrow key, saved': (page) => page.keyboard.press('ArrowRight'),
  'a drag, saved': drag,
  undo: (page) => page.keyboard.press('Control+z'),
  'a member of all toggled': click('Reacts to the pointer'),
};

async function drag(page: Page): Promise<void> {
  const map = await page.locator('.map').boundingBox();
  if (map === null) throw new Error('there is no map');
  // On the object in the middle.
  const [x, y] = [map.x + map.width / 2 + 4, map.y + map.height / 2 + 4];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 40, y + 30, { steps: 6 });
  await page.mouse.up();
}

/** Rows of the editor; none of a program that has no console. */
export async function editorRows({ program, rounds, tiny, say }: Context, running: Browser): Promise<Row[]> {
  const { objects, pauseMs } = tiny ? sizes.tiny : sizes.full;
  const longest = Object.keys(commands).map((): number[] => []);
  const server = await startOurs(program, { flags: ['--tiles', 'none'] });
  try {
    for (let round = 0; round < rounds; round++) {
      const made = await call(server, 'POST', '/projects', {
        name: 'Places',
        artboards: [{ ...artboard, objects: places(objects) }],
      });
      const page = await running.newPage({ viewport });
      try {
        await open(page, new URL(server.url).origin, server.key, made.id);
        for (const [at, act] of Object.values(commands).entries())
          longest[at]?.push(await longestTurn(running, page, () => act(page), pauseMs));
      } finally {
        await page.close();
      }
    }
  } finally {
    await server.stop();
  }
  const rows = Object.keys(commands).map((what, at) =>
    rowOfOurs(
      `console, ${objects.toLocaleString('en-US')} objects: ${what}`,
      'ms',
      longest[at] as number[],
      'longest turn, processor time',
      {
        atMost: turnMs,
      },
    ),
  );
  for (const row of rows) say(said(row));
  return rows;
}

/** Signs in, and opens the project with the form of an object as it is when everything is shown. */
async function open(page: Page, origin: string, key: string, project: string): Promise<void> {
  await page.addInitScript("localStorage.setItem('mapwright-advanced', 'true')");
  await page.goto(`${origin}/console#/p/${project}`);
  await page.locator('#key').fill(key);
  await page.locator('#key').press('Enter');
  await page.locator('.map canvas').first().waitFor();
  await page.locator('.map').focus();
  await page.waitForTimeout(1000);
}

/** Places in rows: half of them spots, half of them rooms. */
function places(count: number): readonly object[] {
  const columns = Math.ceil(Math.sqrt((count * artboard.width) / artboard.height));
  const step = (artboard.width - 20) / columns;
  return Array.from({ length: count }, (_, at) => {
    const [x, y] = [10 + step * (at % columns), 10 + step * Math.floor(at / columns)];
    const side = step * 0.7;
    const look = { name: `Place ${at}`, color: at % 2 === 0 ? '#3b82f6' : '#dc2626' };
    if (at % 2 === 1) return { ...look, type: 'spot', x: x + side / 2, y: y + side / 2, radius: side / 2 };
    const corners = [
      [x, y],
      [x + side, y],
      [x + side, y + side],
      [x, y + side],
    ] as const;
    return { ...look, type: 'poly', coords: corners.map(([left, top]) => ({ x: left, y: top })) };
  });
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of processor time. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Milliseconds of the longest turn of the page's thread, from a command until everything that follows from it is done. */
async function longestTurn(running: Browser, page: Page, act: () => Promise<unknown>, pauseMs: number): Promise<number> {
  await running.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await act();
  // A move by keys is saved a moment later, and each object is read before it is written the first time.
  await page.waitForTimeout(pauseMs);
  await page.locator('.save-state.saved').waitFor({ timeout: 120_000 });
  await page.waitForTimeout(pauseMs);
  const { traceEvents } = JSON.parse((await running.stopTracing()).toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const turns = traceEvents.filter(({ name, pid, tid }) => name.endsWith('RunTask') && threads.has(`${pid} ${tid}`));
  return Math.max(0, ...turns.map(({ tdur = 0 }) => tdur / 1000));
}
