// tier: normal
/** The tools of the editor as states, without a browser: what pointer, keys and fingers do with each. */
import t from 'tap';
import { holeRefusal } from '../../src/web/console/shapes/holes.ts';
import { isPolygon, type Point, type Shape } from '../../src/web/console/shapes/shape.ts';
import { snapBox, snapPoint, targetsOf } from '../../src/web/console/shapes/snap.ts';
import { allTools } from '../../src/web/console/tools/all-tools.ts';
import { Desk, room } from './tool-support.ts';

const cornersOf = (shape: Shape): readonly Point[] => (isPolygon(shape) ? shape.coords : []);

const spot: Shape = { x: 400, y: 300, radius: 20 };
const objects = { spot, a: room(0, 0, 100, 100), b: room(200, 0, 300, 100) };

t.test('a click selects, Shift or Ctrl adds and removes, and on empty ground it selects nothing', async (t) => {
  const desk = new Desk(allTools.select, objects);
  desk.click(50, 50);
  t.strictSame(desk.selection, ['a']);
  desk.click(250, 50, { shift: true });
  t.strictSame(desk.selection, ['a', 'b']);
  desk.click(50, 50, { control: true });
  t.strictSame(desk.selection, ['b']);
  desk.click(600, 500, { shift: true });
  t.strictSame(desk.selection, ['b'], 'a missed click that adds changes nothing');
  desk.click(600, 500);
  t.strictSame(desk.selection, []);
});

t.test('a rectangle on empty ground selects what is in it as a whole; Shift adds to the selection', async (t) => {
  const desk = new Desk(allTools.select, objects);
  desk.drag([-10, -10], [310, 50]);
  t.strictSame(desk.selection, [], 'objects that are partly outside are not selected');
  desk.drag([-10, 110], [310, -10]);
  t.strictSame(desk.selection, ['a', 'b'], 'in any direction');
  desk.press(350, 250, { shift: true });
  desk.move(450, 350, { shift: true });
  t.match(desk.sketch, { brush: { left: 350, top: 250, right: 450, bottom: 350 } });
  desk.release(450, 350, { shift: true });
  t.strictSame(desk.selection, ['a', 'b', 'spot']);
  desk.press(500, 500);
  desk.move(600, 600);
  t.equal(desk.send({ is: 'cancel' }), true);
  desk.release(600, 600);
  t.strictSame(desk.selection, ['a', 'b', 'spot'], 'Esc gives the rectangle up');
});

t.test('a drag moves only what is selected, in one step', async (t) => {
  const desk = new Desk(allTools.select, objects);
  desk.drag([400, 300], [500, 350]);
  t.strictSame(desk.objects.get('spot'), spot, 'it was not selected');
  desk.selection = ['spot', 'b'];
  desk.drag([400, 300], [503, 350], { control: true });
  t.strictSame(desk.objects.get('spot'), { x: 503, y: 350, radius: 20 });
  t.strictSame(desk.objects.get('b'), room(303, 50, 403, 150));
  t.equal(desk.effects.filter((effect) => effect.do === 'reshape').length, 1);
});

t.test('Esc and a second finger give a move up', async (t) => {
  for (const is of ['cancel', 'abort'] as const) {
    const desk = new Desk(allTools.select, objects);
    desk.selection = ['spot'];
    desk.press(400, 300);
    desk.move(450, 300);
    t.ok(desk.sketch.shapes?.has('spot'));
    desk.send({ is });
    t.equal(desk.sketch.shapes, undefined);
    desk.release(450, 300);
    t.strictSame(desk.effects, []);
  }
});

t.test('a moved object snaps to edges and centres of its neighbours, with guides', async (t) => {
  const desk = new Desk(allTools.select, { a: room(0, 0, 100, 100), b: room(200, 300, 280, 380) });
  desk.selection = ['b'];
  desk.press(240, 340);
  desk.move(42, 340);
  t.match(
    desk.sketch.guides,
    [
      [
        { x: 0, y: 0 },
        { x: 0, y: 380 },
      ],
    ],
    'the left edges are in line',
  );
  desk.release(42, 340);
  t.strictSame(desk.objects.get('b'), room(0, 300, 80, 380));
  desk.drag([40, 340], [52, 48]);
  t.strictSame(desk.objects.get('b'), room(10, 10, 90, 90), 'both centres, which are clearly nearer than the edges');
});

t.test('corners of the selected polygon are moved, inserted on an edge, and removed with Alt', async (t) => {
  const desk = new Desk(allTools.select, { a: room(0, 0, 100, 100) });
  desk.selection = ['a'];
  desk.drag([99, 101], [150, 160]);
  t.strictSame(desk.objects.get('a'), {
    coords: [
      { x: 0, y: 0 },
      { x: 100, y: 0 },
      { x: 150, y: 160 },
      { x: 0, y: 100 },
    ],
  });
  desk.drag([50, 2], [50, -40]);
  t.match(desk.objects.get('a'), { coords: [{ x: 0 }, { x: 50, y: -40 }, { x: 100 }, { x: 150 }, { x: 0 }] });
  desk.click(50, -40, { alt: true });
  desk.click(150, 160, { alt: true });
  desk.click(100, 0, { alt: true });
  t.strictSame(
    desk.objects.get('a'),
    {
      coords: [
        { x: 0, y: 0 },
        { x: 100, y: 0 },
        { x: 0, y: 100 },
      ],
    },
    'three corners stay',
  );
});

t.test('without the right to write, a click selects and nothing else happens', async (t) => {
  const desk = new Desk(allTools.select, objects);
  desk.canWrite = false;
  desk.click(50, 50);
  desk.drag([50, 50], [90, 90]);
  t.strictSame(desk.effects, [{ do: 'select', ids: ['a'] }]);
});

t.test('the spot tool places spots by click and by keys, and edits a spot that is there', async (t) => {
  const desk = new Desk(allTools.spot, objects);
  desk.click(600, 500);
  t.strictSame(desk.created, [{ x: 600, y: 500, radius: 20 }]);
  desk.click(405, 300);
  t.strictSame(desk.effects.at(-1), { do: 'edit', id: 'spot' });
  desk.enter();
  t.strictSame(desk.effects.at(-1), { do: 'edit', id: 'spot' }, 'Enter means the middle of the view at first');
  desk.step(50, 0);
  desk.step(0, -10);
  t.strictSame(desk.effects.at(-1), { do: 'say', text: '450, 290' });
  t.strictSame(desk.sketch.cursor, { x: 450, y: 290 });
  desk.enter();
  t.strictSame(desk.created.at(-1), { x: 450, y: 290, radius: 20 });
  t.equal(desk.send({ is: 'cancel' }), false, 'Esc leaves the tool');
});

t.test('with a drawing tool, Enter edits what is selected until arrow keys show a place', async (t) => {
  for (const tool of ['spot', 'poly', 'rectangle'] as const) {
    const desk = new Desk(allTools[tool], objects);
    desk.selection = ['a'];
    t.equal(desk.send({ is: 'enter' }), false, tool);
    desk.step(10, 0);
    t.equal(desk.send({ is: 'enter' }), true, tool);
  }
});

t.test('a polygon ends at its first or last corner, with Enter and with Done; the tool stays active', async (t) => {
  const corners = [
    [500, 60],
    [700, 60],
    [700, 160],
  ] as const;
  const coords = corners.map(([x, y]) => ({ x, y }));
  const ends: readonly ((desk: Desk) => void)[] = [
    (desk) => desk.click(502, 61),
    (desk) => desk.click(700, 160),
    (desk) => desk.enter(),
    (desk) => void desk.send({ is: 'done' }),
  ];
  for (const end of ends) {
    const desk = new Desk(allTools.poly);
    for (const [x, y] of corners) desk.click(x, y);
    end(desk);
    t.strictSame(desk.created, [{ coords }]);
    t.equal(desk.state.name, 'idle');
    for (const [x, y] of corners) desk.click(x, y + 200);
    end(desk);
    t.ok(desk.state.name === 'idle' || desk.state.name === 'drawing', 'it draws the next one');
  }
});

t.test('a polygon is drawn by keys, and a corner can be taken back', async (t) => {
  const desk = new Desk(allTools.poly);
  desk.enter();
  desk.step(100, 0);
  desk.enter();
  desk.step(0, 10);
  desk.enter();
  t.equal(desk.send({ is: 'back' }), true);
  desk.step(0, 90);
  desk.enter();
  desk.enter();
  t.strictSame(desk.created, [
    {
      coords: [
        { x: 400, y: 300 },
        { x: 500, y: 300 },
        { x: 500, y: 400 },
      ],
    },
  ]);
  desk.enter();
  desk.enter();
  t.match(desk.effects.at(-1), { do: 'notice', text: 'A polygon needs three corners.' });
  t.equal(desk.send({ is: 'cancel' }), true, 'Esc gives the polygon up');
  t.equal(desk.send({ is: 'cancel' }), false, 'and then leaves the tool');
});

t.test('a new corner snaps to corners and edges of others; a second finger keeps what is drawn', async (t) => {
  const desk = new Desk(allTools.poly, { a: room(0, 0, 100, 100) });
  desk.click(103, 98);
  desk.click(50, 104);
  desk.press(300, 300);
  desk.send({ is: 'abort' });
  desk.click(300, 304);
  desk.enter();
  t.strictSame(desk.created, [
    {
      coords: [
        { x: 100, y: 100 },
        { x: 50, y: 100 },
        { x: 300, y: 304 },
      ],
    },
  ]);
});

t.test('rectangles and circles are drawn by a drag, by two clicks and by keys; Shift makes squares', async (t) => {
  const drawn = (draw: (desk: Desk) => void, tool: 'rectangle' | 'circle' = 'rectangle') => {
    const desk = new Desk(allTools[tool]);
    draw(desk);
    t.equal(desk.state.name, 'idle', 'the tool stays active');
    return desk.created;
  };
  const wanted = [room(100, 100, 160, 140)];
  t.strictSame(
    drawn((desk) => desk.drag([100, 100], [160, 140])),
    wanted,
  );
  t.strictSame(
    drawn((desk) => {
      desk.click(100, 100);
      desk.move(130, 130);
      desk.click(160, 140);
    }),
    wanted,
  );
  t.strictSame(
    drawn((desk) => {
      desk.step(-300, -200);
      desk.enter();
      desk.step(60, 40);
      desk.enter();
    }),
    wanted,
  );
  t.strictSame(
    drawn((desk) => desk.drag([100, 100], [160, 140], { shift: true })),
    [room(100, 100, 160, 160)],
  );
  t.strictSame(
    drawn((desk) => desk.drag([100, 100], [160, 100])),
    [],
    'without a height',
  );
  const [circle] = drawn((desk) => desk.drag([100, 100], [150, 100]), 'circle') as { coords: { x: number; y: number }[] }[];
  t.equal(circle?.coords.length, 64);
  t.ok(circle?.coords.every(({ x, y }) => Math.abs(Math.hypot(x - 100, y - 100) - 50) < 0.02));
});

t.test('the split tool splits the selected polygons, or what its line crosses', async (t) => {
  const desk = new Desk(allTools.split, objects);
  desk.drag([-20, 50], [320, 50], { control: true });
  const [first] = desk.effects;
  t.strictSame(first?.do === 'split' ? [...first.pieces.keys()] : first, ['a', 'b']);
  desk.selection = ['b'];
  desk.drag([-20, 50], [320, 50], { control: true });
  const last = desk.effects.at(-1);
  t.strictSame(last?.do === 'split' ? [...last.pieces.values()].map((pieces) => pieces.length) : last, [2]);
  desk.drag([500, 500], [600, 500]);
  t.match(desk.effects.at(-1), { do: 'notice' });
});

t.test('handles around several objects turn and scale them', async (t) => {
  const desk = new Desk(allTools.select, { a: { x: 100, y: 100, radius: 10 }, b: { x: 200, y: 100, radius: 10 } });
  desk.selection = ['a', 'b'];
  const { frame } = desk.sketch;
  t.match(frame, { box: { left: 80, top: 80, right: 220, bottom: 120 }, turn: { x: 150, y: 54 } });
  desk.drag([150, 54], [196, 100], { shift: true });
  t.match(desk.objects.get('a'), { x: 150, y: 50 });
  t.match(desk.objects.get('b'), { x: 150, y: 150, radius: 10 });
  const corner = desk.sketch.frame?.corners[2] ?? { x: 0, y: 0 };
  desk.drag([corner.x, corner.y], [150 + 2 * (corner.x - 150), 100 + 2 * (corner.y - 100)]);
  const { a, b } = Object.fromEntries(desk.objects) as Record<string, { x: number; y: number; radius: number }>;
  t.ok(Math.abs((b?.y ?? 0) - (a?.y ?? 0) - 200) < 0.01 && Math.abs((a?.radius ?? 0) - 20) < 0.01);
});

t.test('corners are chosen, moved, inserted and removed by keys; a move is one step', async (t) => {
  const desk = new Desk(allTools.select, { a: room(0, 0, 100, 100) });
  t.equal(desk.send({ is: 'corner', by: 1 }), false, 'nothing is selected');
  desk.selection = ['a'];
  desk.send({ is: 'corner', by: 1 });
  t.strictSame(desk.effects.at(-1), { do: 'say', text: 'Corner 1 of 4: 0, 0' });
  desk.send({ is: 'corner', by: -1 });
  t.strictSame(desk.sketch.cursor, { x: 0, y: 100 });
  desk.step(-10, 0);
  desk.step(-10, 5);
  t.match(desk.sketch.shapes?.get('a'), { coords: [{}, {}, {}, { x: -20, y: 105 }] });
  desk.enter();
  t.equal(desk.effects.filter((effect) => effect.do === 'reshape').length, 1);
  t.equal(desk.state.name, 'idle');
  desk.send({ is: 'corner', by: 1 });
  desk.step(50, 50);
  desk.send({ is: 'cancel' });
  t.match(desk.objects.get('a'), { coords: [{ x: 0, y: 0 }, {}, {}, { x: -20, y: 105 }] }, 'Esc gives it up');
  desk.click(0, 0);
  t.equal(desk.state.name, 'corner', 'a click on a corner chooses it');
  desk.send({ is: 'insert' });
  t.match(desk.objects.get('a'), { coords: [{ x: 0 }, { x: 50, y: 0 }, { x: 100 }, {}, {}] });
  desk.step(0, -10);
  desk.send({ is: 'corner', by: 1 });
  t.match(desk.objects.get('a'), { coords: [{ x: 0 }, { x: 50, y: -10 }, {}, {}, {}] }, 'the next corner saves the move');
  desk.send({ is: 'back' });
  desk.send({ is: 'back' });
  desk.send({ is: 'back' });
  t.match(desk.objects.get('a'), { coords: { length: 3 } });
  t.match(desk.effects.at(-1), { do: 'notice' });
  desk.step(0, 10);
  desk.click(600, 600);
  t.strictSame(desk.selection, [], 'a click elsewhere saves the move and selects nothing');
});

t.test('a typed place moves the cursor of a drawing tool, or the chosen corner', async (t) => {
  const rectangle = new Desk(allTools.rectangle, objects);
  for (const at of [
    { x: 60, y: 60 },
    { x: 260, y: 240 },
  ]) {
    rectangle.send({ is: 'place', at });
    rectangle.enter();
  }
  t.strictSame(rectangle.created, [room(60, 60, 260, 240)]);
  const spots = new Desk(allTools.spot, objects);
  spots.send({ is: 'place', at: { x: 120, y: 130 } });
  t.strictSame(spots.sketch.cursor, { x: 120, y: 130 });
  spots.enter();
  t.match(spots.created, [{ x: 120, y: 130 }]);
  const corner = new Desk(allTools.select, objects);
  corner.selection = ['a'];
  corner.send({ is: 'corner', by: 1 });
  corner.send({ is: 'place', at: { x: -10, y: 5 } });
  corner.enter();
  t.match(corner.objects.get('a'), { coords: [{ x: -10, y: 5 }] });
});

t.test('what would have no area is not drawn, and a notice says so', async (t) => {
  const flat = { do: 'notice', text: 'Nothing is drawn: all corners are on one line.' };
  const place = (desk: Desk, ...places: [number, number][]) => {
    for (const [x, y] of places) {
      desk.send({ is: 'place', at: { x, y } });
      desk.enter();
    }
  };
  const rectangle = new Desk(allTools.rectangle, {});
  place(rectangle, [10, 50], [90, 50]);
  t.match(rectangle.effects.at(-1), flat);
  place(rectangle, [10, 50], [10, 50]);
  t.match(rectangle.effects.at(-1), { do: 'notice', text: 'Both points are the same.' });
  const polygon = new Desk(allTools.poly, {});
  place(polygon, [20, 20], [10, 10], [30, 30], [30, 30]);
  t.match(polygon.effects.at(-1), flat);
  t.strictSame([...rectangle.created, ...polygon.created], []);
  place(polygon, [30, 10], [30, 10]);
  t.equal(polygon.created.length, 1, 'one more corner makes it an area');
});

t.test('a line has no edge from its last corner to its first, and keeps two corners', async (t) => {
  const line: Shape = {
    coords: [
      { x: 0, y: 0 },
      { x: 100, y: 0 },
      { x: 100, y: 100 },
    ],
    closed: false,
  };
  const desk = new Desk(allTools.select, { line });
  desk.selection = ['line'];
  const corners = () => (desk.objects.get('line') as { readonly coords: readonly Point[] }).coords.map(({ x, y }) => `${x},${y}`);
  desk.drag([50, 50], [20, 80], { control: true });
  t.strictSame(corners(), ['0,0', '100,0', '100,100'], 'nothing is between the ends');
  desk.selection = ['line'];
  desk.drag([50, 0], [50, -20], { control: true });
  t.strictSame(corners(), ['0,0', '50,-20', '100,0', '100,100']);
  desk.send({ is: 'corner', by: -1 });
  desk.send({ is: 'insert' });
  t.strictSame(corners(), ['0,0', '50,-20', '100,0', '100,50', '100,100'], 'after the last corner is none');
  for (let left = 5; left > 1; left--) desk.send({ is: 'back' });
  t.equal(corners().length, 2);
  t.match(desk.effects.at(-1), { do: 'notice', text: /line needs two corners/ });
});

t.test('the split tool leaves lines alone, and a polygon whose hole it would cut', async (t) => {
  const line: Shape = { coords: (room(0, 0, 100, 100) as { coords: readonly Point[] }).coords, closed: false };
  const ring = { ...room(200, 0, 300, 100), holes: [(room(220, 20, 280, 80) as { coords: readonly Point[] }).coords] };
  const desk = new Desk(allTools.split, { line, ring });
  desk.drag([-50, 50], [350, 50]);
  t.match(desk.effects.at(-1), { do: 'notice', text: /not through a hole/ });
});

t.test('a line is a polygon that is left open: it ends at its last corner, with Enter and with Done', async (t) => {
  const coords = [
    { x: 500, y: 60 },
    { x: 700, y: 60 },
    { x: 500, y: 62 },
  ];
  const ends: readonly ((desk: Desk) => void)[] = [
    (desk) => desk.click(501, 63),
    (desk) => desk.enter(),
    (desk) => void desk.send({ is: 'done' }),
  ];
  for (const end of ends) {
    const desk = new Desk(allTools.line);
    for (const { x, y } of coords) desk.click(x, y, { control: true });
    t.equal(desk.sketch.outline?.isClosed, false);
    end(desk);
    t.strictSame(desk.created, [{ coords, closed: false }], 'the first corner does not end it');
    t.equal(desk.state.name, 'idle');
  }
  const short = new Desk(allTools.line);
  short.click(10, 10);
  short.enter();
  t.match(short.effects.at(-1), { do: 'notice', text: 'A line needs two corners.' });
  short.click(10, 60);
  short.enter();
  t.equal(short.created.length, 1, 'the corner before is kept');
});

t.test('a hole is cut into the selected polygon, by pointer, keys and typed places', async (t) => {
  const ring = cornersOf(room(20, 20, 60, 60));
  const cuts: readonly ((desk: Desk) => void)[] = [
    (desk) => {
      for (const { x, y } of ring) desk.click(x, y);
      desk.click(20, 20);
    },
    (desk) => {
      for (const at of ring) {
        desk.send({ is: 'place', at });
        desk.enter();
      }
      desk.enter();
    },
  ];
  for (const cut of cuts) {
    const desk = new Desk(allTools.hole, objects);
    desk.selection = ['a'];
    cut(desk);
    t.strictSame(desk.objects.get('a'), { ...room(0, 0, 100, 100), holes: [ring] });
    t.equal(desk.state.name, 'idle', 'the tool stays active');
  }
  const desk = new Desk(allTools.hole, objects);
  for (const { x, y } of ring) desk.click(x + 200, y);
  t.strictSame(desk.selection, ['b'], 'the first corner selects the polygon below it');
  desk.enter();
  t.match(desk.objects.get('b'), { holes: [{ length: 4 }] });
});

t.test('a hole is refused where it cannot be, with the reason', async (t) => {
  const line: Shape = { coords: cornersOf(room(600, 0, 700, 100)), closed: false };
  const desk = new Desk(allTools.hole, { ...objects, line });
  const last = () => (desk.effects.at(-1) as { readonly text?: string }).text;
  desk.click(500, 500);
  t.match(last(), /Select the polygon/);
  for (const id of ['spot', 'line']) {
    desk.selection = [id];
    desk.click(600, 50);
    t.match(last(), /Select the polygon/, id);
  }
  desk.selection = ['a'];
  desk.click(250, 50);
  t.match(last(), /within the selected polygon/);
  t.equal(desk.state.name, 'idle', 'the corner is not taken');
  for (const [x, y] of [
    [20, 20],
    [40, 40],
    [60, 60],
  ] as const)
    desk.click(x, y);
  desk.enter();
  t.match(last(), /on one line/);
  desk.send({ is: 'cancel' });
  desk.objects.set('a', { ...room(0, 0, 100, 100), holes: [cornersOf(room(40, 40, 60, 60))] } as Shape);
  desk.click(50, 50, { control: true });
  t.match(last(), /overlaps/);
  for (const [x, y] of cornersOf(room(30, 30, 70, 70)).map(({ x, y }) => [x, y] as const)) desk.click(x, y, { control: true });
  desk.enter();
  t.match(last(), /overlaps/, 'around another hole');
  t.equal(desk.effects.filter((effect) => effect.do === 'reshape').length, 0);
});

t.test('which rings can be a hole of a polygon', async (t) => {
  const u = {
    coords: [
      ...[
        { x: 0, y: 0 },
        { x: 30, y: 0 },
        { x: 30, y: 70 },
        { x: 70, y: 70 },
      ],
      ...[
        { x: 70, y: 0 },
        { x: 100, y: 0 },
        { x: 100, y: 100 },
        { x: 0, y: 100 },
      ],
    ],
  };
  const ring = (...box: Parameters<typeof room>) => cornersOf(room(...box));
  t.equal(holeRefusal(u, ring(5, 5, 25, 90)), undefined);
  t.equal(holeRefusal(u, ring(10, 10, 90, 90)), 'outside', 'all corners are in it, but the middle is not');
  t.equal(holeRefusal(u, ring(0, 70, 30, 100)), undefined, 'it may touch the outline');
  const many = { ...u, holes: Array.from({ length: 100 }, () => ring(5, 5, 10, 10)) };
  t.equal(holeRefusal(many, ring(15, 15, 20, 20)), 'many');
  const one = { ...u, holes: [ring(5, 20, 25, 40)] };
  t.equal(holeRefusal(one, ring(5, 20, 25, 40)), 'overlaps', 'the same again');
  t.equal(holeRefusal(one, ring(10, 30, 20, 50)), 'overlaps');
  t.equal(holeRefusal(one, ring(5, 40, 25, 60)), undefined, 'it may touch another hole');
});

t.test(
  'corners of holes are moved, inserted and removed as those of the outline; without a third one, the hole is gone',
  async (t) => {
    const hole = cornersOf(room(20, 20, 60, 60));
    const desk = new Desk(allTools.select, { a: { ...room(0, 0, 100, 100), holes: [hole] } as Shape });
    desk.selection = ['a'];
    const shape = () =>
      desk.objects.get('a') as { readonly coords: readonly Point[]; readonly holes: readonly (readonly Point[])[] };
    desk.drag([60, 60], [70, 75], { control: true });
    t.match(shape(), { coords: { length: 4 }, holes: [[{}, {}, { x: 70, y: 75 }, {}]] });
    desk.drag([40, 20], [40, 10], { control: true });
    t.match(shape().holes, [{ length: 5, 1: { x: 40, y: 10 } }]);
    desk.click(40, 10, { alt: true });
    t.match(shape().holes, [{ length: 4 }]);
    desk.send({ is: 'corner', by: -1 });
    t.match(desk.effects.at(-1), { do: 'say', text: 'Corner 4 of 4 of hole 1: 20, 60' }, 'the last one of all');
    desk.step(-5, 0);
    desk.send({ is: 'corner', by: 1 });
    t.match(shape().holes, [{ length: 4, 3: { x: 15, y: 60 } }]);
    t.match(desk.effects.at(-1), { text: 'Corner 1 of 4: 0, 0' }, 'then the outline');
    desk.send({ is: 'corner', by: -1 });
    desk.send({ is: 'back' });
    t.match(shape().holes, [{ length: 3 }]);
    desk.send({ is: 'back' });
    t.strictSame(shape().holes, []);
    t.equal(shape().coords.length, 4);
  },
);

t.test('the text tool asks for a text at a place, by a click and by keys', async (t) => {
  const desk = new Desk(allTools.text, objects);
  desk.click(50, 50);
  t.strictSame(desk.effects, [{ do: 'write', at: { x: 50, y: 50 } }], 'also on another object');
  desk.step(0, 10);
  desk.enter();
  t.strictSame(desk.effects.at(-1), { do: 'write', at: { x: 400, y: 310 } });
});

t.test('places are whole pixels, unless Ctrl is held or the view is so close that their parts matter', async (t) => {
  const desk = new Desk(allTools.spot);
  desk.click(10.4, 20.6);
  desk.click(110.4, 20.6, { control: true });
  desk.unit = 0.1;
  desk.click(210.404, 20.6);
  t.match(desk.created, [
    { x: 10, y: 21 },
    { x: 110.4, y: 20.6 },
    { x: 210.4, y: 20.6 },
  ]);
  const moved = new Desk(allTools.select, { spot: { x: 5.3, y: 5, radius: 20.5 }, b: room(200.25, 0, 300, 100) });
  moved.selection = ['spot'];
  moved.drag([5, 5], [45.2, 65.6]);
  t.match(moved.objects.get('spot'), { x: 46, y: 66 }, 'the centre of a spot');
  moved.selection = ['b'];
  moved.drag([250, 50], [250.4, 350]);
  t.match(moved.objects.get('b'), { coords: [{ x: 201, y: 300 }, {}, {}, {}] }, 'the corner of a box');
});

t.test(
  'a point takes corners and edges of neighbours, and no centre; a box takes a centre only if it is clearly nearer',
  async (t) => {
    const snapping = { tolerance: 7, grid: 1 };
    const targets = targetsOf([room(0, 0, 100, 100), room(200, 0.5, 300, 100)]);
    const snapAt = (x: number, y: number) => snapPoint({ x, y }, targets, snapping).at;
    t.strictSame(snapAt(97, 104), { x: 100, y: 100 }, 'a corner');
    t.strictSame(snapAt(60.4, 103), { x: 60, y: 100 }, 'an edge, at whole pixels along it');
    t.strictSame(snapAt(240.4, -2), { x: 240, y: 0.5 }, 'an edge between pixels stays where it is');
    t.strictSame(snapAt(48.2, 300.3), { x: 48, y: 300 }, 'not the centre of a box');
    t.strictSame(snapAt(98.2, 300.3), { x: 100, y: 300 }, 'in line with an edge');
    const slope = targetsOf([
      {
        coords: [
          { x: 0, y: 0 },
          { x: 90, y: 30 },
          { x: 0, y: 30 },
        ],
      },
    ]);
    const { x, y } = snapPoint({ x: 45, y: 13 }, slope, snapping).at;
    t.ok(Math.abs(x - 3 * y) < 1e-9, 'on a slope the point is on the edge');
    const box = (left: number, width: number) => ({ left, right: left + width, top: 300, bottom: 340 });
    const byOf = (left: number, width: number) => snapBox(box(left, width), targets, snapping, { x: left, y: 300 }).by.x;
    t.equal(byOf(1.5, 94), -1.5, 'an edge, although the centre is as near');
    t.equal(byOf(2.5, 94), 0.5, 'the centre, which is clearly nearer');
    t.equal(byOf(80, 40), 0, 'an edge takes no centre');
    const far = { left: 4, right: 44, top: 5000, bottom: 5040 };
    const near = { left: -40, right: -4, top: 360, bottom: 380 };
    const [guide] = snapBox(box(0, 300), { boxes: [far, near], polygons: [] }, snapping, { x: 0, y: 300 }).guides;
    t.strictSame(
      guide,
      [
        { x: -4, y: 300 },
        { x: -4, y: 380 },
      ],
      'of equal moves, that to the nearer neighbour',
    );
  },
);
