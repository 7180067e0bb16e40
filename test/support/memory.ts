/** What this process holds, once everything that nobody refers to is gone. */
import v8 from 'node:v8';
import vm from 'node:vm';

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as () => void;

/** Bytes of objects and of Buffers. */
export async function heldBytes(): Promise<number> {
  // Buffers are freed in a turn after the one that finds them.
  for (let i = 0; i < 3; i++) {
    collect();
    await new Promise(setImmediate);
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
