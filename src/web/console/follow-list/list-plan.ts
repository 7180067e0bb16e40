/** How objects of the map follow a list of a response: what a person chooses, and the expressions that stand for it. Pure. */

/** The texts of an object that a value of a column may be compared with. */
export type MatchWay = 'key' | 'name' | 'property';

/** How rows find objects. */
export interface ListMatch {
  /** The column whose values name objects. */
  readonly column: string;
  readonly by: MatchWay;
  /** Name of the property, for `property`. */
  readonly property: string;
  /** '' for all. */
  readonly artboardId: string;
  /** '' for all. */
  readonly category: string;
}

/** A colour from a number on: that of the first step is not compared. */
export interface Step {
  readonly from: number;
  readonly colour: string;
}

export interface ValueColour {
  readonly value: string;
  readonly colour: string;
}

export type ColourRule =
  | { readonly is: 'none' }
  | {
      readonly is: 'range';
      readonly column: string;
      readonly from: number;
      readonly to: number;
      readonly colours: readonly string[];
    }
  | { readonly is: 'steps'; readonly column: string; readonly steps: readonly Step[] }
  | { readonly is: 'values'; readonly column: string; readonly values: readonly ValueColour[]; readonly other: string }
  /** A rule of other origin, which stays as it is. */
  | { readonly is: 'kept' };

export interface PopupRule {
  /** Column of its title; '' for none. */
  readonly title: string;
  /** Columns of its content; `undefined`: a text of other origin, which stays as it is. */
  readonly columns: readonly string[] | undefined;
}

/** Columns are named by their keys in a row, joined by dots. */
export interface ListPlan {
  readonly match: ListMatch;
  readonly colour: ColourRule;
  /** On the object, with columns in braces: `{taken}/{seats}`; '' for its name. */
  readonly text: string;
  readonly popup: PopupRule | undefined;
  /** Colour of objects without a row; '' if they stay as they are. */
  readonly otherwise: string;
}

/** Texts in an expression. */
const quoted = (text: string): string => JSON.stringify(text);

/** The expression of a rule. @param name of the variable with the values of its column */
export function expressionOf(rule: Extract<ColourRule, { readonly is: 'steps' | 'values' }>, name: string): string {
  if (rule.is === 'values') {
    const choices = rule.values.map(({ value, colour }) => `{${name}} == ${quoted(value)} ? ${quoted(colour)} : `);
    return choices.join('') + quoted(rule.other);
  }
  const [first, ...others] = sorted(rule.steps);
  const choices = others.reverse().map(({ from, colour }) => `number({${name}}) >= ${from} ? ${quoted(colour)} : `);
  return choices.join('') + quoted(first?.colour ?? '');
}

const sorted = (steps: readonly Step[]): Step[] => {
  const [first, ...others] = steps;
  return first === undefined ? [] : [first, ...others.sort((a, b) => a.from - b.from)];
};

const text = /"(?:[^"\\]|\\.)*"/.source;
const choice = new RegExp(`^(?:number\\()?\\{([^{}]*)\\}\\)? (==|>=) (${text}|-?[\\d.]+(?:e[+-]?\\d+)?) \\? (${text}) : `);

/** The rule of an expression that {@link expressionOf} has made; `undefined` for any other one. @param columnOf a variable by its name */
export function ruleOf(expression: string, columnOf: (name: string) => string | undefined): ColourRule | undefined {
  let rest = expression;
  const found: { readonly name: string; readonly operator: string; readonly than: unknown; readonly colour: string }[] = [];
  for (let match = choice.exec(rest); match !== null; match = choice.exec(rest)) {
    const [whole, name = '', operator = '', than = '', colour = ''] = match;
    found.push({ name, operator, than: parsed(than), colour: String(parsed(colour)) });
    rest = rest.slice(whole.length);
  }
  const last = new RegExp(`^${text}$`).test(rest) ? parsed(rest) : undefined;
  const [first] = found;
  const column = first && columnOf(first.name);
  if (typeof last !== 'string' || first === undefined || column === undefined) return undefined;
  if (found.some(({ name, operator }) => name !== first.name || operator !== first.operator)) return undefined;
  if (first.operator === '==')
    return { is: 'values', column, values: found.map(({ than, colour }) => ({ value: String(than), colour })), other: last };
  const steps = found.reverse().map(({ than, colour }) => ({ from: Number(than), colour }));
  return { is: 'steps', column, steps: [{ from: Number.NEGATIVE_INFINITY, colour: last }, ...steps] };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** A template with other names in its braces; `{{` is a literal one. @param renamed `undefined` keeps a name */
export const withNames = (template: string, renamed: (name: string) => string | undefined): string =>
  template.replace(/\{\{|\{([^{}]+)\}/g, (all, name: string | undefined) => {
    const other = name === undefined ? undefined : renamed(name);
    return other === undefined ? all : `{${other}}`;
  });

/** The names in braces of a template, each once. */
export function namesIn(template: string): string[] {
  const names = new Set<string>();
  withNames(template, (name) => void names.add(name) as undefined);
  return [...names];
}

/** A row of the content of a popup. */
const contentRow = /<p><strong>([^<]*)<\/strong> \{([^{}]+)\}<\/p>/y;

/** The content of a popup: one line for each column. @param nameOf the variable with the values of a column */
export const contentOf = (columns: readonly string[], nameOf: (column: string) => string): string =>
  columns.map((column) => `<p><strong>${escaped(column)}</strong> {${nameOf(column)}}</p>`).join('');

const escaped = (text: string): string =>
  text.replace(/[&<>{]/g, (found) => (found === '{' ? '{{' : `&#${found.charCodeAt(0)};`));

/** The columns of a content that {@link contentOf} has made; `undefined` for any other one. */
export function columnsOf(content: string, columnOf: (name: string) => string | undefined): string[] | undefined {
  const columns: string[] = [];
  contentRow.lastIndex = 0;
  while (contentRow.lastIndex < content.length) {
    const row = contentRow.exec(content);
    const column = row === null ? undefined : columnOf(row[2] as string);
    if (column === undefined) return undefined;
    columns.push(column);
  }
  return columns;
}

/** An entry of the legend of a map. */
export interface LegendEntry {
  readonly color: string;
  readonly name: string;
}

/** The entries of the legend that explain a rule. @param until names the values from a number, or from any, up to another, or on */
export function legendOf(rule: ColourRule, until: (from: number, to: number | undefined) => string): LegendEntry[] {
  if (rule.is === 'values') return rule.values.map(({ value, colour }) => ({ color: colour, name: value }));
  if (rule.is !== 'steps') return [];
  const steps = sorted(rule.steps);
  return steps.map(({ from, colour }, at) => ({
    color: colour,
    name: until(at === 0 ? Number.NEGATIVE_INFINITY : from, steps[at + 1]?.from),
  }));
}
