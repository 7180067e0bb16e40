/** The part of the viewer that lists objects, searches them, and filters them: alone, or as a panel with categories and fields. */
import { MapPanel } from './map-panel.ts';
import type { PanelPart } from './panel-contract.ts';

export const createPanel: PanelPart['createPanel'] = (element, details, host) => new MapPanel(element, details, host);
