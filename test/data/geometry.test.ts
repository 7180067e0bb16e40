// tier: normal
/** The geometry of the examples: projection, simplification along borders, rings clipped at the edge of the view. */
import t from 'tap';
import {
  area,
  centre,
  mercator,
  type Point,
  projectArcs,
  simplify,
  sphericalArea,
  type View,
  visiblePieces,
} from '../../data/geometry.ts';

const view: View = { lat: 0, lng: 0, zoom: 2, width: 1024, height: 512 };

t.test('the Mercator projection maps coordinates to pixels of the view', async (t) => {
  const project = mercator(view);
  t.same(project(0, 0), [512, 256], 'the centre is in the middle');
  t.same([project(-180, 0)[0], project(180, 0)[0]], [0, 1024], 'a world is 256 pixels, twice doubled');
  t.equal(mercator({ ...view, lng: 90 })(90, 0)[0], 512);
  t.ok(Number.isFinite(project(0, -90)[1]), 'the pole is somewhere');
});

t.test('simplification keeps shared borders and drops small points', async (t) => {
  const zigzag: Point[] = [
    [0, 0],
    [1, 0.2],
    [2, 0],
    [3, 5],
    [4, 0],
  ];
  t.same(simplify(zigzag, 1), [
    [0, 0],
    [2, 0],
    [3, 5],
    [4, 0],
  ]);
  t.same(simplify(zigzag, 0.1), zigzag);
  t.same(
    simplify(
      [
        [0, 0],
        [5, 0],
        [5, 5],
        [0, 0],
      ],
      1,
    ),
    [
      [0, 0],
      [5, 0],
      [5, 5],
      [0, 0],
    ],
    'a closed line keeps its shape',
  );

  const topology = {
    type: 'Topology',
    objects: {},
    transform: { scale: [2, 2], translate: [1, 1] },
    arcs: [
      [
        [0, 0],
        [1, 0],
        [1, 0],
      ],
    ],
  };
  t.same(
    projectArcs(topology as never, (x, y) => [x, y], 0).arcs,
    [
      [
        [1, 1],
        [5, 1],
      ],
    ],
    'steps are added up, a point on the line is left out',
  );
});

t.test('rings are clipped at the edge of the view and split at the antimeridian', async (t) => {
  const square: Point[] = [
    [10, 10],
    [20, 10],
    [20, 20],
    [10, 20],
    [10, 10],
  ];
  t.equal(area(square), 100);
  t.same(centre(square), [15, 15]);
  t.same(visiblePieces(square, view, 1), [square.slice(1)], 'open again');
  t.same(visiblePieces(square, view, 101), [], 'too small');
  t.same(
    visiblePieces(
      square.map(([x, y]) => [x, y + 600]),
      view,
      1,
    ),
    [],
    'below the view',
  );

  const half = visiblePieces(
    square.map(([x, y]) => [x - 15, y]),
    view,
    1,
  );
  t.same(
    half.map((piece) => Math.abs(area(piece))),
    [50, 50],
    'what leaves the map on the left comes in on the right',
  );

  const crossing: Point[] = [
    [1014, 10],
    [10, 10],
    [10, 30],
    [1014, 30],
    [1014, 10],
  ];
  const pieces = visiblePieces(crossing, view, 1);
  t.same(pieces.map((piece) => Math.abs(area(piece))).sort(), [200, 200], 'across the antimeridian, not across the map');

  const around: Point[] = [
    [0, 500],
    [256, 490],
    [512, 500],
    [768, 490],
    [1024, 500],
  ];
  const polar = visiblePieces(around, view, 1);
  t.equal(Math.abs(polar.reduce((sum, piece) => sum + area(piece), 0)), 1024 * 17, 'around a pole: everything below');
});

t.test('the area on the sphere is that of the Earth', async (t) => {
  const degree = sphericalArea([
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
    [0, 0],
  ]);
  t.ok(Math.abs(degree - 12_364) < 5, `${degree} square kilometres`);
  const crossing = sphericalArea([
    [179.5, 0],
    [-179.5, 0],
    [-179.5, 1],
    [179.5, 1],
    [179.5, 0],
  ]);
  t.ok(Math.abs(crossing - degree) < 0.001, 'the antimeridian is no edge');
});
