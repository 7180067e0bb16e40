/** The fields in the settings of a project, which may have any form. */
import { isPlain } from '../../../lib/change/value-parts.ts';
import { publicMapOf } from './public-map-settings.ts';

/** A property that visitors see. */
export interface MapField {
  readonly name: string;
  /** '' for none. */
  readonly label: string;
  /** `undefined`: text. */
  readonly kind: string | undefined;
  /** `undefined`: in the popup. */
  readonly show: readonly string[] | undefined;
}

/** The sound elements of `settings.public_map.fields`, in their order. */
export function fieldsIn(settings: unknown): readonly MapField[] {
  const { fields } = publicMapOf(settings);
  return (Array.isArray(fields) ? fields : []).flatMap((field): MapField[] => {
    if (!isPlain(field) || typeof field['name'] !== 'string') return [];
    const { name, label, kind, show } = field;
    return [
      {
        name,
        label: typeof label === 'string' ? label : '',
        kind: typeof kind === 'string' ? kind : undefined,
        show: Array.isArray(show) ? show.map(String) : undefined,
      },
    ];
  });
}
