/**
 * A page in a real browser, for tests with a browser: `BROWSER=/usr/bin/chromium npm test`. All pages of a process share one browser, each in
 * a context without cookies. Complaints of the page and its requests are recorded.
 */
import { type Browser, type BrowserContextOptions, chromium, type Page as PlaywrightPage } from 'playwright-core';
import type { Test } from 'tap';
import { atProcessEnd } from './process-end.ts';

/** The program; '' if none is named. */
export const browser = process.env['BROWSER'] ?? '';

/** For the option `skip` of a test. */
export const skipWithoutBrowser =
  browser === ''
    ? 'they need Chromium (apt install chromium), and its path in BROWSER: BROWSER=/usr/bin/chromium npm test'
    : false;

/**
 * The same colours on every machine, and no attempt to use a GPU. A sandboxed frame shares the process of its page: in another process,
 * emulated taps miss by the place of the frame (Chromium 150).
 */
const flags = [
  '--disable-gpu',
  '--force-color-profile=srgb',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
  '--disable-site-isolation-trials',
];

/** A test waits this long for a condition, in milliseconds: a browser on a busy machine is slow. */
const patienceMs = 30_000;

/** Longest pause between two looks at a condition. */
const pauseMaxMs = 100;

let running: Promise<Browser> | undefined;

/** The browser of this process, also for the files of tests that come later in it: a start costs a second of processor time. */
function launch(): Promise<Browser> {
  if (running === undefined) {
    running = chromium.launch({ executablePath: browser, args: flags, chromiumSandbox: false });
    // Its start may have failed, which its test has reported.
    atProcessEnd(async () => (await running?.catch(() => undefined))?.close());
  }
  return running;
}

/** Pictures of documents are not wider, in pixels: a page shows them no larger. */
const pictureWidth = 1100;

/** A picture as WebP, which takes half of the bytes. @param png the same picture */
export async function webpOf(png: Buffer): Promise<Buffer> {
  const page = await (await launch()).newPage();
  const base64 = await page.evaluate(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png.toString('base64')}';
    await image.decode();
    const canvas = document.createElement('canvas');
    const scale = Math.min(1, ${pictureWidth} / image.width);
    Object.assign(canvas, { width: Math.round(image.width * scale), height: Math.round(image.height * scale) });
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL('image/webp', 0.5).split(',')[1];
  })()`);
  await page.close();
  return Buffer.from(String(base64), 'base64');
}

/** Properties of a page besides its address. */
export interface Looks {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  readonly options?: BrowserContextOptions;
  /** Called before anything is loaded. */
  readonly prepare?: (page: PlaywrightPage) => Promise<void>;
}

export class Page {
  /** Playwright's page. */
  readonly page: PlaywrightPage;
  /** Errors and warnings of the page, of its script, and of its policy. */
  readonly complaints: string[] = [];
  /** Every requested address, after its method. Images in the address itself are no requests. */
  readonly asked: string[] = [];

  private constructor(page: PlaywrightPage) {
    this.page = page;
    page.setDefaultTimeout(patienceMs);
    page.on('console', (message) => {
      // OpenLayers measures once which kind of canvas is read faster, and the browser comments on the slower one.
      if (message.text().startsWith('Canvas2D: Multiple readback operations')) return;
      if (['error', 'warning'].includes(message.type())) this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('request', (request) => {
      if (!/^(?:data|blob):/.test(request.url())) this.asked.push(`${request.method()} ${request.url()}`);
    });
  }

  /** Opens an address, and waits until it is loaded. Closed when the test has ended. */
  static async open(t: Test, address: string, looks: Looks = {}): Promise<Page> {
    const { width = 1280, height = 800, dark = false, options = {}, prepare } = looks;
    const context = await (await launch()).newContext({
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      deviceScaleFactor: 1,
      locale: 'en-GB',
      ...options,
    });
    t.teardown(() => context.close());
    const page = new Page(await context.newPage());
    await prepare?.(page.page);
    await page.page.goto(address);
    return page;
  }

  /** The value of an expression in the page; a promise is awaited. */
  value(expression: string): Promise<unknown> {
    return this.page.evaluate(expression);
  }

  /** Waits until an expression is true. */
  async until(expression: string): Promise<void> {
    const end = performance.now() + patienceMs;
    // Playwright's own wait compiles text in the page, which policies forbid. Each question costs processor time here and there.
    let pauseMs = 10;
    while ((await this.value(expression)) !== true) {
      if (performance.now() > end) throw new Error(`waited in vain until ${expression}`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      pauseMs = Math.min(pauseMs * 1.5, pauseMaxMs);
    }
  }
}
