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

const sourceMaps = '--enable-source-maps';
const { NODE_OPTIONS = '', ...env } = process.env;

/**
 * What a thread of ours is started with. Of the options of the process it takes over source maps. Whatever else is loaded into a program that
 * embeds us (loaders, tracers), by flag or by NODE_OPTIONS, is not meant for it: it would make each start as dear as that of the program, and
 * what fails in it, or listens to the thread's messages, would keep the thread from its work.
 */
export const threadOptions = {
  execArgv: [
    ...([...process.execArgv, ...NODE_OPTIONS.split(' ')].includes(sourceMaps) ? [sourceMaps] : []),
    ...(process.allowedNodeEnvironmentFlags.has(noModulesByRequire) ? [noModulesByRequire] : []),
  ],
  env,
};
