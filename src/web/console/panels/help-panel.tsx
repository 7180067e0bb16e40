/** The list of keys. */
import { texts } from '../console-texts.ts';
import { lateTexts } from '../late-texts.ts';
import { toolKeys, toolNames } from '../tools/tool-names.ts';
import { Panel } from '../ui/panel.tsx';

export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const t = lateTexts.shortcuts;
  const tools = toolNames.map((name) => [toolKeys[name].toUpperCase(), texts.tools.each[name].title] as const);
  return (
    <Panel title={t.title} onClose={onClose}>
      <p>{t.intro}</p>
      <dl class="shortcuts">
        {[...tools, ...t.rows].map(([keys, does]) => (
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
