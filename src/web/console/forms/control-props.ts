/** What the controls of a form get. */

import type { EditorModel } from '../editor/editor-model.ts';
import type { FormField } from '../kinds/form-field.ts';
import type { ResourceRef } from '../kinds/resource-kinds.ts';

export interface ControlProps {
  readonly model: EditorModel;
  readonly target: ResourceRef;
  readonly field: FormField;
  readonly value: unknown;
  readonly label: string;
  /** Identifier of the control, to which its label belongs. */
  readonly controlId: string;
  /** Identifiers of the texts that explain it. */
  readonly describedBy: string | undefined;
  readonly isDisabled: boolean;
  readonly isInvalid: boolean;
  /** Whether it stands for several resources with different values. */
  readonly isMixed?: boolean;
  /** @param base the value at which the edit began */
  readonly onCommit: (value: unknown, base: unknown) => void;
}
