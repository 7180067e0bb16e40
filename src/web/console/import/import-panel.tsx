/** The panel of an import: what the file has, what becomes of it, and what it creates, next to its preview on the map. */
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { takeFile } from '../commands/take-file.ts';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import type { ImportRequest } from '../editor/workspace.ts';
import { lateTexts } from '../late-texts.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icons.tsx';
import { Problem } from '../ui/problem.tsx';
import { FirstRows } from './first-rows.tsx';
import { FileChoices, MissingChoice, PlacementChoice, SwapChoice } from './import-choices.tsx';
import { ImportModel } from './import-model.ts';
import { ImportReport } from './import-report.tsx';
import { MappingFields, PlaceColumns } from './mapping-fields.tsx';
import { RowPreview } from './row-preview.tsx';

export interface ImportProps {
  readonly model: EditorModel;
  readonly request: ImportRequest;
  /** @param isCancelled whether nothing was imported */
  readonly onClose: (isCancelled: boolean) => void;
}

export function ImportPanel({ model, request, onClose }: ImportProps) {
  const run = useMemo(() => new ImportModel(model, request.file), [request]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => () => run.close(), [run]);
  useLayoutEffect(() => heading.current?.focus(), [run]);
  const state = run.state.value;
  useLayoutEffect(() => {
    request.hasFailed.value = state.is === 'refused';
  }, [request, state]);
  const isWriting = state.is === 'writing' || state.is === 'undoing';
  const cancel = (): void => {
    if (isWriting) run.cancelWriting();
    else onClose(true);
  };
  const t = lateTexts.imports;
  return (
    <form
      class="import-panel"
      aria-labelledby="import-title"
      onSubmit={(event) => {
        event.preventDefault();
        void run.write().then((isWritten) => isWritten && onClose(false));
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        cancel();
      }}
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
      }}
      onDrop={(event) => {
        // Otherwise the browser would show the file instead of the console.
        event.preventDefault();
        void takeFile(model, event.dataTransfer?.files);
      }}
    >
      <div class="panel-head">
        <h2 id="import-title" ref={heading} tabIndex={-1}>
          {t.title(run.fileName)}
        </h2>
        <IconButton icon="close" label={texts.cancel} onClick={cancel} />
      </div>
      <div class="panel-body">{isWriting ? null : <Choices run={run} />}</div>
      <Foot run={run} onCancel={cancel} />
    </form>
  );
}

/** Everything that the user can decide, and what the file has. */
function Choices({ run }: { readonly run: ImportModel }) {
  const state = run.state.value;
  const conversion = run.conversion.value;
  const t = lateTexts.imports;
  const { columns = [] } = run.failure.value ?? {};
  return (
    <>
      {state.is === 'refused' && <Problem text={state.reason} />}
      {conversion !== undefined && (
        <p>
          {t.found(conversion.format, conversion.report.read, conversion.report.made)}
          {conversion.report.simplified !== undefined && (
            <>
              <br />
              {t.simplified(conversion.report.simplified.before, conversion.report.simplified.after)}
            </>
          )}
        </p>
      )}
      <FileChoices run={run} />
      {conversion === undefined && columns.length > 0 && <PlaceColumns run={run} columns={columns} />}
      {conversion !== undefined && (
        <>
          <SwapChoice run={run} conversion={conversion} />
          <PlacementChoice run={run} conversion={conversion} />
          <FirstRows conversion={conversion} />
          <MappingFields run={run} conversion={conversion} />
          <RowPreview run={run} conversion={conversion} />
          <MissingChoice run={run} />
          <ImportReport notes={run.notes} />
        </>
      )}
    </>
  );
}

/** Progress and buttons, always in view. */
function Foot({ run, onCancel }: { readonly run: ImportModel; readonly onCancel: () => void }) {
  const state = run.state.value;
  const plan = run.plan.value;
  const t = lateTexts.imports;
  const isWriting = state.is === 'writing' || state.is === 'undoing';
  const said =
    state.is === 'reading'
      ? t.reading
      : state.is === 'writing'
        ? t.writing(state.done, state.of)
        : state.is === 'undoing'
          ? t.undoing
          : '';
  const share = state.is === 'reading' ? state.share : state.is === 'writing' ? state.done / Math.max(1, state.of) : undefined;
  const { create, update, remove } = plan ?? { create: [], update: [], remove: [] };
  const hasObjects = create.length + update.length + remove.length > 0;
  const isPicture = !hasObjects && run.takesPicture;
  return (
    <div class="import-foot">
      {said !== '' && <progress aria-label={said} {...(share === undefined ? {} : { value: share })} max={1} />}
      <p class="hint" role="status">
        {said}
      </p>
      <div class="row end">
        <Button label={texts.cancel} disabled={state.is === 'undoing'} onClick={onCancel} />
        {!isWriting && (
          <Button
            label={isPicture ? t.startPicture : t.start(create.length, update.length, remove.length)}
            type="submit"
            class="primary"
            disabled={!(state.is === 'ready' || (state.is === 'refused' && state.canRetry)) || !(hasObjects || isPicture)}
          />
        )}
      </div>
    </div>
  );
}
