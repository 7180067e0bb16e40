/**
 * The filters in the query of a list, derived from the declaration of the resource: `?type=spot`, `?name[starts]=A`, `?x[gte]=10`,
 * `?bbox=0,0,100,100`.
 */
import Type, { type TSchema } from 'typebox';
import { problems } from '../../http/problem.ts';
import { hint, type QueryValues } from '../../http/request/query.ts';
import type { Field } from '../../model/generate.ts';
import type { Resource } from '../../model/resource.ts';
import type { Box, Filter, Scalar, ScalarMember } from '../../store/list/filters.ts';

/** Most values of an operator `in`. */
const valuesMax = 100;

/** Most characters of a text that is searched in others: V8 searches a longer one in time proportional to the product of both lengths. */
const searchedMax = 200;

const operatorTexts = {
  contains: `contains this text, of at most ${searchedMax} characters`,
  starts: 'starts with this text',
  in: `has one of these values, at most ${valuesMax}, separated by commas`,
  gt: 'is greater than this',
  gte: 'is greater than or equal to this',
  lt: 'is less than this',
  lte: 'is less than or equal to this',
} as const;

type Operator = keyof typeof operatorTexts;

/** The operators of a member, besides equality. */
function operatorsOf({ encoding, isTime }: Field): readonly Operator[] {
  if (isTime) return ['gt', 'gte', 'lt', 'lte'];
  if (encoding === 'number') return ['in', 'gt', 'gte', 'lt', 'lte'];
  if (encoding === 'text') return ['contains', 'starts', 'in'];
  return encoding === 'word' ? ['in'] : [];
}

/** Objects have a place. */
const hasBox = ({ kind }: Resource): boolean => kind === 'object';

/** Query parameters for the filters of the list of a resource. */
export function filterParameters(resource: Resource): Record<string, TSchema> {
  const query: Record<string, TSchema> = {};
  for (const scalar of resource.scalars) {
    query[scalar.name] = valueSchema(scalar, `Return only those whose "${scalar.name}" has exactly this value`);
    for (const operator of operatorsOf(scalar)) {
      const description = `Return only those whose "${scalar.name}" ${operatorTexts[operator]}`;
      const isValue = operator !== 'in' && !scalar.isTime;
      query[`${scalar.name}[${operator}]`] = isValue ? valueSchema(scalar, description) : Type.String({ description });
    }
  }
  if (hasBox(resource)) {
    query['bbox'] = Type.String({
      description:
        'Return only those that touch the rectangle `x1,y1,x2,y2`, in pixels of the artboard: the smallest rectangle around them, of a spot with its radius',
    });
  }
  return query;
}

function valueSchema({ encoding, words }: Field, description: string): TSchema {
  if (encoding === 'number') return Type.Number({ description });
  if (encoding === 'flag') return Type.Boolean({ description });
  return encoding === 'word' ? Type.Enum([...words], { description }) : Type.String({ description });
}

/** `name[operator]` */
const operatorForm = /^(.*)\[(.*)\]$/s;

/** The explanation for a parameter `name[operator]` that does not exist; `undefined` for another parameter. */
export function explainOperator(name: string, { scalars }: Resource): string | undefined {
  const [, member = '', operator = ''] = operatorForm.exec(name) ?? [];
  const scalar = scalars.find((scalar) => scalar.name === member);
  if (scalar === undefined) return undefined;
  const operators = operatorsOf(scalar);
  if (operators.length === 0) return `"${member}" can only be filtered by its value: "${member}=true" or "${member}=false".`;
  const list = operators.map((each) => `"${member}[${each}]"`).join(', ');
  return `"${member}" has no such operator; it has ${list}, and "${member}=..." for equal values.${hint(operator, operators)}`;
}

/** The filters in a query. Throws a 400 problem for invalid values. */
export function filtersIn(query: QueryValues, resource: Resource): readonly Filter[] {
  const filters: Filter[] = [];
  // In a fixed order, since a cursor is valid only with the same filters.
  for (const name of Object.keys(query).sort()) {
    const text = query[name] as string;
    if (name === 'bbox' && hasBox(resource)) {
      filters.push({ name, operator: 'touches', value: boxIn(text) });
      continue;
    }
    const [, member = name, operator] = operatorForm.exec(name) ?? [];
    const scalar = resource.scalars.find((scalar) => scalar.name === member);
    if (scalar !== undefined) filters.push(filterOf(name, scalar, operator as Operator | undefined, text));
  }
  return filters;
}

export const scalarMember = ({ name, fallback }: Field): ScalarMember => ({ name, fallback: fallback as Scalar | undefined });

/** @param name of the parameter, for the problem */
function filterOf(name: string, scalar: Field, operator: Operator | undefined, text: string): Filter {
  const member = scalarMember(scalar);
  switch (operator) {
    case undefined:
      return { ...member, value: readAs(name, scalar, text) };
    case 'contains':
      if (text.length > searchedMax) throw mustBe(name, `a text of at most ${searchedMax} characters`);
      return { ...member, operator, value: text };
    case 'starts':
      return { ...member, operator, value: text };
    case 'in': {
      const parts = text.split(',', valuesMax + 1);
      if (parts.length > valuesMax) throw mustBe(name, `at most ${valuesMax} values, separated by commas`);
      return { ...member, operator, value: parts.map((part) => readAs(name, scalar, part)) };
    }
    default:
      return { ...member, operator, value: scalar.isTime ? timeIn(name, text) : (readAs(name, scalar, text) as number) };
  }
}

/** A number in JSON syntax. */
const jsonNumber = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

const numberIn = (text: string): number | undefined => {
  const number = jsonNumber.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
};

/** The value of a filter, parsed as the type of its member. */
function readAs(name: string, { encoding, words }: Field, text: string): Scalar {
  switch (encoding) {
    case 'number': {
      const number = numberIn(text);
      if (number === undefined) throw mustBe(name, 'a JSON number');
      return number;
    }
    case 'flag':
      if (text !== 'true' && text !== 'false') throw mustBe(name, '"true" or "false"');
      return text === 'true';
    case 'word':
      if (!words.includes(text)) throw mustBe(name, `one of ${words.map((word) => `"${word}"`).join(', ')}`, hint(text, words));
      return text;
    default:
      return text;
  }
}

/** A date, or a time with its distance from UTC (RFC 3339). */
const timeForm = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/i;

/** JavaScript reads the 30th of February as a day in March. */
const isDay = (date: string): boolean => !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date);

/** The time in the form that resources have: UTC with milliseconds, whose texts are in the order of the times. */
function timeIn(name: string, text: string): string {
  // A plus sign that was not encoded is a space in a query.
  const sent = text.replace(' ', '+');
  const time = new Date(timeForm.test(sent) && isDay(sent.slice(0, 10)) ? Date.parse(sent) : Number.NaN);
  // A year of more than four digits has another form, and so another order.
  if (!(time.getTime() < Date.UTC(10_000, 0) && time.getTime() >= Date.UTC(1, 0)))
    throw mustBe(name, 'a time such as "2026-11-28T09:00:00Z", or a date such as "2026-11-28"');
  return time.toISOString();
}

function boxIn(text: string): Box {
  const [x1, y1, x2, y2, ...more] = text.split(',').map(numberIn);
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined || more.length > 0 || x1 > x2 || y1 > y2)
    throw mustBe('bbox', 'x1,y1,x2,y2: the left upper and the right lower corner, in pixels of the artboard');
  return { x1, y1, x2, y2 };
}

const mustBe = (name: string, what: string, more = '') =>
  problems.badParameter(name, `The query parameter "${name}" must be ${what}.${more}`);
