/** Measures the memory of this process, and collects garbage to measure how much of it is live. */
import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';
import vm from 'node:vm';

export interface HeapMonitor {
  /** Bytes of values and buffers in use, uncollected garbage included. Costs a microsecond or two. */
  used(): number;
  /** Collects all garbage, so that {@link used} gives the live size. Blocks the process for about a second per gigabyte. */
  collect(): void;
  /** Calls back soon after V8 makes a major collection; returns a function that stops this. */
  onCollected(callback: () => void): () => void;
}

let collectGarbage: (() => void) | undefined;

/** Measures with V8's heap statistics. */
export const processHeapMonitor: HeapMonitor = {
  used() {
    const { used_heap_size, external_memory } = v8.getHeapStatistics();
    return used_heap_size + external_memory;
  },
  collect() {
    collectGarbage ??= collector();
    collectGarbage();
  },
  onCollected(callback) {
    const observer = new PerformanceObserver((list) => {
      // All entries are of type `gc`, as observed below.
      const entries = list.getEntries() as readonly { detail?: NodeGCPerformanceDetail }[];
      if (entries.some(({ detail }) => detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR)) callback();
    });
    observer.observe({ entryTypes: ['gc'] });
    return () => observer.disconnect();
  },
};

/** V8 exposes its collector to contexts that are created while this flag is set. */
function collector(): () => void {
  v8.setFlagsFromString('--expose-gc');
  try {
    return vm.runInNewContext('gc') as () => void;
  } finally {
    v8.setFlagsFromString('--no-expose-gc');
  }
}
