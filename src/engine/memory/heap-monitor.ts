/** How much memory this process uses, and how to find out what of it is still needed. */
import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';
import vm from 'node:vm';

export interface HeapMonitor {
  /** Bytes of values and of buffers, garbage that was not collected yet included. Costs a microsecond or two. */
  used(): number;
  /** Collects all garbage, so that {@link used} tells what is needed. Everything stops meanwhile: about a second for each gigabyte. */
  collect(): void;
  /** Calls back soon after V8 collected all garbage by itself; returns what ends this. */
  onCollected(callback: () => void): () => void;
}

let collectGarbage: (() => void) | undefined;

/** V8's own figures. */
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
      // Of kind `gc`, as was asked for below.
      const entries = list.getEntries() as readonly { detail?: NodeGCPerformanceDetail }[];
      if (entries.some(({ detail }) => detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR)) callback();
    });
    observer.observe({ entryTypes: ['gc'] });
    return () => observer.disconnect();
  },
};

/** V8 gives its collector to contexts made while this flag is set. */
function collector(): () => void {
  v8.setFlagsFromString('--expose-gc');
  try {
    return vm.runInNewContext('gc') as () => void;
  } finally {
    v8.setFlagsFromString('--no-expose-gc');
  }
}
