/**
 * Address of a worker's module beside the caller's, in the compiled sources as in the bundle.
 *
 * @param base the caller's `import.meta.url`
 * @param name the module's name relative to it, without an ending: `./flusher-worker`
 */
export function workerFile(base: string, name: string): string {
  return new URL(`${name}.js`, base).href;
}
