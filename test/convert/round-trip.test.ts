// tier: normal, process: shared
/**
 * What `export.geojson` of a server returns becomes the same objects and popups again when it is converted and sent back: members exactly,
 * pixels within 0.001, identifiers aside.
 */
import t, { type Test } from 'tap';
import { type Conversion, type ConvertOptions, convert, importBatches, planImport } from '../../src/web/convert/converter.ts';
import fc from '../support/fast-check.ts';
import { type Mapwright, type Shown, startForRequests } from '../support/mapwright.ts';

type Body = Readonly<Record<string, unknown>>;
const triangle = [
  { x: 1, y: 1 },
  { x: 2, y: 1 },
  { x: 2, y: 3 },
];
type Target = NonNullable<ConvertOptions['artboard']>;

const finite = (min: number, max: number) => fc.double({ min, max, noNaN: true });
/** A text as the API takes it: any characters, but no halves of them. */
const text = (maxLength: number) => fc.string({ unit: 'binary', maxLength });

/** Usual artboards, and those of other types, at the edges of the map and without finite pixels. */
const artboards = fc.record<Body>({
  type: fc.constantFrom('osm', 'osm', 'osm', 'color', 'image'),
  width: fc.integer({ min: 1, max: 3000 }),
  height: fc.integer({ min: 1, max: 3000 }),
  osm_lat: fc.oneof(finite(-60, 60), finite(-85.0511, 85.0511), fc.constantFrom(85.0511, -85.0511, 90)),
  osm_lng: fc.oneof(finite(-180, 180), fc.constantFrom(180, -180)),
  osm_zoom: fc.oneof(finite(5, 20), finite(1, 24), fc.constantFrom(1, 5000)),
});

const near = finite(-500, 3500);
const number = fc.oneof(near, near, fc.constant(0), finite(-1e6, 1e6), fc.constantFrom(1e200, -1e15));
const pixel = fc.record({ x: number, y: number });
const nearPixel = fc.record({ x: near, y: near });
const corners = fc.oneof(fc.array(nearPixel, { minLength: 3, maxLength: 12 }), fc.array(pixel, { maxLength: 5 }));
const popups = fc.array(
  fc.record<Body>(
    { title: text(20), content: text(40), maxWidth: fc.integer({ min: 0, max: 900 }), openLinkInNewTab: fc.boolean() },
    { requiredKeys: [] },
  ),
  { maxLength: 3 },
);
const objects = fc.array(
  fc.record({
    body: fc
      .tuple(
        fc.oneof(
          fc.record<Body>({ type: fc.constant('spot'), x: near, y: near }),
          fc.record<Body>({ type: fc.constant('poly'), coords: corners }),
          fc.record<Body>({ type: fc.constantFrom('spot', 'poly'), x: number, y: number, coords: corners }),
        ),
        fc.record<Body>(
          {
            name: text(50),
            color: text(10),
            radius: finite(0, 100),
            opacity: finite(0, 1),
            pin: fc.boolean(),
            interactive: fc.boolean(),
            click_action_url: fc.webUrl(),
            category: text(20),
            properties: fc.dictionary(
              fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
              fc.oneof(text(9), finite(-9, 9), fc.boolean()),
              {
                maxKeys: 3,
              },
            ),
            icon: fc.constantFrom('maki:cafe', 'none'),
            label: fc.constantFrom('auto', 'always', 'never'),
            label_size: finite(6, 96),
            closed: fc.boolean(),
            arrow: fc.constantFrom('none', 'end', 'both'),
            holes: fc.array(fc.oneof(fc.array(nearPixel, { minLength: 3, maxLength: 5 }), fc.array(pixel, { maxLength: 4 })), {
              maxLength: 3,
            }),
            blend_mode: fc.constantFrom('normal', 'multiply'),
          },
          { requiredKeys: [] },
        ),
      )
      .map(([shape, style]): Body => ({ ...shape, ...style })),
    popups,
  }),
  { maxLength: 6 },
);

const exportOf = async (mapwright: Mapwright, at: string): Promise<Uint8Array> => {
  const { status, text: found } = await mapwright.get(`${at}/export.geojson`);
  if (status !== 200) throw new Error(found);
  return new TextEncoder().encode(found);
};

interface Made {
  readonly project: string;
  /** Of the filled artboard, and of an empty one of the same members. */
  readonly ids: readonly [filled: string, empty: string];
}

const at = (project: string, artboard: string): string => `${project}/artboards/${artboard}`;

async function make(
  mapwright: Mapwright,
  artboard: Body,
  list: readonly { readonly body: Body; readonly popups: readonly Body[] }[],
): Promise<Made> {
  // All bodies have a key but every third one.
  const bodies = list.map(({ body }, i) => (i % 3 === 2 ? body : { ...body, key: `__proto__ ${i}` }));
  const { shown } = await mapwright.post('/projects', { artboards: [{ ...artboard, objects: bodies }, artboard] });
  const project = `/projects/${shown.id}`;
  const [filled, empty] = shown['artboards'] as [Shown, Shown];
  for (const [i, { id }] of (filled['objects'] as Shown[]).entries())
    for (const popup of list[i]?.popups ?? []) await mapwright.post(`${project}/popups`, { ...popup, attachedTo: id });
  return { project, ids: [filled.id, empty.id] };
}

/** Sends a conversion as the command line does. */
async function send(mapwright: Mapwright, project: string, artboard: string, conversion: Conversion): Promise<void> {
  const existing = (await mapwright.get(`${at(project, artboard)}/objects`)).list as (Shown & { name: string; key?: string })[];
  const attached = (await mapwright.get(`${project}/popups`)).list as (Shown & { attachedTo: string })[];
  const plan = planImport(conversion, existing, 'keep');
  for (const { operations } of importBatches(plan, artboard, attached)) {
    const answer = await mapwright.post(`${project}/batch`, { operations });
    if (answer.status !== 200) throw new Error(answer.text);
  }
}

/** The objects of an artboard in their order, each with its popups, without identifiers. */
async function contentOf(mapwright: Mapwright, project: string, artboard: string): Promise<Body[]> {
  const attached = (await mapwright.get(`${project}/popups`)).list;
  return (await mapwright.get(`${at(project, artboard)}/objects`)).list.map(({ id, ...members }) => ({
    ...members,
    popups: attached.filter(({ attachedTo }) => attachedTo === id).map(({ id: _, attachedTo: __, ...popup }) => popup),
  }));
}

/** Whether two values are equal, and numbers of pixels within 0.001. */
function isSame(one: unknown, other: unknown, isPixel = false): boolean {
  if (typeof one === 'number' && isPixel) return Math.abs(one - Number(other)) <= 0.001;
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return Object.is(one, other);
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) =>
        Object.hasOwn(other, name) &&
        isSame((one as Body)[name], (other as Body)[name], isPixel || ['x', 'y', 'coords', 'holes'].includes(name)),
    )
  );
}

const targetOf = async (mapwright: Mapwright, path: string): Promise<Target> =>
  (await mapwright.get(path)).shown as unknown as Target;

async function holds(
  t: Test,
  property: (
    mapwright: Mapwright,
    artboard: Body,
    list: readonly { readonly body: Body; readonly popups: readonly Body[] }[],
  ) => Promise<boolean>,
): Promise<void> {
  const mapwright = await startForRequests(t);
  await fc.assert(
    fc.asyncProperty(artboards, objects, (artboard, list) => property(mapwright, artboard, list)),
    { numRuns: 60 },
  );
  t.pass();
}

t.test('an export of a server that is imported into an equal artboard makes the same objects and popups', async (t) => {
  await holds(t, async (mapwright, artboard, list) => {
    const { project, ids } = await make(mapwright, artboard, list);
    const bytes = await exportOf(mapwright, at(project, ids[0]));
    if (list.length === 0) return true;
    const conversion = await convert(bytes, { artboard: await targetOf(mapwright, at(project, ids[1])) });
    await send(mapwright, project, ids[1], conversion);
    return isSame(await contentOf(mapwright, project, ids[0]), await contentOf(mapwright, project, ids[1]));
  });
});

t.test('an export that is imported into its own artboard restores the objects that have a key', async (t) => {
  await holds(t, async (mapwright, artboard, list) => {
    const keyed = list.filter((_, i) => i % 3 !== 2);
    const { project, ids } = await make(mapwright, artboard, keyed.slice(0, 2));
    const path = at(project, ids[0]);
    const bytes = await exportOf(mapwright, path);
    const before = await contentOf(mapwright, project, ids[0]);
    if (before.length === 0) return true;
    for (const { id, type, closed = true } of (await mapwright.get(`${path}/objects`)).list) {
      const change = {
        name: 'changed',
        interactive: false,
        x: 1,
        y: 2,
        coords: triangle,
        type: type === 'spot' ? 'poly' : 'spot',
        ...{ category: 'changed', properties: { changed: true }, icon: 'maki:bar', label: 'never', label_size: 7 },
        ...{ closed: !closed, arrow: 'both', holes: [triangle] },
      };
      await mapwright.patch(`${path}/objects/${id}`, change);
    }
    const conversion = await convert(bytes, { artboard: await targetOf(mapwright, path) });
    await send(mapwright, project, ids[0], conversion);
    return isSame(before, await contentOf(mapwright, project, ids[0]));
  });
});

t.test('an export without an artboard to go to makes its artboard and its objects again', async (t) => {
  await holds(t, async (mapwright, artboard, list) => {
    const { project, ids } = await make(mapwright, artboard, list);
    const bytes = await exportOf(mapwright, at(project, ids[0]));
    if (list.length === 0) return true;
    const conversion = await convert(bytes, {});
    const { shown } = await mapwright.post('/projects', { artboards: [conversion.artboard] });
    const [made] = shown['artboards'] as [Shown];
    await send(mapwright, `/projects/${shown.id}`, made.id, conversion);
    return isSame(await contentOf(mapwright, project, ids[0]), await contentOf(mapwright, `/projects/${shown.id}`, made.id));
  });
});
