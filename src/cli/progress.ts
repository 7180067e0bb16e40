/** How far something has come, as one line on a terminal that is written over; nothing where nobody looks on. */
import type { OnProgress } from '../lib/meter.ts';
import { megabytes } from './words.ts';

export interface ProgressLine {
  readonly show: OnProgress;
  /** Takes the line away. */
  end(): void;
}

export function progressLine(what: string, stream: NodeJS.WriteStream = process.stderr): ProgressLine {
  let shown = false;
  return {
    show({ done, total }) {
      if (!stream.isTTY) return;
      const percent = total === 0 ? '' : ` (${Math.min(99, Math.floor((100 * done) / total))} %)`;
      stream.write(`\r\u001b[K${what}: ${megabytes(done)}${percent}`);
      shown = true;
    },
    end() {
      if (shown) stream.write('\r\u001b[K');
    },
  };
}
