/** Both plans above each other, half transparent, and the objects where they will be. */

import type { MovedObject, Plan } from '../commands/replacement.ts';
import { lateTexts } from '../late-texts.ts';
import { loadedAddress } from '../server/server-root.ts';
import type { Affine } from '../shapes/affine.ts';
import { isLine, isPolygon, type Polygon } from '../shapes/shape.ts';

interface Props {
  readonly former: Plan;
  readonly next: Plan;
  /** `undefined` while the points say nothing: then only the new plan is shown. */
  readonly movement: Affine | undefined;
  readonly objects: readonly MovedObject[];
}

const Picture = ({ plan, transform }: { readonly plan: Plan; readonly transform?: string }) =>
  plan.url === '' ? null : (
    <image
      href={loadedAddress(plan.url)}
      width={plan.width}
      height={plan.height}
      preserveAspectRatio="none"
      opacity="0.5"
      {...(transform === undefined ? {} : { transform })}
    />
  );

/** The outline with its holes, or the line. */
function pathOf(shape: Polygon): string {
  const path = (corners: Polygon['coords']) => `M${corners.map(({ x, y }) => `${x},${y}`).join('L')}`;
  return isLine(shape) ? path(shape.coords) : [shape.coords, ...(shape.holes ?? [])].map((ring) => `${path(ring)}Z`).join('');
}

export function PlanPreview({ former, next, movement, objects }: Props) {
  return (
    <svg class="plan-preview" viewBox={`0 0 ${next.width} ${next.height}`} role="img" aria-label={lateTexts.replace.previewLabel}>
      {movement !== undefined && (
        <Picture
          plan={former}
          transform={`matrix(${movement.a} ${movement.b} ${movement.c} ${movement.d} ${movement.e} ${movement.f})`}
        />
      )}
      <Picture plan={next} />
      {objects.map(({ id, shape, color }) =>
        isPolygon(shape) ? (
          <path
            key={id}
            d={pathOf(shape)}
            fill-rule="evenodd"
            {...(isLine(shape) ? { class: 'plan-line', stroke: color } : { fill: color })}
          />
        ) : (
          <circle key={id} cx={shape.x} cy={shape.y} r={shape.radius} fill={color} />
        ),
      )}
    </svg>
  );
}
