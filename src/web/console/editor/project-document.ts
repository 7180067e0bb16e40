/** An open project: what the server has, the changes of the user, the newest evaluation, uploads. */

import { computed, type ReadonlySignal } from '@preact/signals';
import type { TileSource } from '../../viewer/drawing/ground/tile-source.ts';
import { controlsOf } from '../controls.ts';
import { ProjectApi } from '../document/project-api.ts';
import { ProjectEdits } from '../document/project-edits.ts';
import { ProjectStore } from '../document/project-store.ts';
import { PictureUploads } from '../files/picture-uploads.ts';
import type { Resource } from '../kinds/resource-kinds.ts';
import { LiveState } from '../live/live-state.ts';
import { LiveView } from '../live/live-view.ts';
import { Simulation } from '../live/simulation.ts';
import type { ConsoleSession } from '../server/console-session.ts';
import { Looks } from './looks.ts';
import { ProjectConnection } from './project-connection.ts';

export class ProjectDocument {
  /** True if it shows a version: a former state, of which nothing can be changed or evaluated. */
  readonly isPast: boolean;
  readonly store: ProjectStore;
  readonly edits: ProjectEdits;
  /** The newest evaluation, and responses of data sources. */
  readonly live: LiveState;
  /** The project as its data make it, while Live is on. */
  readonly liveView: LiveView;
  readonly simulation: Simulation;
  readonly uploads: PictureUploads;
  readonly looks: Looks;
  readonly connection: ProjectConnection;

  constructor(session: ConsoleSession, projectId: string, isPast: boolean) {
    this.isPast = isPast;
    this.store = new ProjectStore(projectId);
    this.looks = new Looks(this.store);
    const api = new ProjectApi(session.client, projectId);
    this.edits = new ProjectEdits(this.store, api, controlsOf(session).canWrite && !isPast, (why) =>
      this.connection.refused(why),
    );
    this.connection = new ProjectConnection(session, api, this.edits);
    this.uploads = new PictureUploads({
      session: () => this.connection.session,
      projectId,
      say: (text, isProblem) => this.edits.notices.say(text, isProblem),
      onSessionEnd: (why) => this.connection.refused(why),
    });
    this.live = new LiveState(this.edits, () => this.connection.session.client, !isPast);
    this.liveView = new LiveView(this.store, this.live, isPast);
    this.simulation = new Simulation(this.store, this.live, this.liveView);
  }

  get canWrite(): boolean {
    return this.edits.canWrite;
  }

  get tiles(): readonly TileSource[] {
    return this.connection.session.tiles;
  }

  /**
   * True if the user can change a resource that is chosen: every command, tool and field asks this. An import, another picture of an artboard, a
   * restore, and the deletion of an artboard with everything on it do not: they change what the user has not chosen.
   */
  isEditable(id: string): boolean {
    return this.canWrite && this.store.has(id) && !this.liveView.isLocked(id);
  }

  /** Changes with the artboards. */
  readonly artboards: ReadonlySignal<readonly Resource[]> = computed(() => {
    this.store.revision({ kind: 'artboard' }).value;
    return this.store.members({ kind: 'artboard' });
  });

  /** Popups that are attached to one of some objects. */
  popupsOf(objectIds: readonly string[]): Resource[] {
    const chosen = new Set(objectIds);
    return this.store.members({ kind: 'popup' }).filter(({ attachedTo }) => chosen.has(String(attachedTo)));
  }

  /** Ends everything that runs in the background. */
  close(): void {
    this.connection.close();
    this.simulation.stop();
    this.uploads.close();
    this.liveView.close();
    this.live.close();
    this.edits.close();
  }
}
