/** The list of keys. */
import { lateTexts } from '../late-texts.ts';
import { Panel } from '../ui/panel.tsx';

export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const t = lateTexts.shortcuts;
  return (
    <Panel title={t.title} onClose={onClose}>
      <p>{t.intro}</p>
      <dl class="shortcuts">
        {t.rows.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
