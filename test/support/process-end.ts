/** What a process of tests does when it has run all its files; `t.teardown` is for the end of a file. */
const works: (() => unknown)[] = [];

export const atProcessEnd = (work: () => unknown): void => void works.push(work);

/** For several.ts, which runs the files. */
export async function endProcess(): Promise<void> {
  for (const work of works) await work();
}
