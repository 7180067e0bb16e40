/** The user's work in the editor just now: tool, pane, dialogs, and what the map shows besides the project. Nothing of it is stored. */
import { batch, type Signal, signal } from '@preact/signals';
import type { PictureAddress } from '../files/picture-uploads.ts';
import type { Members } from '../kinds/resource-kinds.ts';
import type { Point } from '../shapes/shape.ts';
import type { ToolEvent } from '../tools/tool.ts';
import type { ToolName } from '../tools/tool-names.ts';

export type Pane = 'list' | 'map' | 'form';

/** A part of an artboard that is visible, as the first view of a map names it (`settings.public_map.start`). */
export interface MapView {
  readonly centre: Point;
  /** Its corners, top left and bottom right. */
  readonly from: Point;
  readonly to: Point;
  readonly zoom: number;
}

/** Commands of the map; `undefined` while it is not shown. */
interface MapCommands {
  /** The middle of what is visible, in pixels of the artboard. */
  centre(): Point;
  /** The visible part in pixels of the artboard, and its zoom as that of a first view. */
  view(): MapView;
  reveal(id: string): void;
  focus(): void;
  /** Delivers an event to the tool in use. `false` if it means nothing to it. */
  send(event: ToolEvent): boolean;
  /** Saves what keys have moved, without waiting for further ones. */
  endNudge(): void;
}

/** A file that is to become objects of an artboard. */
export interface ImportRequest {
  readonly file: File;
  /** True if the project was created for it, and is deleted if the user cancels. */
  readonly isNewProject: boolean;
  /** True if it cannot be imported, so that another file takes its place. */
  readonly hasFailed: Signal<boolean>;
}

/** The preview of an import. */
export interface ImportPreview {
  readonly artboardId: string;
  /** Members that the artboard would get. */
  readonly artboard: Members;
  /** Bodies of objects, in pixels of the artboard with these members. */
  readonly objects: readonly Members[];
}

export type Change = 'created' | 'changed' | 'deleted';

/** How an object differs from the other state. */
export interface ChangeMark {
  readonly change: Change;
  /** Its members in the former state, if it looks different there. */
  readonly before?: Members | undefined;
}

/** The use of a picture that the user chooses in the library; without `onUse` it becomes a background. */
export interface LibraryUse {
  readonly onUse?: (picture: PictureAddress) => void;
}

/** In the storage of the browser: whether the rest of the form of an object is shown. */
const advancedKey = 'mapwright-advanced';

export class Workspace {
  readonly tool = signal<ToolName>('select');
  /** The text that a tool says to users of a screen reader. */
  readonly said = signal('');
  /** True if the map of the editor has the names of objects; `undefined`: as published. */
  readonly showsNames = signal<boolean | undefined>(undefined);
  /** The name of the state of the tool in use. */
  readonly toolState = signal('idle');
  /** Coordinates that are being typed for a drawing tool. */
  readonly typedPlace = signal<string | undefined>(undefined);
  /** The place at which a text is being typed. */
  readonly textPlace = signal<Point | undefined>(undefined);
  readonly pane = signal<Pane>('map');
  /** True if somebody who may only look has gone from the map of visitors to lists and forms. */
  readonly isInside = signal(false);
  readonly isHelpOpen = signal(false);
  /** The step of the tour, from 0; `undefined` if there is none. */
  readonly tourStep = signal<number | undefined>(undefined);
  /** The dialog of the project's pictures, and what it does with a picture that is used; `undefined` while it is closed. */
  readonly library = signal<LibraryUse | undefined>(undefined);
  /** Takes the icon that the user chooses in the dialog of icons; `undefined` while it is closed. */
  readonly icons = signal<((name: string) => void) | undefined>(undefined);
  /** True if the rest of the form of an object is shown. */
  readonly isAdvanced = signal(localStorage.getItem(advancedKey) === 'true');
  /** The picture that an artboard with objects gets, about which the user decides. */
  readonly replacing = signal<{ readonly artboardId: string; readonly picture: PictureAddress } | undefined>(undefined);
  /** The file that the user imports. */
  readonly importing = signal<ImportRequest | undefined>(undefined);
  /** Objects that the map marks, because they differ from another state of the project. */
  readonly marks = signal<ReadonlyMap<string, ChangeMark>>(new Map());
  /** The objects that the import would create, for the map. */
  readonly preview = signal<ImportPreview | undefined>(undefined);
  /** Names of the categories whose objects the map of this tab does not show. */
  readonly hiddenCategories = signal<ReadonlySet<string>>(new Set());
  /** Members that the map shows of some objects before the user has chosen them. */
  readonly trial = signal<{ readonly ids: readonly string[]; readonly members: Members } | undefined>(undefined);
  /** The field that gets the focus when its form appears. */
  readonly focusField = signal('');
  map: MapCommands | undefined;

  /** Goes to a field in the form of the selection. A narrow window shows one pane. */
  toField(field: string): void {
    batch(() => {
      this.pane.value = 'form';
      this.focusField.value = field;
    });
  }

  /** Hides the objects of a category on the map of this tab, or shows them. */
  toggleCategory(name: string): void {
    const hidden = new Set(this.hiddenCategories.value);
    if (!hidden.delete(name)) hidden.add(name);
    this.hiddenCategories.value = hidden;
  }

  /** Shows the rest of the form, or hides it. The browser remembers it. */
  setAdvanced(isShown: boolean): void {
    this.isAdvanced.value = isShown;
    localStorage.setItem(advancedKey, String(isShown));
  }

  /** Goes to the map, where single keys work. */
  toMap(): void {
    this.pane.value = 'map';
    this.map?.focus();
  }
}
