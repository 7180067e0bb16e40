/** Which variables have one value per item of an iterator, and the names in texts and expressions. */
import type { ProjectStore } from '../project/project-store.ts';

/** Whether a variable depends on an iterator, and so has a list of values. */
export function isPerItem(store: ProjectStore, id: string, above: ReadonlySet<string> = new Set()): boolean {
  const variable = store.shown(id);
  if (variable === undefined || above.has(id) || store.refOf(id)?.kind !== 'variable') return false;
  const inside = new Set([...above, id]);
  switch (variable['type']) {
    case 'primitive-from-iterator':
    case 'coords-from-iterator':
      return true;
    case 'interpolate-color':
      return isPerItem(store, String(variable['color_interpolation_factor_variable_id']), inside);
    case 'custom':
    case 'expression': {
      const text = String(variable[variable['type'] === 'custom' ? 'custom_value' : 'expression']);
      const names = new Set(namesIn(text));
      return store
        .members({ kind: 'variable' })
        .some(({ id: other, name }) => names.has(String(name)) && isPerItem(store, other, inside));
    }
    default:
      return false;
  }
}

/** The names in braces: `{Desks} of {Name}`. */
export const namesIn = (text: string): string[] =>
  [...text.replaceAll('{{', '').matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
