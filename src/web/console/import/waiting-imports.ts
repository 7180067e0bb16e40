/** Files that were dropped on the list of projects, by the project that was created for them, until its editor opens. */

const waiting = new Map<string, File>();

export const waitWith = (projectId: string, file: File): void => void waiting.set(projectId, file);

/** The file of a project, once. */
export function takeWaiting(projectId: string): File | undefined {
  const file = waiting.get(projectId);
  waiting.delete(projectId);
  return file;
}
