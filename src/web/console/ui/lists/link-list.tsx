/** Links to what belongs to the thing on the screen, with a heading. */
import { Button } from '../button.tsx';

export function LinkList(props: {
  readonly label: string;
  readonly links: readonly { readonly id: string; readonly name: string }[];
  readonly onChoose: (id: string) => void;
}) {
  if (props.links.length === 0) return null;
  return (
    <>
      <p class="hint">{props.label}</p>
      <ul aria-label={props.label}>
        {props.links.map(({ id, name }) => (
          <li key={id}>
            <Button label={name} class="link" onClick={() => props.onChoose(id)} />
          </li>
        ))}
      </ul>
    </>
  );
}
