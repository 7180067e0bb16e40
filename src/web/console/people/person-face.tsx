/** The sign of a person: the first letter of the name on their colour. */
import { inkOn } from './ink-on.ts';

/** @param color '' for somebody without one */
export function PersonFace({ name, color }: { readonly name: string; readonly color: string }) {
  const style = color === '' ? {} : { backgroundColor: color, color: inkOn(color) };
  return (
    <span class="avatar" style={style} aria-hidden="true">
      {name.slice(0, 1).toLocaleUpperCase()}
    </span>
  );
}
