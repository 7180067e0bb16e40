/** The dialog that chooses an icon of the sets. */
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { lateTexts } from '../late-texts.ts';
import { Panel } from '../ui/panel.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { loadSets, loadWords, type SetIcon } from './icon-file.ts';
import { foundIcons, wordsOf } from './icon-search.ts';
import { SetPicture } from './icon-sign.tsx';

/** Icons that are shown first, and with each press of the button below them. */
const iconsAtOnce = 120;

interface Props {
  /** @param name '' for none */
  readonly onUse: (name: string) => void;
  readonly onClose: () => void;
}

export function IconPanel({ onUse, onClose }: Props) {
  const sets = useSignal<Readonly<Record<string, SetIcon>> | undefined>(undefined);
  const words = useSignal<Readonly<Record<string, string>>>({});
  const problem = useSignal('');
  const query = useSignal('');
  const shown = useSignal(iconsAtOnce);
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    loadSets().then(
      (found) => {
        sets.value = found;
      },
      () => {
        problem.value = lateTexts.icons.failed;
      },
    );
    // Names alone are enough to choose.
    loadWords().then(
      (found) => {
        words.value = found;
      },
      () => undefined,
    );
  }, []);
  useLayoutEffect(() => search.current?.focus(), []);
  const all = sets.value ?? {};
  const found = foundIcons(Object.keys(all), words.value, query.value);
  const use = (name: string) => {
    onUse(name);
    onClose();
  };
  const t = lateTexts.icons;
  return (
    <Panel title={t.title} onClose={onClose}>
      <SearchField
        label={t.search}
        value={query.value}
        field={search}
        onSearch={(text) => {
          query.value = text;
          shown.value = iconsAtOnce;
        }}
      />
      {sets.value === undefined && <p role="status">{problem.value || texts.loading}</p>}
      {sets.value !== undefined && found.length === 0 && <p class="empty">{texts.noMatch(query.value)}</p>}
      <ul class="icon-grid" aria-label={t.title}>
        {found.slice(0, shown.value).map((name) => (
          <li key={name}>
            <button type="button" class="quiet" title={name} aria-label={wordsOf(name)} onClick={() => use(name)}>
              <SetPicture icon={all[name] as SetIcon} />
            </button>
          </li>
        ))}
      </ul>
      {found.length > shown.value && (
        <button
          type="button"
          onClick={() => {
            shown.value += iconsAtOnce;
          }}
        >
          {texts.more}
        </button>
      )}
      <p>
        <button type="button" onClick={() => use('')}>
          {t.none}
        </button>
      </p>
    </Panel>
  );
}
