/** A project that an agent makes, and fills with other requests. */
import { type MapsApi, projectPath, RefusedError } from './maps-api.ts';

/**
 * Fills a new project. If that is refused, the project is deleted again; if it cannot be, or shall not, the refusal names it.
 *
 * @param deletes false if the agent will send the same call again, which finds the project
 */
export async function undoing<T>(api: MapsApi, project: string, deletes: boolean, fill: () => Promise<T>): Promise<T> {
  try {
    return await fill();
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const isDeleted = deletes && (await api.ask('DELETE', projectPath(project), {}).then(isDone, isNotDone));
    if (isDeleted) throw error;
    throw new RefusedError({ ...error.refusal, left: { ...error.refusal.left, new_project: project } });
  }
}

const isDone = (): boolean => true;
const isNotDone = (): boolean => false;
