/** The part of the viewer that shows details of an object: in a card on the map, and in the panel. */
import { nameOf } from '../../drawing/map-document.ts';
import { PopupCard } from '../popup-card.ts';
import { sayDetails } from '../visits/visit-events.ts';
import { detailsSheet } from './details-style.ts';
import type { DetailsContent, DetailsView, DetailsViewOptions } from './details-view.ts';
import { fieldRows } from './field-rows.ts';
import { PanelDetails } from './panel-details.ts';

export interface DetailsPart {
  createCard(options: DetailsViewOptions): DetailsView;
  createPanelDetails(options: DetailsViewOptions): DetailsView;
}

export function createCard(options: DetailsViewOptions): DetailsView {
  addSheet(options.element);
  const card = new PopupCard(options);
  const put = (content: DetailsContent, isNew: boolean): void => {
    const { details, texts, filesBase } = content;
    // A popup says everything by itself: its author has written it.
    const more = details.hasPopup ? [] : fieldRows(content);
    card.filesBase = filesBase;
    const name = nameOf(details.object);
    if (isNew) {
      card.show(details.popup, name, texts, more);
      sayDetails(card.element, details.object.id);
    } else card.renew(details.popup, name, texts, more);
  };
  return {
    get coveredPx() {
      return card.coveredPx;
    },
    get room() {
      return card.room;
    },
    show: (content) => put(content, true),
    renew: (content) => put(content, false),
    hide: () => card.hide(),
    place: (at, size) => card.place(at, size),
  };
}

export function createPanelDetails(options: DetailsViewOptions): DetailsView {
  addSheet(options.element);
  return new PanelDetails(options);
}

function addSheet(element: HTMLElement): void {
  const { adoptedStyleSheets } = element.getRootNode() as ShadowRoot;
  if (!adoptedStyleSheets.includes(detailsSheet())) adoptedStyleSheets.push(detailsSheet());
}
