/** What the controls of a form get. */

import type { ReadonlySignal, Signal } from '@preact/signals';
import type { TileSource } from '../../../viewer/drawing/ground/tile-source.ts';
import { texts } from '../../console-texts.ts';
import type { ProjectEdits } from '../../document/project-edits.ts';
import type { PictureAddress, PictureUploads } from '../../files/picture-uploads.ts';
import type { FormField } from '../../kinds/form-field.ts';
import type { MapCategory } from '../../kinds/map-categories.ts';
import type { Members, Resource, ResourceRef } from '../../kinds/resource-kinds.ts';
import type { LiveProject } from '../../live/live-state.ts';

/** The project, as far as forms need it. */
export interface FormDocument extends LiveProject {
  readonly edits: ProjectEdits;
  readonly canWrite: boolean;
  /** Sources of map tiles that the server lists; the first one is its default. */
  readonly tiles: readonly TileSource[];
  readonly artboards: ReadonlySignal<readonly Resource[]>;
  readonly looks: {
    readonly colours: ReadonlySignal<readonly string[]>;
    readonly categories: ReadonlySignal<readonly MapCategory[]>;
  };
  readonly uploads: PictureUploads;
}

/** The part of an editor that forms know. */
export interface FormModel {
  readonly document: FormDocument;
  readonly selection: { readonly ids: ReadonlySignal<readonly string[]>; select(ids: readonly string[]): void };
  readonly workspace: {
    readonly trial: Signal<{ readonly ids: readonly string[]; readonly members: Members } | undefined>;
    readonly library: Signal<{ readonly onUse?: (picture: PictureAddress) => void } | undefined>;
    readonly icons: Signal<((name: string) => void) | undefined>;
    readonly replacing: Signal<{ readonly artboardId: string; readonly picture: PictureAddress } | undefined>;
    readonly focusField: Signal<string>;
    toMap(): void;
  };
}

export interface ControlProps {
  readonly model: FormModel;
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

/** Attributes that connect a control with its label and its explanations. */
export const controlAttributes = ({ controlId, describedBy, isInvalid }: ControlProps) => ({
  id: controlId,
  'aria-describedby': describedBy,
  'aria-invalid': isInvalid,
});

/** The text that stands for values that differ; `undefined` for one value. */
export const mixedText = ({ isMixed }: Pick<ControlProps, 'isMixed'>): string | undefined =>
  isMixed === true ? texts.several.values : undefined;

/** Attributes of a control in which a user types. */
export const textAttributes = (props: ControlProps) => ({
  ...controlAttributes(props),
  readOnly: props.isDisabled,
  placeholder: mixedText(props),
});
