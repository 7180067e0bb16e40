/** Starts servers to be measured, each a process of its own on a folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../src/cli/mapwright.js', import.meta.url));

export interface BenchServer {
  readonly url: string;
  readonly key: string;
  /** One request; throws unless it is answered with success. */
  call(method: string, route: string, body?: unknown): Promise<{ id: string; [member: string]: unknown }>;
  stop(): Promise<void>;
}

/** @param flags further flags of `mapwright serve` */
export async function startServer(flags: readonly string[] = []): Promise<BenchServer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mapwright-bench-'));
  const child = spawn(process.execPath, [cli, 'serve', '--data', folder, '--port', '0', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { url, key } = await announced(child);
  return {
    url,
    key,
    async call(method, route, body) {
      const response = await fetch(url + route, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`);
      return (await response.json()) as { id: string };
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      fs.rmSync(folder, { recursive: true });
    },
  };
}

function announced(child: ChildProcess): Promise<{ url: string; key: string }> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it listened:\n${text}`)));
    child.stdout?.on('data', (part) => {
      text += part;
      const url = /Listening on (\S+),/.exec(text)?.[1];
      const key = /mw_[\w-]+/.exec(text)?.[0];
      if (url !== undefined && key !== undefined) resolve({ url: `${url}/api/v1`, key });
    });
  });
}
