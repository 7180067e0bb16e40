/** Properties of the parts of the panel. */
import type { EditorModel } from '../editor/editor-model.ts';
import type { Members } from '../kinds/resource-kinds.ts';

/** The public map of a project, and how to change members of it. */
export interface PublicMapProps {
  readonly model: EditorModel;
  readonly map: Members;
  readonly onChange: (members: Members) => void;
}
