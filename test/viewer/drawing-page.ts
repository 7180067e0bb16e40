/** A page with the drawing module alone, as an editor uses it: `viewer.Drawing` and the rest of it are global. */
import path from 'node:path';
import { build } from 'esbuild';
import type { Test } from 'tap';
import { type Looks, Page } from '../support/browser.ts';
import { projectRoot } from '../support/project.ts';
import { Site } from './site.ts';

const root = projectRoot(import.meta.dirname);

/** The modules as a script; a stub may take the place of a package. */
export async function bundled(
  contents: string,
  format: 'esm' | 'iife',
  stubs: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: path.join(root, 'src/web/viewer'), loader: 'ts' },
    bundle: true,
    format,
    ...(format === 'iife' ? { globalName: 'viewer' } : {}),
    platform: 'browser',
    target: 'es2022',
    write: false,
    legalComments: 'none',
    tsconfig: path.join(root, 'src/web/viewer', 'tsconfig.json'),
    plugins: [
      {
        name: 'stubs',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^[a-z]/ }, ({ path: name }) =>
            Object.hasOwn(stubs, name) ? { path: name, namespace: 'stub' } : undefined,
          );
          onLoad({ filter: /./, namespace: 'stub' }, ({ path: name }) => ({ contents: stubs[name] as string, loader: 'js' }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}

const modules = [
  ...['drawing', 'map-document', 'live-result', 'object-feature', 'colours'],
  ...['labels/map-labels', 'groups/spot-groups'],
];

let script: Promise<string> | undefined;

/**
 * A page with one drawing in a box of these sizes at the top left, `drawing` in the page. `show(artboard, view)` draws an artboard with one
 * pixel of it per pixel of the screen, its top left corner at that of the page; `pixels()` gives the picture.
 */
export async function openDrawing(t: Test, width: number, height: number, options = '{}', looks: Looks = {}): Promise<Page> {
  script ??= bundled(modules.map((name) => `export * from './drawing/${name}.ts';`).join('\n'), 'iife');
  const site = await Site.open(t);
  site.set('/drawing.js', { type: 'text/javascript', body: await script });
  site.set('/', {
    type: 'text/html',
    body: `<!doctype html><title>Drawing</title><link rel="icon" href="data:,">
<style>body{margin:0}#target{width:${width}px;height:${height}px}</style><div id="target"></div><script src="/drawing.js"></script>`,
  });
  const page = await Page.open(t, `${site.url}/`, looks);
  await page.value(`{
    const problems = [];
    const target = document.querySelector('#target');
    const { tiles, ...options } = ${options};
    const drawing = new viewer.Drawing(target, { onProblem: (problem) => problems.push(problem), animates: () => false, ...options });
    if (tiles !== undefined) drawing.tiles = [{ url: tiles }];
    Object.assign(globalThis, {
      drawing,
      problems,
      site: ${JSON.stringify(site.url)},
      /** Draws, and sets the view to one pixel of the artboard per pixel of the screen. */
      show(artboard) {
        drawing.show(viewer.readArtboard(artboard));
        this.atScale(1);
        return this.drawn();
      },
      atScale(scale) {
        const view = drawing.map.getView();
        const [x, y] = drawing.toView({ x: 0, y: 0 });
        const unit = drawing.toView({ x: 1, y: 0 })[0] - x;
        view.setResolution(unit / scale);
        view.setCenter([x + ${width / 2} * view.getResolution(), y - ${height / 2} * view.getResolution()]);
      },
      /** Resolves when all images and tiles are drawn. */
      drawn: () => new Promise((resolve) => {
        drawing.map.once('rendercomplete', () => resolve());
        drawing.map.render();
      }),
      /** RGBA of the given points of the picture. */
      pixels(points) {
        const context = this.copy();
        return points.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data]);
      },
      /** The bytes of a picture in base64. */
      async bytes(picture) {
        const { canvas, canvas: { width, height } } = await picture;
        const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
        let text = '';
        for (let at = 0; at < data.length; at += 0x8000) text += String.fromCharCode(...data.subarray(at, at + 0x8000));
        return btoa(text);
      },
      /** A PNG in base64 as a picture. */
      async loaded(png) {
        const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,' + png)).blob());
        const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true });
        context.drawImage(bitmap, 0, 0);
        return context;
      },
      /** A copy to read from: reading the map itself would make its canvas slow, and the browser complain. */
      copy() {
        drawing.map.renderSync();
        const [from, to] = [target.querySelector('canvas'), document.createElement('canvas')];
        Object.assign(to, { width: from.width, height: from.height });
        const context = to.getContext('2d', { willReadFrequently: true });
        context.drawImage(from, 0, 0);
        return context;
      },
    });
  }`);
  return page;
}

/** RGBA of points of the picture. */
export async function pixelsAt(page: Page, points: readonly (readonly [number, number])[]): Promise<number[][]> {
  return (await page.value(`pixels(${JSON.stringify(points)})`)) as number[][];
}
