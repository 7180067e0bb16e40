/**
 * Address of a worker's module beside the caller's, in the compiled sources as in the bundle.
 *
 * @param base the caller's `import.meta.url`
 * @param name the module's name relative to it, without an ending: `./flusher-worker`
 */
export function workerFile(base: string, name: string): string {
  return new URL(`${name}.js`, base).href;
}

/**
 * What a thread of ours takes over from the command line of the process: source maps. Whatever else is loaded into a program that embeds
 * us (loaders, tracers) is not meant for it, and would make each of its starts as dear as that of the program.
 */
export const threadArguments: readonly string[] = process.execArgv.filter((argument) => argument === '--enable-source-maps');
