/** The settings of a map for its visitors. */
import { settingsOf } from '../document/whole-project.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { publicMapOf, withPublicMap } from '../kinds/public-map-settings.ts';
import { lateTexts } from '../late-texts.ts';
import { MapPreview } from '../map-preview/map-preview.tsx';
import { HintedField } from '../ui/hinted-field.tsx';
import { Panel } from '../ui/panel.tsx';
import { useTextDraft } from '../ui/use-draft.ts';
import { CategoryList } from './category-list.tsx';
import { FieldList } from './field-list.tsx';
import { FirstView } from './first-view.tsx';
import { NamesAndLegend } from './legend.tsx';
import { MapLimits } from './map-limits.tsx';
import { MapPage } from './map-page.tsx';
import type { PublicMapProps } from './public-map-props.ts';
import { StaleMinutes } from './stale-minutes.tsx';

export function MapSettingsPanel({ model, onClose }: { readonly model: EditorModel; readonly onClose: () => void }) {
  const { store, edits } = model.document;
  store.revision('project').value;
  const settings = settingsOf(store);
  const props: PublicMapProps = {
    model,
    map: publicMapOf(settings),
    onChange: (members) =>
      edits.change(store.id, { settings: withPublicMap(settings, { ...publicMapOf(settings), ...members }) }),
  };
  const t = lateTexts.mapSettings;
  return (
    <Panel title={t.title} onClose={onClose}>
      <div class="beside-preview">
        <div class="settings">
          <p>{t.intro}</p>
          <Description {...props} />
          <CategoryList model={model} />
          <FieldList {...props} />
          <NamesAndLegend document={model.document} />
          <FirstView {...props} />
          <MapLimits model={model} />
          <StaleMinutes {...props} />
          <MapPage {...props} />
        </div>
        <MapPreview document={model.document} />
      </div>
    </Panel>
  );
}

function Description({ model, map, onChange }: PublicMapProps) {
  const { text, input } = useTextDraft(map['description'] ?? '', (description) => onChange({ description }), false);
  const t = lateTexts.mapSettings;
  return (
    <HintedField id="map-description" label={t.description} hint={t.descriptionHint}>
      {(described) => <textarea {...described} rows={3} readOnly={!model.document.canWrite} {...input} value={text} />}
    </HintedField>
  );
}
