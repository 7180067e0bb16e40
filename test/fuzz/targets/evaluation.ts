/** Evaluations of live maps: any JSON in any member of a project and of a response keeps all promises. */
import type { LiveProblem } from '../../../src/live/evaluate/evaluation.ts';
import { changedInput, type Input, soundInputs } from '../../live/projects.ts';
import { judged } from '../../live/promises.ts';
import type { Target } from '../target.ts';

const given = { seed: 1, now: '2026-11-24T12:00:00Z' };

export function evaluation(): Target {
  const inputs = soundInputs();
  return {
    name: 'evaluation',
    inputs: 30_000,
    seeds: inputs.map((input) => Buffer.from(JSON.stringify(input))),
    outcomes: ['evaluated', 'variable', 'action'],
    mutate: (input, random) => {
      const changed = JSON.stringify(changedInput(JSON.parse(input.toString()), random, inputs)) ?? 'null';
      // Copies of copies grow.
      return Buffer.from(changed.length > 100_000 ? JSON.stringify(random.pick(inputs)) : changed);
    },
    run(input) {
      const read = JSON.parse(input.toString()) as Input;
      const { problems, created } = judged({ ...given, ...(typeof read === 'object' ? read : {}) } as Input);
      const [first] = problems;
      return first === undefined ? `evaluated, ${Math.min(created.length, 4)} created` : outcomeOf(first);
    },
  };
}

/** The kind of the problem, without names and numbers. */
const outcomeOf = ({ resource, pointer, detail }: LiveProblem): string =>
  `${resource.kind} ${pointer.replaceAll(/\d+/g, '#')} ${detail.replaceAll(/"[^"]*"|\d+/g, '#').slice(0, 80)}`;
