/** The icons of Maki and Temaki as paths, for published maps and the console: `{ "maki:toilet": { "path": "M3 1.5…", "size": 15 } }`. */
import fs from 'node:fs';
import path from 'node:path';
import svgpath from 'svgpath';

const sets = { maki: 'node_modules/@mapbox/maki', temaki: 'node_modules/@rapideditor/temaki' };
/** Digits after the point, for icons of 15 units: a hundredth of a unit is invisible. */
const digits = 2;

/** @param root folder of the project */
export function iconsIn(root) {
  const icons = {};
  for (const [set, folder] of Object.entries(sets)) {
    const files = path.join(root, folder, 'icons');
    for (const file of fs
      .readdirSync(files)
      .filter((each) => each.endsWith('.svg'))
      .sort())
      icons[`${set}:${path.basename(file, '.svg')}`] = iconIn(fs.readFileSync(path.join(files, file), 'utf8'), file);
  }
  return icons;
}

function iconIn(svg, file) {
  const [left, top, width, height] =
    /viewBox="([^"]+)"/
      .exec(svg)?.[1]
      .split(/[\s,]+/)
      .map(Number) ?? [];
  const paths = [...svg.matchAll(/<path\b[^>]*\bd="([^"]+)"/g)].map(([, path]) => path);
  const other = /<(?!path\b|svg\b|\/|\?|!--)\w+|transform=|fill-rule=/.exec(svg)?.[0];
  if (!(width > 0 && height > 0) || paths.length === 0 || other !== undefined)
    throw new Error(`${file} is no icon of paths alone: ${other ?? 'no viewBox or no path'}`);
  const size = Math.round(Math.max(width, height));
  // Some have line breaks in their paths, as references to characters.
  const drawn = svgpath(paths.join(' ').replace(/&#x?[0-9a-f]+;/gi, ' '));
  if (drawn.err) throw new Error(`${file} has a path that cannot be read: ${drawn.err}`);
  const all = drawn.translate((size - width) / 2 - left, (size - height) / 2 - top);
  return { path: all.rel().round(digits).toString(), size };
}
