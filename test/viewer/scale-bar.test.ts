/** The scale bar of a printed map: a round distance, as long as it is on Earth. */
import t from 'tap';
import { mercatorOf } from '../../src/lib/geo/geo.ts';
import { scaleBarFor } from '../../src/web/viewer/element/share/print/scale-bar.ts';
import fc from '../support/fast-check.ts';

t.test('a bar is as long as its label says, at its latitude', async (t) => {
  // At the equator a metre of Web Mercator is one on Earth; at 60° it is half of one.
  t.strictSame(scaleBarFor(10, 0, 160, ['en']), { width: 100, label: '1 km' });
  const { width, label } = scaleBarFor(10, mercatorOf(60, 0).y, 160, ['en']);
  t.equal(label, '500 m');
  t.ok(Math.abs(width - 100) < 0.01, `${width}`);
  t.equal(scaleBarFor(10, 0, 160, ['de']).label, '1 km');
  t.equal(scaleBarFor(0.01, 0, 160, ['en']).label, '1 m');
  t.equal(scaleBarFor(40_000, 0, 160, ['en']).label, '5,000 km');
});

t.test('every bar has room, and takes more than a third of it', async () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.001, max: 160_000, noNaN: true }),
      fc.double({ min: -85, max: 85, noNaN: true }),
      (resolution, lat) => {
        const { width } = scaleBarFor(resolution, mercatorOf(lat, 0).y, 160, ['en']);
        return width <= 160.001 && width > 160 / 3;
      },
    ),
  );
});
