/** A project with an artboard, and the addresses of every collection in it. */
import type { Answer, Ask, Mapwright } from '../support/mapwright.ts';
import { leastBody, places, type ResourceName, resourceNames } from './contract.ts';

/** Everything but the project itself. */
export const memberNames = resourceNames.filter((name) => name !== 'Project');

export class World {
  readonly mapwright: Mapwright;
  readonly projectId: string;
  readonly artboardId: string;

  constructor(mapwright: Mapwright, projectId: string, artboardId: string) {
    this.mapwright = mapwright;
    this.projectId = projectId;
    this.artboardId = artboardId;
  }

  /** Path of a collection below the version prefix. */
  at(name: ResourceName): string {
    return places[name][0].replace('<project_id>', this.projectId).replace('<artboard_id>', this.artboardId);
  }

  /** A new resource of the fewest members, with what `body` adds to them. */
  async make(name: ResourceName, body: object = {}, ask?: Ask) {
    return (await this.mapwright.post(this.at(name), { ...leastBody(name), ...body }, ask)).shown;
  }

  /** The whole project, as bytes: what must not have changed. */
  async bytes(): Promise<string> {
    return (await this.mapwright.get(`/projects/${this.projectId}`)).text;
  }

  project(): Promise<Answer> {
    return this.mapwright.get(`/projects/${this.projectId}`);
  }
}

export async function makeWorld(mapwright: Mapwright, ask?: Ask): Promise<World> {
  const project = (await mapwright.post('/projects', {}, ask)).shown;
  const artboard = (await mapwright.post(`/projects/${project.id}/artboards`, {}, ask)).shown;
  return new World(mapwright, project.id, artboard.id);
}
