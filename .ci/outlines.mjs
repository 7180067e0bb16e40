/**
 * The outlines of land and borders for the pages: those of Natural Earth at 1:110 million, which are in the public domain, from `world-atlas`. They are
 * on the map of the world in Web Mercator, a square of {@link side} units with its corner in the north-west.
 */
import fs from 'node:fs';
import path from 'node:path';
import { licenceOf } from './bundled-packages.mjs';

/** Units of the world in each direction: 1.2 kilometres at the equator, finer than the outlines. */
const side = 32_768;
const latMax = 85.0511287798066;

/** A module with {@link outlinesIn}, which is a script so that pages need no other source for it in their policies. @param root of the project */
export function outlinesScript(root) {
  const notice = `\nThis script contains outlines of Natural Earth, which are in the public domain, from:\n\n${licenceOf('node_modules/world-atlas')}\n`;
  return `export default ${JSON.stringify(outlinesIn(root))};\n/*!${notice.replaceAll('*/', '* /')}*/\n`;
}

/**
 * `{ side, arcs, borders, land }`: each arc is a list of steps `dx, dy` that begins at 0, 0; `borders` is the number of arcs between two countries, which
 * come first; `land` has rings, lists of arcs, where `~i` is the arc `i` backwards.
 */
function outlinesIn(root) {
  const { arcs, transform, objects } = JSON.parse(
    fs.readFileSync(path.join(root, 'node_modules/world-atlas/countries-110m.json'), 'utf8'),
  );
  const uses = arcs.map(() => 0);
  for (const { type, arcs: parts } of objects.countries.geometries)
    for (const polygon of type === 'Polygon' ? [parts] : parts)
      for (const ring of polygon) for (const arc of ring) uses[arc < 0 ? ~arc : arc] += 1;
  const order = arcs.map((_, i) => i).sort((a, b) => Number(uses[b] > 1) - Number(uses[a] > 1) || a - b);
  const place = new Map(order.map((from, to) => [from, to]));
  const land = objects.land.geometries.flatMap(({ type, arcs: parts }) => (type === 'Polygon' ? [parts] : parts)).flat();
  return {
    side,
    arcs: order.map((i) => steps(cornersOf(arcs[i], transform))),
    borders: uses.filter((count) => count > 1).length,
    land: land.map((ring) => ring.map((arc) => (arc < 0 ? ~place.get(~arc) : place.get(arc)))),
  };
}

function cornersOf(arc, { scale, translate }) {
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]) => {
    x += dx;
    y += dy;
    return onMap(x * scale[0] + translate[0], y * scale[1] + translate[1]);
  });
}

function onMap(lng, lat) {
  const within = Math.max(-latMax, Math.min(latMax, lat)) * (Math.PI / 180);
  const north = Math.log(Math.tan(Math.PI / 4 + within / 2)) / Math.PI;
  return [Math.round(((lng + 180) / 360) * side), Math.round(((1 - north) / 2) * side)];
}

/** Without corners that are where the former one is. Beyond the first corner, a step goes the shorter way round the world. */
function steps(corners) {
  let [x, y] = [0, 0];
  return corners.flatMap(([toX, toY], i) => {
    const dx = i === 0 ? toX : toX - x - side * Math.round((toX - x) / side);
    const dy = toY - y;
    [x, y] = [toX, toY];
    return i > 0 && i < corners.length - 1 && dx === 0 && dy === 0 ? [] : [dx, dy];
  });
}
