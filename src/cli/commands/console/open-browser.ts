/** Opens an address in the browser of the user. */
import { spawn } from 'node:child_process';

/** The program that opens addresses, and its arguments before the address. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address. Resolves with the reason why that failed, or with `undefined`. */
export function openBrowser(url: string): Promise<string | undefined> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
    child.once('error', (error: NodeJS.ErrnoException) => resolve(`${program}: ${error.code ?? error.message}`));
    child.once('spawn', () => {
      child.unref();
      resolve(undefined);
    });
  });
}
