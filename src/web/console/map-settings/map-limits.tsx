/** How far visitors can move a map on Earth. */
import { isPlain } from '../../../lib/change/value-parts.ts';
import { latitudeMax, type MapArea, toPlace } from '../../../lib/geo/geo.ts';
import { settingsOf } from '../document/whole-project.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import type { Members } from '../kinds/resource-kinds.ts';
import { lateTexts } from '../late-texts.ts';
import { Button } from '../ui/button.tsx';
import { rounded } from './first-view.tsx';

/** The part of the Earth that the map of the editor shows; `undefined` if it shows no map, or all of the Earth. */
function visibleBounds({ document, selection, workspace }: EditorModel): Members | undefined {
  const artboard = document.store.shown(selection.artboardId.value);
  const view = workspace.map?.view();
  if (artboard?.['type'] !== 'osm' || view === undefined) return undefined;
  const placeOf = toPlace(artboard as unknown as MapArea);
  const [northWest, southEast] = [placeOf(view.from), placeOf(view.to)];
  const latitude = (lat: number): number => rounded(Math.max(-latitudeMax, Math.min(latitudeMax, lat)), 5);
  const bounds = {
    south: latitude(southEast.lat),
    west: rounded(northWest.lng, 5),
    north: latitude(northWest.lat),
    east: rounded(southEast.lng, 5),
  };
  return bounds.south < bounds.north && bounds.west !== bounds.east ? bounds : undefined;
}

export function MapLimits({ model }: { readonly model: EditorModel }) {
  const { store, edits, artboards, canWrite } = model.document;
  store.revision('project').value;
  const bounds = settingsOf(store)['max_bounds'];
  const hasMap = artboards.value.some(({ type }) => type === 'osm');
  if (!hasMap && bounds === undefined) return null;
  const t = lateTexts.mapSettings;
  const put = (bounds: Members) => {
    const { max_bounds: _, ...others } = settingsOf(store);
    edits.change(store.id, { settings: { ...others, ...bounds } });
  };
  const limit = () => {
    const visible = visibleBounds(model);
    if (visible === undefined) edits.notices.say(t.noLimits, true);
    else put({ max_bounds: visible });
  };
  return (
    <>
      <h3>{t.limits}</h3>
      <p>{isPlain(bounds) ? t.limitsSet(bounds) : t.limitsNone}</p>
      {canWrite && (
        <p class="row">
          {hasMap && <Button label={t.limitHere} aria-describedby="limits-hint" onClick={limit} />}
          {bounds !== undefined && <Button label={t.removeLimits} onClick={() => put({})} />}
        </p>
      )}
      {canWrite && hasMap && (
        <p class="hint" id="limits-hint">
          {t.limitsHint}
        </p>
      )}
    </>
  );
}
