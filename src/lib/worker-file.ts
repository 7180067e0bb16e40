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
 * Modules by `import` alone. piscina tries `require` first, and on Node 20 and 22 a thread that is ended while that takes a module in ends the
 * whole process ("v8::Module::IsGraphAsync must be used on an instantiated module").
 */
const noModulesByRequire = '--no-experimental-require-module';

/**
 * What a thread of ours is started with. Of the command line of the process it takes over source maps. Whatever else is loaded into a program
 * that embeds us (loaders, tracers) is not meant for it, and would make each of its starts as dear as that of the program. What NODE_OPTIONS
 * names is loaded all the same: who sets that means every thread.
 */
export const threadArguments: readonly string[] = [
  ...process.execArgv.filter((argument) => argument === '--enable-source-maps'),
  ...(process.allowedNodeEnvironmentFlags.has(noModulesByRequire) ? [noModulesByRequire] : []),
];
