/** The attributes of the element, as settings of its parts. Its public methods and events do not depend on them. */
import { needsPanel, readLabelMode } from '../drawing/map-document.ts';
import type { MapSource } from './loading/map-source.ts';
import type { MapLayout } from './map-layout.ts';
import type { MapStage } from './map-stage.ts';
import type { MapNavigation } from './navigation/map-navigation.ts';
import type { OpenPopup } from './navigation/open-popup.ts';
import type { SidePanel } from './panel/side-panel.ts';
import type { ViewerPart } from './parts/viewer-part.ts';
import { type Texts, textsFor } from './texts.ts';

/** Attributes that a change applies; others are read when they are needed. */
export const attributeNames = [
  ...['src', 'artboard', 'object', 'list', 'search', 'refresh', 'live', 'gestures'],
  ...['lang', 'switcher', 'labels', 'cluster', 'legend', 'panel'],
] as const;

interface Configured {
  readonly element: HTMLElement;
  readonly panelPart: ViewerPart<'panel'>;
  readonly source: MapSource;
  readonly stage: MapStage;
  readonly list: SidePanel;
  readonly layout: MapLayout;
  readonly navigation: MapNavigation;
  readonly popup: OpenPopup;
}

export class MapAttributes {
  readonly #of: Configured;
  texts: Texts = textsFor([]);

  constructor(configured: Configured) {
    this.#of = configured;
  }

  #isOff(name: string): boolean {
    return this.#of.element.getAttribute(name) === 'off';
  }

  /** Everything but what is loaded. */
  apply(): void {
    this.applyLanguage();
    this.applyLayout();
    this.applyGestures();
  }

  applyGestures(): void {
    this.#of.stage.isCooperative = this.isCooperative;
  }

  get isCooperative(): boolean {
    return this.#of.element.getAttribute('gestures') !== 'greedy';
  }

  /** Which controls there are. */
  applyControls(): void {
    const { element, source, stage, list } = this.#of;
    const map = source.shown?.still.map;
    stage.hasNoSwitch = this.#isOff('switcher');
    // With categories, the panel is the legend.
    stage.hasNoLegend = this.#isOff('legend') || (list.isPanel && map?.categories.length !== 0);
    stage.hasNoGroups = this.#isOff('cluster');
    stage.labelMode = readLabelMode(element.getAttribute('labels')) ?? map?.labels ?? 'none';
  }

  applyLayout(): void {
    const { element, source, layout, panelPart } = this.#of;
    const map = source.shown?.still.map;
    layout.choice = {
      hasList: element.hasAttribute('list'),
      hasSearch: element.hasAttribute('search'),
      hasPanel: map !== undefined && needsPanel(map) && !this.#isOff('panel'),
      isGone: panelPart.isGone,
    };
    this.applyControls();
  }

  applyRefresh(): void {
    this.#of.source.refreshEvery(Number(this.#of.element.getAttribute('refresh')));
  }

  applyLive(): void {
    this.#of.source.isLive = !this.#isOff('live');
  }

  applyLanguage(): void {
    const { element, list, stage, navigation, popup } = this.#of;
    const inherited = element.closest('[lang]')?.getAttribute('lang') ?? '';
    const languages = languagesFor(inherited, navigator.languages);
    const texts = textsFor(languages);
    this.texts = texts;
    list.update({ texts, languages });
    stage.texts = texts;
    navigation.texts = texts;
    popup.language = { texts, languages };
  }
}

/** The language of the page comes first, in the form that the visitor prefers: of a page in English, dates are those of the visitor's country. */
function languagesFor(inherited: string, preferred: readonly string[]): string[] {
  if (inherited === '') return [...preferred];
  const own = preferred.find((each) => each.toLowerCase().startsWith(`${inherited.toLowerCase()}-`));
  return [...(own === undefined ? [] : [own]), inherited, ...preferred];
}
