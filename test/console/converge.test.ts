// tier: normal, process: own
/**
 * Two editors of one project, with random changes, undo and redo, over connections that break and answers that are lost, of a server that is
 * killed. In the end both show what the server has, and of what each of them wrote nothing is lost that was not in conflict.
 */
import t from 'tap';
import { createClient } from '../../src/web/client/client.ts';
import type { Members } from '../../src/web/console/kinds/resource-kinds.ts';
import { numberOf } from '../../src/web/console/kinds/resource-version.ts';
import fc from '../support/fast-check.ts';
import type { Shown } from '../support/mapwright.ts';
import { sized } from '../support/tier.ts';
import { until } from '../support/until.ts';
import { type Editor, openOverHttp, secondArtboard, type World } from './editor-world.ts';

t.setTimeout(3_600_000);

/** Colours that differ each time, so that they can be found again. */
class Marks {
  #count = 0;

  next(): string {
    return `#${(++this.#count).toString(16).padStart(6, '0')}`;
  }
}

/** A value that an editor gave a member, or an object that it drew. */
interface Written {
  readonly editor: Editor;
  readonly id: string;
  readonly color: string;
}

interface Run {
  readonly world: World;
  readonly editors: readonly [Editor, Editor];
  readonly second: string;
  readonly marks: Marks;
  readonly written: Written[];
  /** Colours that were in conflict, or refused. */
  readonly asked: Set<string>;
  readonly steps: Promise<unknown>[];
}

type Act = (run: Run, editor: Editor, pick: number) => Promise<void> | void;

const idsOf = ({ store }: Editor): readonly string[] =>
  store.ids({ kind: 'artboard' }).flatMap((artboardId) => [...store.ids({ kind: 'object', artboardId })]);
const picked = (editor: Editor, pick: number): string | undefined => {
  const ids = idsOf(editor);
  return ids[pick % Math.max(1, ids.length)];
};

const acts: Readonly<Record<string, Act>> = {
  type({ marks, written }, editor, pick) {
    const id = picked(editor, pick);
    if (id === undefined) return;
    const color = marks.next();
    // A colour that is typed again before it is sent goes along with the new one.
    const before = written.findLastIndex((each) => each.editor === editor && each.id === id);
    if (before !== -1 && editor.store.unsaved(id) !== undefined) written.splice(before, 1);
    editor.edits.change(id, { color });
    written.push({ editor, id, color });
  },
  paint({ marks, written, steps }, editor, pick) {
    const edit = editor.edits.begin();
    for (const id of new Set([picked(editor, pick), picked(editor, pick + 1)])) {
      if (id === undefined) continue;
      const color = marks.next();
      edit.put(id, { color });
      written.push({ editor, id, color });
    }
    steps.push(editor.edits.run(edit));
  },
  draw({ marks, steps, written, world }, editor) {
    const color = marks.next();
    const edit = editor.edits.begin();
    const id = edit.create(`objects:${world.artboardId}`, { type: 'spot', x: 1, y: 1, radius: 2, color });
    written.push({ editor, id, color });
    steps.push(editor.edits.run(edit));
  },
  remove({ steps }, editor, pick) {
    const id = picked(editor, pick);
    if (id !== undefined) steps.push(editor.edits.run(editor.edits.begin().remove(id)));
  },
  move({ steps, world, second }, editor, pick) {
    const id = picked(editor, pick);
    const from = editor.store.refOf(id ?? '')?.artboardId;
    if (id === undefined) return;
    const edit = editor.edits.begin().move(id, `objects:${from === second ? world.artboardId : second}`);
    steps.push(editor.edits.run(edit));
  },
  place({ steps, world }, editor, pick) {
    const at = `objects:${world.artboardId}`;
    const ids = editor.store.ids({ kind: 'object', artboardId: world.artboardId });
    const id = ids[pick % Math.max(1, ids.length)];
    if (id === undefined) return;
    const order = [...ids.filter((each) => each !== id), id];
    steps.push(editor.edits.run(editor.edits.begin().place(at, order, new Set([id]))));
  },
  /** The second artboard is deleted with everything on it. */
  clear({ steps, second }, editor) {
    steps.push(editor.edits.run(editor.edits.begin().remove(second)));
  },
  refuse({ steps }, editor, pick) {
    const id = picked(editor, pick);
    if (id === undefined) return;
    if (pick % 2 === 0) editor.edits.change(id, { label_size: 'large', x: pick });
    else steps.push(editor.edits.run(editor.edits.begin().put(id, { label_size: 'large', x: pick })));
  },
  undo({ steps }, editor) {
    steps.push(editor.edits.undo());
  },
  redo({ steps }, editor) {
    steps.push(editor.edits.redo());
  },
  wait: (_, editor) => editor.edits.idle(),
  down(_, { line }) {
    line.state = 'down';
  },
  lost(_, { line }) {
    line.state = 'lost';
  },
  up: (_, editor) => up(editor),
  /** Nothing is executed while its files are copied; what was executed before may have no answer. */
  async kill({ world, editors }) {
    for (const { line } of editors) line.state = 'lost';
    const go = editors.map(({ line }) => line.hold());
    await until('no request is executed', () => editors.every(({ line }) => line.waiting === 0));
    await world.mapwright.crash();
    for (const each of go) each();
    for (const each of editors) up(each);
  },
};

function up({ line, edits }: Editor): void {
  line.state = 'up';
  edits.retry();
}

const plan = fc.array(
  fc.record({
    name: fc.oneof(
      {
        weight: 30,
        arbitrary: fc.constantFrom('type', 'paint', 'draw', 'remove', 'move', 'place', 'undo', 'redo', 'wait', 'clear', 'refuse'),
      },
      { weight: 9, arbitrary: fc.constantFrom('down', 'lost', 'up') },
      { weight: 1, arbitrary: fc.constant('kill') },
    ),
    who: fc.nat(1),
    pick: fc.nat(7),
  }),
  { minLength: 5, maxLength: 25 },
);

/** Decides every conflict, by turns for oneself and for the other, until there is none. */
async function decideAll({ editors, asked, steps }: Run): Promise<void> {
  let turn = 0;
  for (const { edits } of editors)
    await until('everything is saved', async () => {
      edits.retry();
      await edits.idle();
      for (const [id, errors] of edits.errors.value) edits.discard(id, Object.keys(errors));
      for (const conflict of edits.conflicts.value) {
        if (conflict.is === 'deleted') {
          asked.add(String(conflict.mine['color']));
          if (turn++ % 2 === 0) edits.decisions.discardDeleted(conflict);
          else steps.push(edits.decisions.createAgain(conflict).then((made) => made ?? edits.decisions.discardDeleted(conflict)));
        } else {
          for (const { mine } of conflict.members) asked.add(String(mine));
          edits.decisions[turn++ % 2 === 0 ? 'keepMine' : 'takeTheirs'](conflict);
        }
      }
      return edits.state.value === 'saved' && edits.conflicts.value.length === 0;
    });
}

/** Every colour that an object had, as the feed of another user has it. */
async function colorsOf({ mapwright, path }: World, after: string, last: number): Promise<Set<string>> {
  const client = createClient({ baseUrl: `http://127.0.0.1:${mapwright.port}`, key: mapwright.key });
  const found = new Set<string>();
  // The feed is silent until there is a change.
  if (numberOf(`"${after}"`) >= last) return found;
  const stop = new AbortController();
  for await (const { id, events } of client.changes({ project: path.split('/')[2] as string, after, signal: stop.signal })) {
    for (const event of events)
      if ('resource' in event && event.resource !== null) {
        const resource = event.resource as Members & { readonly id: string };
        found.add(`${resource.id} ${resource['color']}`);
      }
    if (numberOf(`"${id}"`) >= last) stop.abort();
  }
  return found;
}

const shownBy = ({ store }: Editor): unknown =>
  store
    .members({ kind: 'artboard' })
    .map((artboard) => store.members({ kind: 'object', artboardId: artboard.id }).map(({ id, color }) => ({ id, color })));

async function storedIn({ mapwright, path }: World): Promise<unknown> {
  const { artboards } = (await mapwright.get(path)).shown as unknown as { artboards: { objects: Shown[] }[] };
  return artboards.map(({ objects }) => objects.map(({ id, color }) => ({ id, color })));
}

t.test('two editors converge, and lose nothing that was not in conflict', async (t) => {
  await fc.assert(
    fc.asyncProperty(plan, async (list) => {
      await t.test(list.map(({ name, who, pick }) => `${name} ${who} ${pick}`).join(', '), async (t) => {
        const world = await openOverHttp(t, 'ABC');
        const second = await secondArtboard(world);
        const editors = [await world.editor(), await world.editor()] as const;
        const began = editors[0].store.position.replaceAll('"', '');
        for (const each of editors) await each.follow();
        const run: Run = { world, editors, second, marks: new Marks(), written: [], asked: new Set(), steps: [] };
        const watch = () => {
          for (const { edits } of editors)
            for (const conflict of edits.conflicts.value)
              if (conflict.is === 'deleted') run.asked.add(String(conflict.mine['color']));
              else for (const { mine } of conflict.members) run.asked.add(String(mine));
        };
        // The user may delete at once what is in conflict.
        const ends = editors.map(({ edits }) => edits.conflicts.subscribe(watch));
        t.teardown(() => {
          for (const end of ends) end();
        });
        for (const { name, who, pick } of list) {
          const editor = editors[who] as Editor;
          if (name === 'wait' && editor.line.state !== 'up') continue;
          await acts[name]?.(run, editor, pick);
        }
        for (const each of editors) up(each);
        await decideAll(run);
        await Promise.all(run.steps);
        await decideAll(run);
        for (const each of editors)
          await until('an editor shows what the server has', async () => {
            const [shown, stored] = [shownBy(each), await storedIn(world)];
            return JSON.stringify(shown) === JSON.stringify(stored);
          });
        const last = numberOf((await world.mapwright.get(world.path)).headers.etag);
        const had = await colorsOf(world, began, last);
        for (const [at, { editor, id, color }] of run.written.entries()) {
          // A conflict asks about the last value that the user gave.
          const given = run.written.slice(at).filter((each) => each.editor === editor && each.id === id);
          if (!given.some((each) => run.asked.has(each.color))) t.ok(had.has(`${id} ${color}`), `${color} of ${id} was lost`);
        }
      });
      return t.passing();
    }),
    { numRuns: sized({ sample: 20, all: 1000 }), endOnFailure: true },
  );
});
