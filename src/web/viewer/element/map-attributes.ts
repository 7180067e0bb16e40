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
import type { WallMode } from './wall/wall-mode.ts';

/** Attributes that a change applies; others are read when they are needed. */
export const attributeNames = [
  ...['src', 'artboard', 'object', 'list', 'search', 'refresh', 'live', 'gestures'],
  ...['lang', 'switcher', 'labels', 'cluster', 'legend', 'panel', 'menu', 'display', 'display-seconds'],
] as const;

/** Seconds between two looks of a wall for a new version, unless it says otherwise: it is never loaded again by hand. */
const wallRefreshS = '60';

interface Configured {
  readonly element: HTMLElement;
  readonly parts: { readonly panel: ViewerPart<'panel'>; readonly share: ViewerPart<'share'> };
  readonly source: MapSource;
  readonly stage: MapStage;
  readonly list: SidePanel;
  readonly layout: MapLayout;
  readonly navigation: MapNavigation;
  readonly popup: OpenPopup;
  readonly wall: WallMode;
}

export class MapAttributes {
  readonly #of: Configured;
  texts: Texts = textsFor([]);
  /** The languages of the visitor, the preferred one first. */
  languages: readonly string[] = [];

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

  /** Follows another value of an attribute that shows no other map and no other place. */
  follow(name: string): void {
    if (name === 'refresh') this.applyRefresh();
    else if (name === 'live') this.applyLive();
    else if (name === 'gestures') this.applyGestures();
    else if (name === 'lang') {
      this.applyLanguage();
      this.#of.wall.apply();
    } else if (name.startsWith('display')) this.applyWall();
    else if (['list', 'search', 'panel'].includes(name)) this.applyLayout();
    else this.applyControls();
  }

  /** The address of the page counts once the source knows its folder. */
  applyWall(): void {
    this.applyLayout();
    this.applyRefresh();
    this.#of.wall.apply();
  }

  applyGestures(): void {
    this.#of.stage.isCooperative = this.isCooperative;
  }

  get isCooperative(): boolean {
    return this.#of.element.getAttribute('gestures') !== 'greedy';
  }

  /** Which controls there are. */
  applyControls(): void {
    const { element, source, stage, list, wall, parts } = this.#of;
    const map = source.shown?.still.map;
    stage.hasNoSwitch = this.#isOff('switcher') || wall.isOn;
    // With categories, the panel is the legend.
    stage.legend.isOff = this.#isOff('legend') || (list.isPanel && map?.categories.length !== 0);
    stage.hasMenu = element.hasAttribute('menu') && !this.#isOff('menu') && !wall.isOn && !parts.share.isGone;
    stage.hasNoGroups = this.#isOff('cluster');
    stage.labelMode = readLabelMode(element.getAttribute('labels')) ?? map?.labels ?? 'none';
  }

  applyLayout(): void {
    const { element, source, layout, parts, wall } = this.#of;
    const map = source.shown?.still.map;
    layout.choice = {
      hasList: element.hasAttribute('list'),
      hasSearch: element.hasAttribute('search'),
      hasPanel: map !== undefined && needsPanel(map) && !this.#isOff('panel'),
      isGone: parts.panel.isGone || wall.isOn,
    };
    this.applyControls();
  }

  applyRefresh(): void {
    const { element, source, wall } = this.#of;
    source.refreshEvery(Number(element.getAttribute('refresh') ?? (wall.isOn ? wallRefreshS : '')));
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
    this.languages = languages;
    list.update({ texts, languages });
    stage.texts = texts;
    stage.badge.language = { texts, languages };
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
