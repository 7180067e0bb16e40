/**
 * Compiles expressions. jsep parses; this file makes functions from the nodes that it knows, and refuses all others. There is no access to
 * members, no assignment, and no call but of the functions in functions.ts.
 */
import jsep from 'jsep';
import { bounds } from '../evaluation.ts';
import { grouped, quoted } from '../evaluation-problems.ts';
import type { Compute, EvaluationRun } from '../evaluation-run.ts';
import { comparisons } from '../values/comparison.ts';
import { isTrue, kindOf, textIn, type Value } from '../values/live-value.ts';
import { numberIn } from '../values/number-form.ts';
import {
  type ExpressionFault,
  type ExpressionSource,
  faultAt,
  prepareExpression,
  slotOf,
  withNames,
} from './expression-source.ts';
import { liveFunctions, placeFunctions } from './functions.ts';

/** Names of variables. */
export interface Scope {
  /** The position of a variable, or why the name leads to none. */
  find(name: string): number | string;
  /** Whether a variable has this name, also if it cannot be used here. */
  exists(name: string): boolean;
  isIterator(variable: number): boolean;
}

/** A compiled expression or template. */
export interface Compiled {
  readonly compute: Compute;
  /** Positions of the variables that it reads. */
  readonly reads: ReadonlySet<number>;
  /** Positions of the iterators of which it only reads the number of items. */
  readonly counts: ReadonlySet<number>;
  /** Whether its value depends on the artboard. */
  readonly isPlaced: boolean;
  /** Steps of one computation. */
  readonly steps: number;
}

/** A text that cannot be compiled, and why. */
class Refused extends Error {}

/** Conditional expressions and powers inside one another. */
const depthMax = 512;

/** Compiles an expression, or says why not. */
export function compileExpression(text: string, run: EvaluationRun, scope: Scope): Compiled | ExpressionFault {
  const source = prepareExpression(text);
  if ('detail' in source) return source;
  if (source.text.trim() === '') return { detail: 'the expression is empty' };
  const parsed = parse(source);
  if ('detail' in parsed) return parsed;
  try {
    const compiler = new Compiler(source, run, scope);
    const compute = compiler.compile(parsed.tree, 0);
    return { compute, reads: compiler.reads, counts: compiler.counts, isPlaced: compiler.isPlaced, steps: compiler.steps };
  } catch (error) {
    if (error instanceof Refused) return { detail: error.message };
    throw error;
  }
}

function parse({ text, names }: ExpressionSource): { readonly tree: jsep.Expression } | ExpressionFault {
  try {
    return { tree: jsep(text) };
  } catch (error) {
    const { description, index, message } = error as Error & { readonly description?: string; readonly index?: number };
    const reason = withNames(lowerFirst(description ?? message), names);
    // An escape at the end takes the parser one character further.
    return index === undefined ? { detail: reason } : faultAt(Math.min(index, text.length), reason);
  }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Continues with the value on the left. */
type Step = (left: Value, item: number) => Value;

class Compiler {
  readonly reads = new Set<number>();
  readonly counts = new Set<number>();
  isPlaced = false;
  steps = 0;
  readonly #names: readonly string[];
  readonly #run: EvaluationRun;
  readonly #scope: Scope;

  constructor({ names }: ExpressionSource, run: EvaluationRun, scope: Scope) {
    this.#names = names;
    this.#run = run;
    this.#scope = scope;
  }

  compile(node: jsep.Expression, depth: number): Compute {
    if (++this.steps > bounds.expressionSteps) {
      throw new Refused(`the expression has more than ${grouped(bounds.expressionSteps)} steps`);
    }
    if (depth > depthMax) throw new Refused(`the expression is more than ${depthMax} deep`);
    switch (node.type) {
      case 'Literal':
        return this.#literal(node as jsep.Literal);
      case 'Identifier':
        return this.#read((node as jsep.Identifier).name);
      case 'UnaryExpression':
        return this.#unary(node as jsep.UnaryExpression, depth);
      case 'BinaryExpression':
        return this.#binary(node as jsep.BinaryExpression, depth);
      case 'ConditionalExpression': {
        const { test, consequent, alternate } = node as jsep.ConditionalExpression;
        const [a, b, c] = [test, consequent, alternate].map((each) => this.compile(each, depth + 1)) as [
          Compute,
          Compute,
          Compute,
        ];
        return (item) => {
          const value = a(item);
          if (value === undefined) return undefined;
          return isTrue(value) ? b(item) : c(item);
        };
      }
      case 'CallExpression':
        return this.#call(node as jsep.CallExpression, depth);
      default:
        throw new Refused(refusedNodes[node.type] ?? `${node.type} is not allowed in an expression`);
    }
  }

  #literal({ value }: jsep.Literal): Compute {
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Refused('a number is beyond the range of a 64-bit float');
    return () => value;
  }

  #read(name: string): Compute {
    const variable = this.#variable(name);
    this.reads.add(variable);
    const run = this.#run;
    const shown = quoted(this.#names[slotOf(name, this.#names) as number] as string);
    return (item) => {
      const { value, list } = run.columns[variable] as (typeof run.columns)[number];
      const found = list === undefined ? value : list[item];
      if (found === undefined) return run.fail(`${shown} has no value`);
      return found;
    };
  }

  #variable(name: string): number {
    const slot = slotOf(name, this.#names);
    if (slot === undefined) {
      const written = withNames(name, this.#names);
      if (written !== name) throw new Refused(`an operator is missing in ${quoted(written)}`);
      if (liveFunctions.has(name)) throw new Refused(`${name} is a function: write ${name}(…)`);
      throw new Refused(`unknown word ${quoted(name)}: write names of variables in braces, texts in quotation marks`);
    }
    const variable = this.#scope.find(this.#names[slot] as string);
    if (typeof variable === 'string') throw new Refused(variable);
    return variable;
  }

  #unary({ operator, argument }: jsep.UnaryExpression, depth: number): Compute {
    const run = this.#run;
    const compute = this.compile(argument, depth + 1);
    if (operator === '!') {
      return (item) => {
        const value = compute(item);
        return value === undefined ? undefined : !isTrue(value);
      };
    }
    if (operator !== '-' && operator !== '+') throw new Refused(`there is no operator ${quoted(operator)}`);
    const sign = operator === '-' ? -1 : 1;
    return (item) => {
      const value = compute(item);
      if (value === undefined) return undefined;
      const number = numberIn(value);
      return number === undefined ? run.fail(`"${operator}" needs a number, not ${kindOf(value)}`) : sign * number;
    };
  }

  /** A chain such as `a + b + c` is one loop: it may have more members than functions can call one another. */
  #binary(node: jsep.BinaryExpression, depth: number): Compute {
    const steps: Step[] = [];
    let left: jsep.Expression = node;
    const chain: jsep.BinaryExpression[] = [];
    for (; left.type === 'BinaryExpression'; left = (left as jsep.BinaryExpression).left) {
      chain.push(left as jsep.BinaryExpression);
      if (left !== node && ++this.steps > bounds.expressionSteps) break;
    }
    const first = this.compile(left, depth + 1);
    for (const { operator, right } of chain.reverse()) steps.push(stepOf(operator, this.compile(right, depth + 1), this.#run));
    const [only] = steps as [Step];
    if (steps.length === 1) {
      return (item) => {
        const value = first(item);
        return value === undefined ? undefined : only(value, item);
      };
    }
    return (item) => {
      let value = first(item);
      for (let i = 0; i < steps.length && value !== undefined; i++) value = (steps[i] as Step)(value, item);
      return value;
    };
  }

  #call({ callee, arguments: args }: jsep.CallExpression, depth: number): Compute {
    const name = callee.type === 'Identifier' ? (callee as jsep.Identifier).name : '';
    const called = liveFunctions.get(name);
    if (called === undefined) {
      const known = [...liveFunctions.keys()].join(', ');
      throw new Refused(`there is no function ${quoted(withNames(name, this.#names))}; there are ${known}`);
    }
    const [least, most] = called.count;
    if (args.length < least || args.length > most) {
      const wanted = least === most ? `${least}` : most > 2 ? `at least ${least}` : `${least} or ${most}`;
      throw new Refused(`${name} needs ${wanted} arguments, not ${args.length}`);
    }
    if (placeFunctions.has(name)) this.isPlaced = true;
    const [only] = args;
    if (name === 'len' && only?.type === 'Identifier') {
      const variable = this.#variable((only as jsep.Identifier).name);
      if (this.#scope.isIterator(variable)) return this.#count(variable);
    }
    return called.of(
      this.#run,
      args.map((arg) => this.compile(arg, depth + 1)),
      name,
    );
  }

  /** The number of items of an iterator: one value, not one per item. */
  #count(iterator: number): Compute {
    this.counts.add(iterator);
    const run = this.#run;
    return () => run.columns[iterator]?.list?.length ?? run.fail('the iterator has no value');
  }
}

const refusedNodes: Readonly<Record<string, string>> = {
  Compound: 'an operator is missing between two values',
  SequenceExpression: 'a comma is allowed only between the arguments of a function',
  MemberExpression: 'members cannot be read: make a variable with the path',
  ArrayExpression: 'lists are not allowed in an expression',
  ThisExpression: '"this" is not allowed in an expression',
};

const arithmetic: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
  '**': (left, right) => left ** right,
};

/** The operators of comparisons; `=` is no operator of expressions. */
const compared: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);

function stepOf(operator: string, right: Compute, run: EvaluationRun): Step {
  if (operator === '&&' || operator === '||') {
    const ends = operator === '||';
    return (left, item) => {
      if (isTrue(left) === ends) return ends;
      const value = right(item);
      return value === undefined ? undefined : isTrue(value);
    };
  }
  if (compared.has(operator)) {
    const compare = comparisons.get(operator) as NonNullable<ReturnType<typeof comparisons.get>>;
    return (left, item) => {
      const value = right(item);
      if (value === undefined) return undefined;
      return compare(left, value) ?? run.fail(`${kindOf(left)} and ${kindOf(value)} cannot be compared by "${operator}"`);
    };
  }
  const calculate = Object.hasOwn(arithmetic, operator) ? arithmetic[operator] : undefined;
  if (calculate === undefined) throw new Refused(`there is no operator "${operator}"`);
  return (left, item) => {
    const value = right(item);
    if (value === undefined) return undefined;
    const a = numberIn(left);
    const b = numberIn(value);
    if (a !== undefined && b !== undefined) {
      const result = calculate(a, b);
      return Number.isFinite(result) ? result : run.fail(`${a} ${operator} ${b} is no finite number`);
    }
    if (operator === '+' && (typeof left === 'string' || typeof value === 'string')) return joined(left, value, run);
    return run.fail(`"${operator}" needs numbers, not ${kindOf(a === undefined ? left : value)}`);
  };
}

function joined(left: Value, right: Value, run: EvaluationRun): Value {
  const [a, b] = [textIn(left), textIn(right)];
  if (a === undefined || b === undefined) return run.fail(`"+" cannot join ${kindOf(a === undefined ? left : right)}`);
  return run.made(a + b);
}
