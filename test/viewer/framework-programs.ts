/** Programs that use `mapwright/viewer`, each in a folder with the packages that it has installed: built, checked for types, and run. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Test } from 'tap';
import { temporaryFolder } from '../support/process.ts';
import { projectRoot } from '../support/project.ts';

const root = projectRoot(import.meta.dirname);
const modules = path.join(root, 'node_modules');

/** Where the types of React are here: as `@types/react` they would change those of the DOM in all tests. */
const places: Readonly<Record<string, string>> = { '@types/react': 'react-types' };

/**
 * A folder with these files, and the package with its files for browsers, as npm installs it.
 *
 * @param packages other packages that the program has
 */
export function programFolder(t: Test, files: Readonly<Record<string, string>>, packages: readonly string[] = []): string {
  const folder = temporaryFolder(t);
  const at = path.join(folder, 'node_modules/mapwright');
  fs.mkdirSync(at, { recursive: true });
  fs.copyFileSync(path.join(root, 'package.json'), path.join(at, 'package.json'));
  for (const part of ['dist/viewer', 'dist/pages']) fs.cpSync(path.join(root, part), path.join(at, part), { recursive: true });
  for (const name of packages) {
    const link = path.join(folder, 'node_modules', name);
    fs.mkdirSync(path.dirname(link), { recursive: true });
    fs.symlinkSync(path.join(modules, places[name] ?? name), link);
  }
  fs.writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}');
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
  return folder;
}

interface Ran {
  readonly code: number;
  readonly output: string;
}

/** Runs a module of Node in a folder. */
export const runNode = (folder: string, args: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : 1, output: stdout + stderr }),
    );
  });

/** The complaints of the compiler about files of a folder, with all declarations that they lead to; '' for none. */
export async function complaintsOf(folder: string, files: readonly string[], options: object = {}): Promise<string> {
  const compilerOptions = {
    ...{ noEmit: true, strict: true, exactOptionalPropertyTypes: true, target: 'es2023', lib: ['es2023', 'dom'], types: [] },
    ...{ module: 'esnext', moduleResolution: 'bundler', ...options },
  };
  const vueCompilerOptions = { strictTemplates: true };
  fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, vueCompilerOptions, files }));
  const { output } = files.some((name) => name.endsWith('.vue'))
    ? await runNode(folder, ['--eval', checkVue, 'vue-tsc', '-p', '.'])
    : await runNode(folder, [path.join(modules, 'typescript/bin/tsc'), '-p', '.']);
  return output;
}

/** The compiler for templates of Vue needs TypeScript 6: that of this project is written in another language. */
const resolve = createRequire(path.join(root, 'package.json')).resolve;
const checkVue = `require(${JSON.stringify(resolve('vue-tsc'))}).run(${JSON.stringify(resolve('@typescript/typescript6/lib/tsc.js'))})`;
