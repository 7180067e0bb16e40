/** The public copy of a project. The newest version of its head is a new one, or changes the one of its number. */
import { plural } from '../../lib/text/plural.ts';
import { type PublicationHead, publicationFromRow, publicationRow, refreshOf } from '../../model/publication.ts';
import { stored } from '../../model/stored.ts';
import { publishedWith } from '../stored-publication.ts';
import { countPublication } from '../usage.ts';
import type { Operation } from './operation.ts';
import { changedEvent, publicationKind } from './shared/change-events.ts';
import { accountOf, projectIn } from './shared/changed-parts.ts';
import { projectWords } from './shared/names.ts';
import { forgetPublication, notePublication, publicProject, weighPublication } from './shared/public-projects.ts';
import { type ProjectPlace, projectFrom, projectItems } from './shared/record-items.ts';

export interface PutPublication extends ProjectPlace {
  readonly head: PublicationHead;
  readonly created: boolean;
}

export const putPublication: Operation<'put-publication', PutPublication> = {
  op: 'put-publication',
  needs: 'project',
  encode: (change) => [...projectItems(change), publicationRow(change.head), change.created],
  decode: (items) => ({
    ...projectFrom(items),
    head: publicationFromRow(items[2]),
    created: stored.flag(items[3], 'whether a publication is new'),
  }),
  placeOf: (change) => change,
  /** Publishing changes no version of the account or of the project: it is not part of them. */
  apply(state, lsn, change) {
    const project = publicProject(state, change, lsn);
    const before = project.publication;
    const after = publishedWith(before, change.head, lsn);
    const account = accountOf(state, change.accountId);
    countPublication(account.usage, before, -1);
    if (before !== undefined && before.slug !== after.slug) forgetPublication(state, account, project, lsn);
    project.publication = after;
    state.files?.replacePublication(account.id, before, after, lsn);
    notePublication(state, account, project);
    account.publicationsVersion = lsn;
    countPublication(account.usage, after, 1);
  },
  memoryGrowth({ state }, change) {
    const before = projectIn(state, change)?.publication;
    return weighPublication(publishedWith(before, change.head, 0)) - weighPublication(before);
  },
  quotaGrowth(growth, { projectId, head }) {
    const before = growth.projectAt(projectId)?.publication;
    growth.replacePublication(before, publishedWith(before, head, growth.lsn));
  },
  events({ projectId, head, created }, version) {
    const { version: number, published, bytes } = head.newest;
    const { slug, origins } = head;
    const resource = { slug, version: number, published, bytes, origins, refresh: refreshOf(head) };
    return [changedEvent(created, { kind: publicationKind, id: projectId, project_id: projectId, version }, resource)];
  },
  describe({ projectId, head }, _, project) {
    const { version, bytes } = head.newest;
    const before = project?.publication;
    const isKnown = before?.slug === head.slug && before.versions.some((known) => known.version === version);
    const which = isKnown ? `version ${version}, unchanged` : `version ${version} (${plural(bytes, 'byte')})`;
    return `published ${projectWords(projectId, project)}: ${which}`;
  },
};
