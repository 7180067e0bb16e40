/** `GET …/publication/visits` and `…/visits.csv`: how often a published map, and its places, were opened on each day. */
import Type, { type Static } from 'typebox';
import type { Published } from '../../../engine/projects/find-publications.ts';
import { problems } from '../../../http/problem.ts';
import type { Reply } from '../../../http/response/reply.ts';
import { newestVersion } from '../../../store/stored-publication.ts';
import { type DayVisits, dateOf, dayOf, daysIn, noVisits, visitDaysMax } from '../../../store/visits.ts';
import { type Api, endpoint, type Request } from '../../declaration.ts';
import { exampleIds } from '../../openapi/resource-examples.ts';
import { publicationPath, publishedOf } from '../publication-endpoints.ts';
import { readableMap } from './published-places.ts';
import { visitsCsv } from './visits-csv.ts';

/** Days that are shown if the request names none. */
const daysShown = 30;
/** Places in a JSON response: the most opened ones. */
const placesShown = 1000;

const count = (description: string) => Type.Integer({ minimum: 0, description });

const VisitsSchema = Type.Object(
  {
    from: Type.String({ description: 'First day, in UTC: `2026-11-01`' }),
    to: Type.String({ description: 'Last day' }),
    counted: Type.Boolean({ description: 'Whether visits are counted; `false` with `--no-counts`' }),
    opened: count('Openings of the map on all days'),
    searches: count('Searches without a result on all days'),
    days: Type.Array(
      Type.Object({
        date: Type.String({ description: 'The day' }),
        ...{
          opened: count('Openings of the map'),
          places: count('Openings of places'),
          searches: count('Searches without a result'),
        },
      }),
      { description: 'Every day, also those without visits' },
    ),
    places: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Identifier of the object' }),
        name: Type.Union([Type.String(), Type.Null()], {
          description: 'Its name in the newest published version; `null` if it has none, or is not in it any more',
        }),
        opened: count('Openings'),
      }),
      { description: `Places by their openings on all days, the most opened first, at most ${placesShown}` },
    ),
    other: count('Openings of other places: beyond 100 different ones of a day, and beyond those in `places`'),
  },
  { title: 'Visits', description: 'Visits of a published map.', additionalProperties: false },
);

const date = (what: string) => Type.String({ format: 'date', description: what });

const query = {
  from: date(`First day, in UTC: \`2026-11-01\`. Default: ${daysShown - 1} days before \`to\``),
  to: date('Last day. Default: today, in UTC'),
};

const path = `${publicationPath}/visits`;
const tag = 'Publications';
const kept = `Counts are kept for ${visitDaysMax} days, and deleted when the map is made private. They change no version and no entity tag. Those of the last minute are in memory only.`;

export const visitsEndpoints = [
  endpoint({
    method: 'GET',
    ...{ path, tag, query, id: 'showVisits', summary: 'Show how often a published map was opened' },
    description: kept,
    isUnversioned: true,
    response: VisitsSchema,
    example: () => ({
      response: {
        ...{ from: '2026-11-23', to: '2026-11-24', counted: true, opened: 45, searches: 1 },
        days: [
          { date: '2026-11-23', opened: 40, places: 12, searches: 1 },
          { date: '2026-11-24', opened: 5, places: 0, searches: 0 },
        ],
        places: [{ id: exampleIds.Object, name: 'Bakery', opened: 12 }],
        other: 0,
      },
    }),
    handle: show,
  }),
  endpoint({
    method: 'GET',
    ...{ path: `${path}.csv`, tag, query, id: 'exportVisits', summary: 'Show how often a published map was opened, as CSV' },
    description: `A line for each day and count: \`date,what,id,name,count\`; \`what\` is \`opened\`, \`searches\`, \`place\` or \`other\`. Counts of 0 are left out. ${kept}`,
    isUnversioned: true,
    response: Type.String({ description: 'The counts' }),
    responseType: 'text/csv',
    handle: asCsv,
  }),
];

const noStore = { 'Cache-Control': 'no-store' };

async function show(api: Api, request: Request): Promise<Reply> {
  const { from, to } = rangeIn(api, request);
  const published = await publishedOf(api, request);
  const found = new Map(daysOf(api, published, from, to).map((day) => [day.day, day]));
  const days = Array.from({ length: to - from + 1 }, (_, i) => found.get(from + i) ?? noVisits(from + i));
  const totals = totalsOf(days);
  const listed = totals.slice(0, placesShown);
  const names = await namesOf(
    api,
    published,
    listed.map(([id]) => id),
  );
  const shown: Static<typeof VisitsSchema> = {
    ...{ from: dateOf(from), to: dateOf(to), counted: api.visits !== undefined },
    opened: sum(days.map((day) => day.opened)),
    searches: sum(days.map((day) => day.searches)),
    days: days.map((day) => {
      const { opened, searches, other, places } = day;
      return { date: dateOf(day.day), opened, places: other + sum([...places.values()]), searches };
    }),
    places: listed.map(([id, opened]) => ({ id, name: names[id] ?? null, opened })),
    other: sum(days.map((day) => day.other)) + sum(totals.slice(placesShown).map(([, opened]) => opened)),
  };
  return { kind: 'json', status: 200, json: JSON.stringify(shown), headers: noStore };
}

async function asCsv(api: Api, request: Request): Promise<Reply> {
  const { from, to } = rangeIn(api, request);
  const published = await publishedOf(api, request);
  const days = daysOf(api, published, from, to);
  const names = await namesOf(api, published, [...new Set(days.flatMap(({ places }) => [...places.keys()]))]);
  return { kind: 'text', status: 200, text: visitsCsv(days, names), contentType: 'text/csv; charset=utf-8', headers: noStore };
}

const sum = (counts: readonly number[]): number => counts.reduce((all, each) => all + each, 0);

/** Openings by place, the most opened first. */
function totalsOf(days: readonly DayVisits[]): [string, number][] {
  const totals = new Map<string, number>();
  for (const { places } of days) for (const [id, opened] of places) totals.set(id, (totals.get(id) ?? 0) + opened);
  return [...totals].sort(([a, some], [b, others]) => others - some || (a < b ? -1 : 1));
}

/** Also what was counted before `--no-counts`. */
const daysOf = ({ visits }: Api, { project }: Published, from: number, to: number): DayVisits[] =>
  visits === undefined ? daysIn(project.visits, from, to) : visits.daysOf(project, from, to);

async function namesOf(
  api: Api,
  { project, publication }: Published,
  ids: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  if (ids.length === 0) return {};
  const map = readableMap(api, newestVersion(publication), project.accountId);
  try {
    return (await api.publishing?.pages.placeNamesOf(map, ids)) ?? {};
  } catch {
    // A damaged map is reported where it was read; its counts are there without names.
    return {};
  }
}

interface Range {
  /** Days since 1970. */
  readonly from: number;
  readonly to: number;
}

function rangeIn({ engine }: Api, request: Request): Range {
  const today = dayOf(engine.writer.context().now);
  const to = dayAt(request, 'to') ?? today;
  const from = dayAt(request, 'from') ?? Math.max(0, to - daysShown + 1);
  if (from > to) throw problems.badParameter('from', `The query parameter "from" is ${dateOf(from)}, after "to", ${dateOf(to)}.`);
  if (to - from >= visitDaysMax)
    throw problems.badParameter(
      'from',
      `The query parameter "from" is ${dateOf(from)}, ${to - from} days before "to": choose at most ${visitDaysMax} days.`,
    );
  return { from, to };
}

function dayAt({ query: given }: Request, name: 'from' | 'to'): number | undefined {
  const text = given[name];
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  // Some dates that do not exist become others.
  if (Number.isNaN(time) || time < 0 || dateOf(dayOf(time)) !== text)
    throw problems.badParameter(name, `The query parameter "${name}" must be a date such as 2026-11-01, in UTC.`);
  return dayOf(time);
}
