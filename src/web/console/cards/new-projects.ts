/** Projects that were just made: their editor begins with the name. */
const made = new Set<string>();

/** Notes a new project. */
export const nameFirst = (id: string): void => void made.add(id);

/** Whether a project was just made; only the first time. */
export const isJustMade = (id: string): boolean => made.delete(id);
