// tier: normal
/** The tools of the editor as states, without a browser: what pointer, keys and fingers do with each. */
import t from 'tap';
import type { Point, Shape } from '../../src/web/console/shapes/shape.ts';
import { allTools } from '../../src/web/console/tools/all-tools.ts';
import { Desk, room } from './tool-support.ts';

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
  desk.drag([40, 340], [52, 46]);
  t.strictSame(desk.objects.get('b'), room(10, 10, 90, 90), 'both centres, which are nearer than the edges');
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
