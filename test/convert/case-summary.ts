/** Says what a file becomes, in short lines that a person can compare with what they expect. */
import fs from 'node:fs';
import path from 'node:path';
import { type MapArea, toPlace } from '../../src/lib/geo/geo.ts';
import type { Body, Conversion, ConvertOptions } from '../../src/web/convert/conversion.ts';
import { convert } from '../../src/web/convert/convert.ts';
import { projectRoot } from '../support/project.ts';

/** Small files as people have them. */
export const casesFolder = path.join(projectRoot(import.meta.dirname), 'test/convert/cases');

type Pixel = { readonly x: number; readonly y: number };

const rounded = (value: number): string => String(Math.round(value * 1000) / 1000);

/** Members of a new object that has no style in its file, by shape. */
const usual: Readonly<Record<string, Body>> = {
  spot: { stroke_color: '#ffffff', stroke_width: 1, radius: 8 },
  area: { stroke_color: '#ffffff', stroke_width: 1, opacity: 0.6 },
  line: { stroke_color: '#3b82f6', stroke_width: 2 },
};

const shown = 'category color opacity stroke_color stroke_opacity stroke_width radius label click_action_url'.split(' ');

/** The look of an object, its category and its link, as the file says them. */
function looksOf(body: Body, kind: string): string {
  const known = usual[kind] ?? {};
  const names = shown.filter((name) => body[name] !== undefined && body[name] !== known[name]);
  return names.map((name) => `; ${name} ${body[name]}`).join('');
}

/** Lines: the artboard, then each object with its place, then notes. Places are degrees on a map (longitude first), else pixels. */
export function summaryOf(conversion: Conversion, given?: MapArea & { readonly type: string }): string[] {
  const { artboard, objects, popups, background, report } = conversion;
  const area = { ...given, ...artboard } as MapArea & { readonly type: string };
  const isMap = area.type === 'osm';
  const placeIn = isMap ? toPlace(area) : undefined;
  const at = ({ x, y }: Pixel): string => {
    if (placeIn === undefined) return `${Math.round(x)},${Math.round(y)}`;
    const { lng, lat } = placeIn({ x, y });
    return `${rounded(lng)},${rounded(lat)}`;
  };
  const ring = (corners: unknown): string => (corners as Pixel[]).map(at).join(' ');
  const shape = (body: Body): string => {
    if (body['type'] === 'spot') return `spot ${at(body as unknown as Pixel)}`;
    const holes = (body['holes'] as unknown[] | undefined) ?? [];
    return `${body['closed'] === false ? 'line' : 'area'} ${[body['coords'], ...holes].map(ring).join(' without ')}`;
  };
  return [
    isMap ? 'map' : `${area.type} ${area.width} x ${area.height}${background === undefined ? '' : ', with background'}`,
    ...objects.map(({ body }, i) => {
      const kind = body['type'] === 'spot' ? 'spot' : body['closed'] === false ? 'line' : 'area';
      const contents = popups.filter(({ object }) => object === i).map(({ body: popup }) => `popup ${popup['content']}`);
      return [`${body['name']}: ${shape(body)}${looksOf(body, kind)}`, ...contents].join('; ');
    }),
    ...(report.warning === undefined ? [] : [`warning ${report.warning}`]),
    ...report.notes.map(({ code, at: where, detail }) => `note ${code}${where === '' ? '' : ` at ${where}`}: ${detail}`),
  ];
}

/** The summary of a case, or why it is refused. */
export async function summaryOfCase(file: string, options: ConvertOptions = {}): Promise<string[]> {
  try {
    return summaryOf(await convert(fs.readFileSync(path.join(casesFolder, file)), options));
  } catch (error) {
    const { name, message } = error as Error;
    if (name !== 'ConvertError') throw error;
    return [`refused: ${message}`];
  }
}
