/**
 * A page in a real browser, for tests that were told of one: `BROWSER=/usr/bin/chromium npm test`. It is spoken to over two pipes, in the
 * DevTools protocol. Whatever the browser has to say of the page, and whatever it asks of whom, is kept.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Test } from 'tap';
import { temporaryFolder } from './process.ts';

/** The program, where one was named. */
export const browser = process.env['BROWSER'] ?? '';

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

/** What a page may be told beside its address. */
export interface Looks {
  readonly width?: number;
  readonly dark?: boolean;
}

export class Page {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #sent = 0;
  #session = '';
  /** Errors and warnings of the page, of its script, and of what its policy refused. */
  readonly complaints: string[] = [];
  /** Every address that was asked for, after its method. */
  readonly asked: string[] = [];

  private constructor(child: ChildProcess) {
    this.#child = child;
    let rest = '';
    (child.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => {
      const messages = (rest + text).split('\0');
      rest = messages.pop() ?? '';
      for (const message of messages) this.#take(JSON.parse(message) as Message);
    });
  }

  /** Opens an address, and waits until it is loaded. Closed when the test is over. */
  static async open(t: Test, address: string, { width = 1280, dark = false }: Looks = {}): Promise<Page> {
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--remote-debugging-pipe'];
    const child = spawn(browser, [...flags, `--user-data-dir=${temporaryFolder(t)}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      // A group of its own: it is many processes, and all of them are to end.
      detached: true,
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    t.teardown(async () => {
      process.kill(-(child.pid as number), 'SIGKILL');
      await ended;
      for (const pipe of child.stdio) pipe?.destroy();
    });
    const page = new Page(child);
    const { targetId } = await page.#send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await page.#send('Target.attachToTarget', { targetId, flatten: true });
    page.#session = String(sessionId);
    for (const domain of ['Log', 'Network', 'Page', 'Runtime']) await page.#send(`${domain}.enable`);
    await page.#send('Emulation.setDeviceMetricsOverride', { width, height: 800, deviceScaleFactor: 1, mobile: width < 600 });
    const features = [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }];
    await page.#send('Emulation.setEmulatedMedia', { features });
    await page.#send('Page.navigate', { url: address });
    await page.until("document.readyState === 'complete' && location.href !== 'about:blank'");
    return page;
  }

  /** What an expression comes to in the page; a promise is waited for. */
  async value(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.#send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return (result as { value?: unknown }).value;
  }

  /** Waits until an expression is true. */
  async until(expression: string): Promise<void> {
    while ((await this.value(expression)) !== true) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  #send(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.#sent;
    const session = this.#session === '' ? {} : { sessionId: this.#session };
    (this.#child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, ...session })}\0`);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result = {}, error }) =>
        error === undefined ? resolve(result) : reject(new Error(error.message)),
      );
    });
  }

  #take(message: Message): void {
    const { id, method, params = {} } = message;
    if (id !== undefined) {
      this.#waiting.get(id)?.(message);
      this.#waiting.delete(id);
    } else if (method === 'Network.requestWillBeSent') {
      const { method: verb, url } = params['request'] as { method: string; url: string };
      this.asked.push(`${verb} ${url}`);
    } else if (method === 'Log.entryAdded') {
      const { level, text } = params['entry'] as { level: string; text: string };
      if (level === 'error' || level === 'warning') this.complaints.push(text);
    } else if (method === 'Runtime.exceptionThrown' || method === 'Runtime.consoleAPICalled')
      this.complaints.push(JSON.stringify(params));
  }
}
