/** Selectors of style sheets: what they mean, and which elements they apply to. */
import type { Element } from '@xmldom/xmldom';

/** Conditions for one element. */
interface Compound {
  readonly name: string | undefined;
  readonly id: string | undefined;
  readonly classes: readonly string[];
  readonly attributes: readonly AttributeTest[];
  readonly isRoot: boolean;
}

interface AttributeTest {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
}

export interface Selector {
  /** The last one is for the element itself, those before for elements around it. */
  readonly compounds: readonly Compound[];
  /** Before each compound but the first one. */
  readonly combinators: readonly (' ' | '>')[];
  /** The greater one wins. */
  readonly specificity: number;
}

/** Characters of a selector. */
const selectorMax = 1000;
/** Characters of a list of selectors with brackets or strings. */
const listMax = 20_000;

const name = String.raw`(?:[\w-]|[^\0-\x7f]|\\[0-9a-f]{1,6}\s?|\\[^\n])+`;
const list = /(?:[^,"'[\\(]|\\[\s\S]|"[^"]{0,200}"|'[^']{0,200}'|\[[^\]]{0,200}\]|\([^)]{0,200}\))+/g;
const simple = new RegExp(
  String.raw`\*|(${name})|#(${name})|\.(${name})|\[\s*(${name})\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|(${name}))\s*)?\]|(:root)`,
  'iy',
);
const combinator = /\s*(>)\s*|(\s+)/y;

/** Without the backslashes of CSS. */
const unescaped = (text: string): string =>
  text.replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi, (_, hex: string | undefined, plain: string) =>
    hex === undefined ? plain : String.fromCodePoint(Math.min(0x10_ff_ff, Number.parseInt(hex, 16)) || 0xff_fd),
  );

/** The selectors of a list, without those of other kinds, such as `:hover`. */
export function* selectorsIn(text: string): Generator<Selector> {
  const isSimple = !/["'[\\(]/.test(text);
  if (!isSimple && text.length > listMax) return;
  for (const each of isSimple ? text.split(',') : (text.match(list) ?? [])) {
    const selector = each.length > selectorMax ? undefined : selectorOf(each.trim().replace(/^[\w*]*\|(?!=)/, ''));
    if (selector !== undefined) yield selector;
  }
}

function selectorOf(text: string): Selector | undefined {
  const compounds: Compound[] = [];
  const combinators: (' ' | '>')[] = [];
  let specificity = 0;
  for (let at = 0; at < text.length || at === 0; ) {
    const found = compoundAt(text, at);
    if (found === undefined) return undefined;
    compounds.push(found.compound);
    specificity += found.specificity;
    if (found.end === text.length) return { compounds, combinators, specificity };
    combinator.lastIndex = found.end;
    const between = combinator.exec(text);
    if (between === null) return undefined;
    combinators.push(between[1] === undefined ? ' ' : '>');
    at = combinator.lastIndex;
  }
  return undefined;
}

function compoundAt(text: string, start: number) {
  const classes: string[] = [];
  const attributes: AttributeTest[] = [];
  let [element, id, isRoot, specificity]: [string | undefined, string | undefined, boolean, number] = [
    undefined,
    undefined,
    false,
    0,
  ];
  simple.lastIndex = start;
  let end = start;
  for (let match = simple.exec(text); match !== null; match = simple.exec(text)) {
    const [, named, withId, withClass, attribute, operator = '', double, single, bare, root] = match;
    if (named !== undefined) {
      if (end > start) return undefined;
      element = unescaped(named);
      specificity += 1;
    } else if (withId !== undefined) {
      id = unescaped(withId);
      specificity += 1e6;
    } else if (withClass !== undefined) classes.push(unescaped(withClass));
    else if (attribute !== undefined)
      attributes.push({ name: unescaped(attribute), operator, value: unescaped(double ?? single ?? bare ?? '') });
    else if (root !== undefined) isRoot = true;
    if (withClass !== undefined || attribute !== undefined || root !== undefined) specificity += 1e3;
    end = simple.lastIndex;
  }
  return end === start ? undefined : { compound: { name: element, id, classes, attributes, isRoot }, specificity, end };
}

/** Facts about an element that selectors ask for. */
export interface Facts {
  readonly name: string;
  readonly id: string;
  readonly classes: ReadonlySet<string>;
}

/** True if a selector asks only for the name, the identifier and the classes of an element. */
export const isPlain = ({ compounds: [first, ...others] }: Selector): boolean =>
  others.length === 0 && first !== undefined && first.attributes.length === 0 && !first.isRoot;

/** Under which name, `#identifier` or `.class` the elements are found to which a selector may apply; `*` for any. */
export function keyOf({ compounds }: Selector): string {
  const { id, classes, name: element } = compounds.at(-1) as Compound;
  if (id !== undefined) return `#${id}`;
  return classes.length > 0 ? `.${classes[0]}` : (element ?? '*');
}

/** Decides which selectors apply. The work for one picture is limited: then no further selector applies. */
export class SelectorMatcher {
  readonly #facts = new Map<Element, Facts>();
  #left: number;

  /** @param checks of an element, at most */
  constructor(checks: number) {
    this.#left = checks;
  }

  /** Counts work that is done elsewhere. */
  spend(checks: number): void {
    this.#left -= checks;
  }

  get isTired(): boolean {
    return this.#left <= 0;
  }

  factsOf(element: Element): Facts {
    let facts = this.#facts.get(element);
    if (facts === undefined) {
      const text = element.getAttribute('class') ?? '';
      const classes = new Set(text === '' ? [] : text.slice(0, 10_000).split(/\s+/).filter(Boolean));
      facts = { name: element.localName ?? '', id: element.getAttribute('id') ?? '', classes };
      this.#facts.set(element, facts);
    }
    return facts;
  }

  matches(element: Element, { compounds, combinators }: Selector, at = compounds.length - 1): boolean {
    if (!this.#fits(element, compounds[at] as Compound)) return false;
    if (at === 0) return true;
    const isChild = combinators[at - 1] === '>';
    for (let outer = parentOf(element); outer !== undefined; outer = parentOf(outer)) {
      if (this.matches(outer, { compounds, combinators, specificity: 0 }, at - 1)) return true;
      if (isChild || this.#left <= 0) return false;
    }
    return false;
  }

  #fits(element: Element, compound: Compound): boolean {
    this.#left -= 1 + compound.classes.length + compound.attributes.length;
    if (this.#left <= 0) return false;
    const facts = this.factsOf(element);
    return (
      (compound.name === undefined || compound.name === facts.name) &&
      (compound.id === undefined || compound.id === facts.id) &&
      compound.classes.every((each) => facts.classes.has(each)) &&
      (!compound.isRoot || parentOf(element) === undefined) &&
      compound.attributes.every((test) => hasAttribute(element, test))
    );
  }
}

const parentOf = ({ parentNode }: Element): Element | undefined =>
  parentNode?.nodeType === 1 ? (parentNode as Element) : undefined;

function hasAttribute(element: Element, { name: attribute, operator, value }: AttributeTest): boolean {
  const text = element.getAttribute(attribute);
  if (text === null) return false;
  switch (operator) {
    case '':
      return true;
    case '=':
      return text === value;
    case '~=':
      return value !== '' && text.split(/\s+/).includes(value);
    case '|=':
      return text === value || text.startsWith(`${value}-`);
    case '^=':
      return value !== '' && text.startsWith(value);
    case '$=':
      return value !== '' && text.endsWith(value);
    default:
      return value !== '' && text.includes(value);
  }
}
