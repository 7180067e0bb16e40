/** The members of resources in a few words, from their schemas: what an agent may write into the body of an operation. */
import { artboards, dataSources, objects, popups, projects } from '../model/resources.ts';

interface Member {
  readonly type?: string;
  readonly enum?: readonly unknown[];
}

/** Longer lists of words are in the API description. */
const wordsMax = 7;

const words: Readonly<Record<string, string>> = { string: 'text', boolean: 'true/false', array: 'list' };

function wordOf({ type = '', enum: choices }: Member): string {
  if (choices !== undefined && choices.length <= wordsMax) return choices.join('|');
  return words[type] ?? (choices === undefined ? type : 'text');
}

/** `name text, x number, …` */
function membersOf({ writable, bodies }: typeof objects, but: readonly string[] = []): string {
  const properties = bodies.create.properties as Readonly<Record<string, Member>>;
  return writable
    .filter((name) => !but.includes(name) && properties[name] !== undefined)
    .map((name) => `${name} ${wordOf(properties[name] as Member)}`)
    .join(', ');
}

export const memberWords = (): string =>
  [
    `object: ${membersOf(objects)}. x, y and corners [{"x","y"}] are pixels from the top left; on an "osm" artboard give lat and lng, or places [{"lat","lng"}], instead. A polygon (poly) moves by its coords. An object is drawn with its own color and icon (maki:NAME, temaki:NAME), also if its category has others.`,
    `artboard: ${membersOf(artboards, ['embedding_url'])}.`,
    `popup (path /popups): ${membersOf(popups)}.`,
    `data source (/data-sources): ${membersOf(dataSources)}.`,
    'Variables (/variables) and actions (/actions): read document live-data, then evaluate.',
    `project (path /): ${membersOf(projects, ['artboards', 'popups', 'data_sources', 'variables', 'actions'])}; settings.public_map has categories and fields that visitors see: read document api, section Public map.`,
  ].join('\n');
