/**
 * Evaluates the variables of a project without its actions. For editors: a page contains this part of the evaluation, and not the schemas that
 * actions need.
 */
import type { Evaluation, Given, LiveProject } from '../evaluation.ts';
import { EvaluationProblems } from '../evaluation-problems.ts';
import { EvaluationRun } from '../evaluation-run.ts';
import { ProjectIndex } from '../project-index.ts';
import { VariableValues } from './variable-values.ts';

/** @param responses JSON by identifier of the data source */
export function evaluateVariables(
  project: LiveProject,
  responses: Readonly<Record<string, unknown>>,
  given: Given,
): Pick<Evaluation, 'values' | 'problems'> {
  const index = new ProjectIndex(project);
  const problems = new EvaluationProblems(index);
  const { values } = new VariableValues(index, responses, new EvaluationRun(given), problems);
  return { values, problems: problems.list };
}
