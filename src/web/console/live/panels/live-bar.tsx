/** Above the map: the Live switch, what data do to the map, and the simulation of an example. */
import { batch, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { texts } from '../../console-texts.ts';
import type { EditorModel } from '../../editor/editor-model.ts';
import { Button } from '../../ui/button.tsx';
import { hasData } from '../live-state.ts';
import { isWithoutAddresses, simulationFor } from '../simulation.ts';

export function LiveBar({ model }: { readonly model: EditorModel }) {
  const { store, live, liveView } = model.document;
  for (const kind of ['data_source', 'variable', 'action'] as const) store.revision({ kind }).value;
  const isOn = liveView.isOn.value;
  const t = texts.liveMap;
  if (model.document.isPast || (!hasData(store) && !isOn)) return null;
  const failure = live.failure.value;
  return (
    <div class="live-bar">
      <Button
        icon="live"
        label={t.live}
        role="switch"
        class="live-switch"
        aria-checked={isOn}
        title={t.switchHint}
        onClick={() => {
          liveView.isOn.value = !isOn;
        }}
      />
      {model.document.canWrite && isWithoutAddresses(store) && <SimulateButton model={model} />}
      {isOn && failure === '' && <Effects model={model} />}
      <FailingNotice model={model} />
      <p class={isOn && failure !== '' ? 'live-failure problem' : 'sr-only'} role="status">
        {isOn && failure !== '' && t.evaluationFailed(failure)}
      </p>
    </div>
  );
}

/** Counts of what actions do, and the way to what they could not do. */
function Effects({ model }: { readonly model: EditorModel }) {
  const { live, liveView } = model.document;
  const evaluation = live.evaluation.value;
  const { objects, popups, created } = liveView.effects.value;
  const problems = evaluation?.problems.length ?? 0;
  const t = texts.liveMap;
  return (
    <span class="live-effects">
      <span class="hint">
        {evaluation === undefined
          ? t.evaluating
          : t.effects(Object.keys(objects).length + Object.keys(popups).length, created.length)}
      </span>
      {problems > 0 && <Button label={t.problems(problems)} class="link" onClick={() => showProblems(model)} />}
    </span>
  );
}

const showProblems = ({ selection, workspace }: EditorModel): void =>
  batch(() => {
    selection.list.value = 'problems';
    workspace.pane.value = 'list';
  });

/** Data sources fail: from when the data is that the map shows, and the way to the reasons. */
function FailingNotice({ model }: { readonly model: EditorModel }) {
  const notice = model.document.live.notice.value;
  return (
    <span role="status" class="live-health">
      {notice !== undefined && (
        <Button
          icon="warning"
          class={`health ${notice.health}`}
          label={notice.word}
          title={notice.reason}
          onClick={() => showProblems(model)}
        />
      )}
    </span>
  );
}

function SimulateButton({ model }: { readonly model: EditorModel }) {
  const { simulation, store } = model.document;
  const found = useSignal<Awaited<ReturnType<typeof simulationFor>>>(undefined);
  const names = store.revision({ kind: 'data_source' }).value;
  useEffect(() => {
    let isHere = true;
    simulationFor(store).then(
      (simulate) => {
        if (isHere) found.value = simulate;
      },
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [store, names]);
  const simulate = found.value;
  const isRunning = simulation.isRunning.value;
  const t = texts.liveMap;
  if (simulate === undefined && !isRunning) return null;
  return (
    <Button
      icon={isRunning ? 'pause' : 'play'}
      label={t.simulate}
      aria-pressed={isRunning}
      title={t.simulateHint}
      onClick={() => {
        if (isRunning || simulate === undefined) simulation.stop();
        else simulation.start(simulate);
      }}
    />
  );
}
