/** Projects that were just made, until their editor opens: it begins with the name, or with the live map. */
const made = new Set<string>();
const live = new Set<string>();

/** Notes a new project. */
export const nameFirst = (id: string): void => void made.add(id);

/** Whether a project was just made; only the first time. */
export const isJustMade = (id: string): boolean => made.delete(id);

/** Notes a new project with live data. */
export const liveFirst = (id: string): void => void live.add(id);

/** True if the editor of a new project begins with its live map; only the first time. */
export const beginsLive = (id: string): boolean => live.delete(id);
