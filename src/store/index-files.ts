/** Indexes what refers to blobs in a state that was recovered: files, versions and publications. */
import { FileIndex } from './file-index.ts';
import type { State } from './state.ts';

/** Projects per slice. */
const sliceProjects = 64;

/** Indexes the files of a state that was recovered. */
export function* indexFiles(state: State): Generator<void, void> {
  const index = new FileIndex(state.lsn);
  let count = 0;
  for (const { projects } of state.accounts.values()) {
    for (const [, project] of projects) {
      index.addProject(project, state.lsn);
      if (++count % sliceProjects === 0) yield;
    }
  }
  state.files = index;
}
