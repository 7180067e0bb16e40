/** Compiles programs that use the client, with the compiler of this project at its strictest. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../support/project.ts';

const root = projectRoot(import.meta.dirname);

/**
 * Where the compiler finds something wrong: `name.ts:3`, each line once.
 *
 * @param programs by the names of their files
 */
export async function compiled(
  folder: string,
  programs: Readonly<Record<string, string>>,
  options: object = {},
): Promise<string[]> {
  const at = (...names: string[]) => path.join(root, ...names);
  const tsconfig = {
    extends: at('tsconfig.json'),
    compilerOptions: {
      noEmit: true,
      rootDir: '/',
      rewriteRelativeImportExtensions: false,
      noUnusedLocals: false,
      paths: {
        'mapwright/client': [at('src/web/client/client.ts')],
        'mapwright/schemas': [at('src/model/schemas/schemas.ts')],
      },
      ...options,
    },
    include: [],
    files: Object.keys(programs),
  };
  fs.symlinkSync(at('node_modules'), path.join(folder, 'node_modules'));
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  for (const [name, text] of Object.entries(programs)) fs.writeFileSync(path.join(folder, name), text);
  const tsc = at('node_modules', 'typescript', 'bin', 'tsc');
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [tsc, '--pretty', 'false', '-p', folder], { cwd: folder }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
  const places = Array.from(
    output.matchAll(/^(\S.*)\((\d+),\d+\): error /gm),
    ([, file = '', line]) => `${path.basename(file)}:${line}`,
  );
  if (places.length === 0 && output.trim() !== '') throw new Error(output);
  return [...new Set(places)].sort();
}
