/** Load by wrk, which costs the machine a fraction of what a client in JavaScript does. */
import fs from 'node:fs';
import path from 'node:path';
import { basePathOf, headersOf } from '../lib/ask.ts';
import { output, removeFolder, temporaryFolder } from '../lib/child.ts';
import type { Load, Loaded } from './throughput.ts';

/** wrk takes whole seconds; one that is stopped earlier prints no result. */
const secondsMin = 1;

export async function wrkLoad({ target, requests, connections, seconds }: Load): Promise<Loaded> {
  const folder = temporaryFolder();
  try {
    const script = path.join(folder, 'load.lua');
    fs.writeFileSync(script, luaScript({ target, requests }));
    const duration = `${Math.max(secondsMin, Math.round(seconds))}s`;
    const args = ['--threads', '1', '--connections', String(connections), '--duration', duration, '--script', script];
    const printed = await output(['wrk', ...args, new URL(target.url).origin]);
    const { answers, us, refused, connect, read, write, timeout } = JSON.parse(
      printed.slice(printed.lastIndexOf('\n{')),
    ) as Record<string, number>;
    if (answers === undefined || us === undefined) throw new Error(`wrk printed something else:\n${printed}`);
    const failed = Object.entries({ refused, connect, read, write, timeout }).filter(([, count]) => count !== 0);
    if (failed.length > 0)
      throw new Error(
        `answers were no success, or connections failed: ${failed.map(([kind, count]) => `${kind} ${count}`).join(', ')}`,
      );
    return { answers, perSecond: answers / (us / 1e6) };
  } finally {
    removeFolder(folder);
  }
}

/** Every request is put together once, before the first is sent. */
function luaScript({ target, requests }: Pick<Load, 'target' | 'requests'>): string {
  const basePath = basePathOf(target);
  const formats = requests.map((request) => {
    const headers = Object.entries(headersOf(target, request)).map(([name, value]) => `[${lua(name)}]=${lua(value)}`);
    const body = request.body === undefined ? 'nil' : lua(request.body);
    return `requests[#requests + 1] = wrk.format(${lua(request.method)}, ${lua(basePath + request.path)}, {${headers}}, ${body})`;
  });
  return `local requests, at = {}, 0
function init()
${formats.join('\n')}
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary)
  local errors = summary.errors
  io.write(string.format('\\n{"answers":%d,"us":%d,"refused":%d,"connect":%d,"read":%d,"write":%d,"timeout":%d}\\n', summary.requests,
    summary.duration, errors.status, errors.connect, errors.read, errors.write, errors.timeout))
end
`;
}

/** A literal of the same bytes. */
const lua = (text: string): string => `"${text.replace(/["\\]|\p{Cc}/gu, luaEscape)}"`;

const luaEscape = (sign: string): string =>
  Array.from(Buffer.from(sign), (byte) => `\\${String(byte).padStart(3, '0')}`).join('');
