/** Help: the tour, the guide, and the list of keys. */
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { lateTexts } from '../late-texts.ts';
import { serverRoot } from '../server/server-root.ts';
import { toolKeys, toolNames } from '../tools/tool-names.ts';
import { Button } from '../ui/button.tsx';
import { Panel } from '../ui/panel.tsx';

export function HelpPanel({ model, onClose }: { readonly model: EditorModel; readonly onClose: () => void }) {
  const t = lateTexts.help;
  const tools = toolNames.map((name) => [toolKeys[name].toUpperCase(), texts.tools.each[name].title] as const);
  return (
    <Panel title={t.title} onClose={onClose}>
      <div class="row">
        <Button
          label={t.tour}
          class="primary"
          onClick={() => {
            onClose();
            model.workspace.tourStep.value = 0;
          }}
        />
        <a class="button" href={`${serverRoot()}docs/guide`} target="_blank" rel="noopener">
          {t.guide}
        </a>
      </div>
      <h3>{t.keys}</h3>
      <p>{t.keysIntro}</p>
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
