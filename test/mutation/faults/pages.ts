/** Faults of what browsers run: the document of the console, the map of visitors, and the converter of files. */
import { type Fault, seam } from '../seam.ts';

const api = seam<typeof import('../../../src/web/console/document/project-api.ts')>(
  'requests of the console',
  'src/web/console/document/project-api',
);
const store = seam<typeof import('../../../src/web/console/document/project-store.ts')>(
  'document of the console',
  'src/web/console/document/project-store',
);
const writes = seam<typeof import('../../../src/web/console/document/pending-writes.ts')>(
  'document of the console',
  'src/web/console/document/pending-writes',
);
const conflicts = seam<typeof import('../../../src/web/console/document/conflicts.ts')>(
  'document of the console',
  'src/web/console/document/conflicts',
);
const orders = seam<typeof import('../../../src/web/console/document/feed-orders.ts')>(
  'document of the console',
  'src/web/console/document/feed-orders',
);
const versions = seam<typeof import('../../../src/web/console/kinds/resource-version.ts')>(
  'versions in the console',
  'src/web/console/kinds/resource-version',
);
const points = seam<typeof import('../../../src/web/viewer/drawing/labels/label-point.ts')>(
  'names on a map',
  'src/web/viewer/drawing/labels/label-point',
);
const labels = seam<typeof import('../../../src/web/viewer/drawing/labels/place-labels.ts')>(
  'names on a map',
  'src/web/viewer/drawing/labels/place-labels',
);
const zoom = seam<typeof import('../../../src/web/viewer/drawing/view/stand-alone.ts')>(
  'view of a map',
  'src/web/viewer/drawing/view/stand-alone',
);
const scale = seam<typeof import('../../../src/web/viewer/element/share/print/scale-bar.ts')>(
  'view of a map',
  'src/web/viewer/element/share/print/scale-bar',
);
const address = seam<typeof import('../../../src/web/viewer/element/navigation/map-address.ts')>(
  'address of a map',
  'src/web/viewer/element/navigation/map-address',
);
const wall = seam<typeof import('../../../src/web/viewer/element/wall/data-words.ts')>(
  'state of the data of a map',
  'src/web/viewer/element/wall/data-words',
);
const age = seam<typeof import('../../../src/web/viewer/element/loading/data-age.ts')>(
  'state of the data of a map',
  'src/web/viewer/element/loading/data-age',
);
const publicMap = seam<typeof import('../../../src/lib/draw/public-map.ts')>('document of a map', 'src/lib/draw/public-map');
const filter = seam<typeof import('../../../src/web/viewer/element/filter/map-filter.ts')>(
  'filter of a map',
  'src/web/viewer/element/filter/map-filter',
);
const html = seam<typeof import('../../../src/lib/html/escape-html.ts')>('HTML', 'src/lib/html/escape-html');
const objects = seam<typeof import('../../../src/web/convert/map/build-objects.ts')>(
  'converter of files',
  'src/web/convert/map/build-objects',
);
const plan = seam<typeof import('../../../src/web/convert/plan/plan-import.ts')>(
  'converter of files',
  'src/web/convert/plan/plan-import',
);

const runOf = (version: string): string | undefined => version.split('-')[0];

export const pageFaults = {
  'a batch that is sent again has another key': api({
    ProjectApi: ({ ProjectApi, newRequestKey }) =>
      class extends ProjectApi {
        override send(...[batch]: Parameters<InstanceType<typeof ProjectApi>['send']>) {
          return super.send(batch, newRequestKey());
        }
      },
  }),
  'the document is never later than the feed': store.withMethods('ProjectStore', () => ({ isLater: () => false })),
  'no write of the document is begun': writes.withMethods('PendingWrites', ({ add }) => ({
    add(diff, isTyped) {
      return Object.defineProperty(add.call(this, diff, isTyped), 'isBegun', { get: () => false, set: () => undefined });
    },
  })),
  'nothing in the document waits for a decision': conflicts.withMethods('Conflicts', () => ({ isHeld: () => false })),
  'orders of the feed never count': orders.withMethods('FeedOrders', () => ({ reached: () => [] })),
  'no version is before another one': versions({ isBefore: () => () => false }),
  'versions of two runs are in no order': versions.withResult(
    'isBefore',
    (is, version, other) => is && runOf(version) === runOf(other),
  ),

  'polygons have no holes': points.withArguments('labelPoint', (corners) => [corners]),
  'names have the usual distance from their spots': labels.withArguments('placeLabels', (labelled, ...others) => [
    labelled.map(({ gapScale: _, ...each }) => each),
    ...others,
  ]),
  'no spot is in a group': zoom.withArguments('separating', (spot, others, zooming) => [
    spot,
    others,
    { ...zooming, groupedWithin: () => 0 },
  ]),
  'the middle of a map is at the equator': scale.withArguments('scaleBarFor', (resolution, _, ...others) => [
    resolution,
    0,
    ...others,
  ]),
  'the address of a map had no parameters before': address.withArguments('fragmentWith', (_, ...others) => ['', ...others]),
  'stale data are fresh': wall.withArguments('dataWords', (detail, ...others) => [
    detail.state === 'stale' ? { ...detail, state: 'fresh' } : detail,
    ...others,
  ]),
  'all times are of today': wall.withMethods('TimeWords', ({ momentOf }) => ({
    momentOf(at) {
      return momentOf.call(this, at, at);
    },
  })),
  'the network is never lost': age.withMethods('DataAge', () => ({
    lost() {
      this.check();
    },
  })),
  'the refresh of a map is a thousand times as long': age.withMethods('DataAge', ({ follow }) => ({
    follow(refresh) {
      follow.call(this, refresh === undefined ? refresh : 1000 * refresh);
    },
  })),
  'every number is an age of data': publicMap({
    isStaleMinutes:
      () =>
      (value): value is number =>
        typeof value === 'number',
  }),
  'every object is a place': filter.withMethods('MapFilter', ({ take }) => ({
    take(map, judge, isFirst) {
      take.call(this, map, { isPlace: () => true, isListed: (object) => judge.isListed(object) }, isFirst);
    },
  })),
  'texts are not escaped': html({ escapeHtml: () => (text) => text }),
  'converted polygons have no holes': objects.withArguments('buildObjects', (placed, ...others) => [
    placed.map(({ item, shapes }) => ({
      item,
      shapes: shapes.map((shape) => (shape.kind === 'poly' ? { ...shape, holes: [] } : shape)),
    })),
    ...others,
  ]),
  'every present object has a key': plan.withArguments('planImport', (planned, existing, missing) => [
    planned,
    existing.map((object) => (object.key ? object : { ...object, key: object.id })),
    missing,
  ]),
} as const satisfies Readonly<Record<string, Fault>>;
