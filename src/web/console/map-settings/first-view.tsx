/** The first view of a map. */
import { isPlain } from '../../../lib/change/value-parts.ts';
import { type MapArea, toPlace } from '../../../lib/geo/geo.ts';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import type { Members } from '../kinds/resource-kinds.ts';
import { lateTexts } from '../late-texts.ts';
import { Button } from '../ui/button.tsx';
import type { PublicMapProps } from './public-map-props.ts';

export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** The part that the map of the editor shows now, as the first view; `undefined` without an artboard. */
function viewNow({ document, selection, workspace }: EditorModel): Members | undefined {
  const id = selection.artboardId.value;
  const artboard = document.store.shown(id);
  const view = workspace.map?.view();
  if (artboard === undefined || view === undefined) return undefined;
  const { centre, zoom } = view;
  const at = { artboard_id: id, zoom: rounded(zoom, 2) };
  if (artboard['type'] !== 'osm') return { ...at, x: Math.round(centre.x), y: Math.round(centre.y) };
  const { lat, lng } = toPlace(artboard as unknown as MapArea)(centre);
  return { ...at, lat: rounded(lat, 6), lng: rounded(lng, 6) };
}

export function FirstView({ model, map, onChange }: PublicMapProps) {
  const { store, canWrite } = model.document;
  const { start } = map;
  const artboard: Members | undefined = isPlain(start) ? (store.shown(String(start['artboard_id'])) ?? {}) : undefined;
  const t = lateTexts.mapSettings;
  const startHere = () => {
    const view = viewNow(model);
    if (view !== undefined) onChange({ start: view });
  };
  return (
    <>
      <h3>{t.start}</h3>
      <p>{artboard === undefined ? t.startNone : t.startSet(String(artboard['name'] || texts.unnamed))}</p>
      {canWrite && (
        <p class="row">
          <Button label={t.startHere} aria-describedby="start-hint" onClick={startHere} />
          {artboard !== undefined && <Button label={t.removeStart} onClick={() => onChange({ start: undefined })} />}
        </p>
      )}
      {canWrite && (
        <p class="hint" id="start-hint">
          {t.startHint}
        </p>
      )}
    </>
  );
}
