/** The visits of a published map on some days, whole. No version, no entity tag and no event of the project or its publication changes. */
import { stored } from '../../model/stored.ts';
import { type DayVisits, dateOf, visitsFromRow, visitsRow, withDays } from '../visits.ts';
import type { Operation } from './operation.ts';
import { projectIn } from './shared/changed-parts.ts';
import { projectWords } from './shared/names.ts';
import { publicProject } from './shared/public-projects.ts';
import { type ProjectPlace, projectFrom, projectItems } from './shared/record-items.ts';

export interface PutVisits extends ProjectPlace {
  /** At least one. */
  readonly days: readonly DayVisits[];
}

export const putVisits: Operation<'put-visits', PutVisits> = {
  op: 'put-visits',
  needs: 'project',
  encode: (change) => [...projectItems(change), change.days.map(visitsRow)],
  decode: (items) => ({ ...projectFrom(items), days: stored.list(items[2], 'the days of visits').map(visitsFromRow) }),
  placeOf: (change) => change,
  apply(state, lsn, change) {
    const project = publicProject(state, change, lsn);
    // After a repair, the publication may be lost.
    if (project.publication !== undefined) project.visits = withDays(project.visits, change.days);
  },
  memoryGrowth({ state }, change) {
    const before = projectIn(state, change)?.visits;
    return withDays(before, change.days).byteLength - (before?.byteLength ?? 0);
  },
  describe({ projectId, days }, _, project) {
    const opened = days.map((day) => `${day.opened} on ${dateOf(day.day)}`).join(', ');
    return `counted openings of ${projectWords(projectId, project)}: ${opened}`;
  },
};
