// tier: normal, process: own
/** Rules for sources: the linter refuses a promise without await, the focus moves at once, and no browser test waits for a fixed time. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import t from 'tap';
import { projectRoot } from '../support/project.ts';

const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');

/** What the linter says about `text`, as a source file of a project with our configuration. */
function lint(text: string): Promise<{ failed: boolean; output: string }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lint-'));
  fs.copyFileSync(path.join(projectRoot(import.meta.dirname), 'biome.json'), path.join(folder, 'biome.json'));
  fs.writeFileSync(path.join(folder, 'sample.ts'), text);
  return new Promise((resolve) => {
    execFile(process.execPath, [biome, 'lint', '--error-on-warnings', '.'], { cwd: folder }, (error, stdout, stderr) => {
      fs.rmSync(folder, { recursive: true });
      resolve({ failed: error !== null, output: stdout + stderr });
    });
  });
}

t.test('the linter refuses a floating promise', async (t) => {
  const declared = 'export async function work(): Promise<void> {}\n';
  const floating = await lint(`${declared}work();\n`);
  t.ok(floating.failed);
  t.match(floating.output, /noFloatingPromises/);

  const callback = await lint(`${declared}[1].forEach(async () => await work());\n`);
  t.ok(callback.failed);
  t.match(callback.output, /noMisusedPromises/);

  const awaited = await lint(`${declared}await work();\nvoid work();\n`);
  t.notOk(awaited.failed, awaited.output);
});

/** The effects of a component that run after the next frame, by when keys may have met another control. */
const lateEffect = /^ {2}useEffect\((?:.*\);$|[\s\S]*?^ {2}\})/gm;
const movesFocus = (text: string): boolean =>
  (text.match(lateEffect) ?? []).some((effect) => /\.(?:focus|select)\(/.test(effect));

t.test('no effect moves the focus after the next frame', async (t) => {
  const root = path.join(projectRoot(import.meta.dirname), 'src', 'web');
  const components = (fs.readdirSync(root, { recursive: true }) as string[]).filter((name) => name.endsWith('.tsx'));
  t.ok(components.length > 100, `${components.length} components`);
  const late = components.filter((name) => movesFocus(fs.readFileSync(path.join(root, name), 'utf8')));
  t.strictSame(late, [], 'use useLayoutEffect');
  for (const effect of [
    '  useEffect(() => box.focus(), []);\n',
    '  useEffect(() => {\n    a();\n    box?.select();\n  }, []);\n',
  ])
    t.ok(movesFocus(effect), effect);
  for (const other of [
    '  useLayoutEffect(() => box.focus(), []);\n',
    '  useEffect(() => a(), []);\n  box.focus();\n',
    '  useEffect(() => {\n    a();\n  }, []);\n  const f = () => box.focus();\n',
  ])
    t.notOk(movesFocus(other), other);
});

/** Waits for a number of milliseconds. */
const fixedWait = /waitForTimeout|setTimeout\(\s*\w+\s*,\s*[\d_]+\s*\)|(?:delay|sleep)\([\d_]+\)/;

t.test('no browser test waits for a fixed time', async (t) => {
  const root = path.join(projectRoot(import.meta.dirname), 'test');
  const files = (fs.readdirSync(root, { recursive: true }) as string[]).filter((name) => name.endsWith('.ts'));
  const inBrowser = files.filter((name) => /from '[^']*\/(?:browser|console-page|site|drawing-page)\.ts'/.test(read(name)));
  t.ok(inBrowser.length > 15, `${inBrowser.length} files`);
  t.strictSame(
    inBrowser.filter((name) => fixedWait.test(read(name))),
    [],
  );
  for (const wait of ['page.waitForTimeout(300)', 'setTimeout(resolve, 1_000)', 'delay(50)']) t.match(wait, fixedWait);
  for (const other of ['setTimeout(resolve)', 'setTimeout(f, ms)']) t.notMatch(other, fixedWait);

  function read(name: string): string {
    return fs.readFileSync(path.join(root, name), 'utf8');
  }
});
