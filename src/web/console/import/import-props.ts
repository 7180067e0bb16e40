/** What the panel of an import gets. */
import type { EditorModel, ImportRequest } from '../editor/editor-model.ts';

export interface ImportProps {
  readonly model: EditorModel;
  readonly request: ImportRequest;
  /** @param isCancelled whether nothing was imported */
  readonly onClose: (isCancelled: boolean) => void;
}
