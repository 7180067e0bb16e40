/**
 * Address of a worker's module beside the caller's: `.ts` when the sources themselves run (npm run dev), `.js` when compiled.
 *
 * @param base the caller's `import.meta.url`
 * @param name the module's name relative to it, without an ending: `./flusher-worker`
 */
export function workerFile(base: string, name: string): string {
  return new URL(name + (base.endsWith('.ts') ? '.ts' : '.js'), base).href;
}
