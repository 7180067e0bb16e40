/** Whether something on the page is not saved: then the page stays when the session ends. */

const questions = new Set<() => boolean>();

/** Adds a part of the page that may hold something. */
export const askAboutUnsaved = (question: () => boolean): void => void questions.add(question);

export const isAnythingUnsaved = (): boolean => [...questions].some((question) => question());
