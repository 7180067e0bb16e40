/** A thread that explores one workload at a time. */
import { type DepthName, depths } from './depth.ts';
import { explore, type Report } from './explore.ts';
import { workloads } from './workloads.ts';

export interface Task {
  readonly workload: string;
  readonly depth: DepthName;
  /** The only state to look at. */
  readonly state?: string | undefined;
}

export default function work({ workload: name, depth, state }: Task): Promise<Report> {
  const workload = workloads.find((one) => one.name === name);
  if (workload === undefined)
    throw new Error(`there is no workload "${name}"; there are: ${workloads.map((one) => one.name).join(', ')}`);
  return explore(workload, depths[depth], state);
}
