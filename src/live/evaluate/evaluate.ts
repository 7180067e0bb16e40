/**
 * Evaluates a project: the values of its variables, and what its actions change and create. A pure function, without clock, network and
 * randomness of its own. It never throws for any JSON: what does not fit is left out, and named in a problem.
 *
 *     responses ─▶ variables ─▶ actions ─▶ objects, popups, created
 */
import { ActionRuns } from './actions/run-actions.ts';
import type { Evaluation, Given, LiveProject } from './evaluation.ts';
import { EvaluationProblems } from './evaluation-problems.ts';
import { EvaluationRun } from './evaluation-run.ts';
import { ProjectIndex } from './project-index.ts';
import { VariableValues } from './variables/variable-values.ts';

/** @param responses JSON by identifier of the data source; one that is missing has no response */
export function evaluate(project: LiveProject, responses: Readonly<Record<string, unknown>>, given: Given): Evaluation {
  const index = new ProjectIndex(project);
  const problems = new EvaluationProblems(index);
  const run = new EvaluationRun(given);
  const variables = new VariableValues(index, responses, run, problems);
  const { objects, popups, created, createdPopups, unmatched } = new ActionRuns({ index, variables, run, problems });
  return {
    ...{ values: variables.values, objects, popups, created, created_popups: createdPopups, unmatched },
    problems: problems.list,
  };
}
