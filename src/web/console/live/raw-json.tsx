/** An open member as JSON, below a form that knows only some of it. */
import { texts } from '../console-texts.ts';
import type { ControlProps } from '../forms/control-props.ts';
import { JsonField } from '../forms/text-fields.tsx';

export function RawJson(props: ControlProps) {
  const controlId = `${props.controlId}-json`;
  return (
    <details class="raw-json">
      <summary>{texts.live.rawJson}</summary>
      <label class="sr-only" for={controlId}>
        {texts.live.rawJsonOf(props.label)}
      </label>
      <JsonField {...props} controlId={controlId} />
    </details>
  );
}
