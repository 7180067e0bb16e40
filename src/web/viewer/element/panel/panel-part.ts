/** The part of the viewer that lists objects, searches them, and filters them: alone, or as a panel with categories and fields. */
import type { Colour } from '../../drawing/colours.ts';
import { MapPanel } from './map-panel.ts';
import type { PanelState, SidePanelOptions } from './side-panel.ts';

/** What the part uses of the script that loads it. */
export interface PanelHost extends Omit<SidePanelOptions, 'part'> {
  colourOf(text: string, fallback: string): Colour;
  /** Adds a style sheet to the element. */
  addSheet(sheet: CSSStyleSheet): void;
}

export interface Panel {
  update(state: PanelState): void;
  /** Moves the focus to the row of an object; whether it has one. */
  focus(id: string): boolean;
  focusSearch(): void;
  /** Leaves the map more room, if the panel is a sheet above it. */
  makeRoom(): void;
  resized(): void;
}

export interface PanelPart {
  createPanel(element: HTMLElement, details: HTMLElement, host: PanelHost): Panel;
}

export const createPanel: PanelPart['createPanel'] = (element, details, host) => new MapPanel(element, details, host);
