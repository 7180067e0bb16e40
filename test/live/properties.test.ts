// tier: normal
/** Properties of every evaluation, on sound projects with members of any JSON. */
import t from 'tap';
import { evaluate } from '../../src/live/evaluate/evaluate.ts';
import type { LiveProject } from '../../src/live/evaluate/evaluation.ts';
import { EvaluationRun } from '../../src/live/evaluate/evaluation-run.ts';
import { compileExpression } from '../../src/live/evaluate/expressions/expression.ts';
import fc from '../support/fast-check.ts';
import { Chance } from '../support/random.ts';
import { sized } from '../support/tier.ts';
import { changedInput, type Input, soundInputs } from './projects.ts';
import { judged } from './promises.ts';

const inputs = soundInputs();
const given = { seed: 1, now: '2026-11-24T12:00:00Z' };

t.test('every sound input keeps the promises of an evaluation', async (t) => {
  for (const input of inputs) judged(structuredClone(input));
  t.pass(`${inputs.length} inputs`);
});

t.test('the same input has the same output, and nothing throws, for any JSON in any member', async (t) => {
  const chance = fc.integer().map((seed) => new Chance(seed));
  const input = fc
    .tuple(fc.constantFrom(...inputs), chance)
    .map(([sound, random]) => changedInput(sound, random, inputs) as Input);
  fc.assert(
    fc.property(input, (changed) => {
      if (typeof changed === 'object' && changed !== null) judged({ ...given, ...changed });
    }),
    { numRuns: sized({ sample: 1500, all: 20_000 }) },
  );
  t.pass();
});

t.test('any JSON is a project, and any JSON its responses', async (t) => {
  const member = fc.jsonValue({ depthSize: 'medium' });
  const project = fc.record(
    { artboards: member, popups: member, data_sources: member, variables: fc.array(member), actions: fc.array(member) },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(project, fc.dictionary(fc.string(), member), (project, responses) => {
      judged({ project, responses, ...given });
    }),
  );
  for (const one of [null, undefined, 5, 'x', [], [[]]]) {
    t.strictSame(evaluate(one as unknown as LiveProject, {}, given).created, [], `${JSON.stringify(one)} is an empty project`);
  }
});

t.test('any text is an expression that has a value, or a reason why it has none', async (t) => {
  const run = new EvaluationRun(given);
  const scope = { find: (name: string) => `no variable is named "${name}"`, exists: () => false, isIterator: () => false };
  const words = [
    '{a}',
    '+',
    '-',
    '**',
    '(',
    ')',
    '[',
    ']',
    '?',
    ':',
    ',',
    '"',
    "'",
    '1',
    '.',
    'len',
    'x',
    ' ',
    '!',
    '&&',
    '\\',
    '\ue000',
    '}',
  ];
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...words)).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (text) => {
      const compiled = compileExpression(text, run, scope);
      if ('detail' in compiled) return compiled.detail.length > 0 && (compiled.at ?? 0) <= text.length;
      run.reason = '';
      return compiled.compute(0) !== undefined || run.reason !== '';
    }),
  );
  t.pass();
});

t.test('arithmetic of expressions is that of JavaScript', async (t) => {
  const run = new EvaluationRun(given);
  const scope = { find: () => 'none', exists: () => false, isIterator: () => false };
  const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map((n) => `(${n})`);
  const operator = fc.constantFrom('+', '-', '*', '/', '%');
  const { sum } = fc.letrec<{ sum: string }>((tie) => ({
    sum: fc.oneof(
      { depthSize: 'small' },
      number,
      fc.tuple(tie('sum'), operator, tie('sum')).map(([a, op, b]) => `(${a} ${op} ${b})`),
    ),
  }));
  const comparison = fc.tuple(sum, fc.constantFrom('<', '<=', '>', '>=', '==', '!='), sum).map((parts) => parts.join(' '));
  fc.assert(
    fc.property(fc.oneof(sum, comparison), (text) => {
      const expected: unknown = new Function(`return ${text}`)();
      const compiled = compileExpression(text, run, scope);
      if ('detail' in compiled) throw new Error(compiled.detail);
      const found = compiled.compute(0);
      // A part that is not finite has no value; JavaScript goes on with it.
      if (found === undefined) return run.reason.includes('no finite number');
      return found === expected;
    }),
  );
  t.pass();
});
