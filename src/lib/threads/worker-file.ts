/**
 * URL of a worker's module in the caller's folder, in compiled sources and in the bundle.
 *
 * @param base the caller's `import.meta.url`
 * @param name the module's name relative to it, without an ending: `./flusher-worker`
 */
export function workerFile(base: string, name: string): string {
  return new URL(`${name}.js`, base).href;
}

/**
 * Loads modules only with `import`. piscina tries `require` first: on Node 20 and 22, a thread that is terminated while `require` loads an
 * ES module ends the whole process ("v8::Module::IsGraphAsync must be used on an instantiated module").
 */
const noModulesByRequire = '--no-experimental-require-module';

const sourceMaps = '--enable-source-maps';
const { NODE_OPTIONS = '', ...env } = process.env;

/**
 * Options for starting a worker thread. Of the process's options it keeps only source maps. Other loaders and tracers of an embedding
 * program (by flag or NODE_OPTIONS) are left out: they would slow down every start, and their failures or message listeners could stop
 * the thread's work.
 */
export const threadOptions = {
  execArgv: [
    ...([...process.execArgv, ...NODE_OPTIONS.split(' ')].includes(sourceMaps) ? [sourceMaps] : []),
    ...(process.allowedNodeEnvironmentFlags.has(noModulesByRequire) ? [noModulesByRequire] : []),
  ],
  env,
};
