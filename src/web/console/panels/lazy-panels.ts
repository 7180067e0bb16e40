/** Panels that are loaded when the first of them is shown, and a command of theirs. */

import { LibraryPanel } from '../files/library/library-panel.tsx';
import { IconPanel } from '../icons/icon-panel.tsx';
import { FailingWatch } from '../live/health/failing-watch.tsx';
import { LiveInspector } from '../live/panels/live-inspector.tsx';
import { SourceResponse } from '../live/panels/source-response.tsx';
import { VariableValue } from '../live/panels/variable-value.tsx';
import { MapSettingsPanel } from '../map-settings/map-settings-panel.tsx';
import { HiddenPopup } from '../popup/hidden-popup.tsx';
import { PopupPanel } from '../popup/popup-panel.tsx';
import { ProblemList } from '../problems/problem-list.tsx';
import { PublishPanel } from '../publish/publish-panel.tsx';
import { ReplacePanel } from '../replace/replace-panel.tsx';
import { TablePanel } from '../table/table-panel.tsx';
import { ViewerScreen } from '../viewer/viewer-screen.tsx';
import { ArrangePanel } from './arrange-panel.tsx';
import { ConflictPanel } from './conflict-panel.tsx';
import { HelpPanel } from './help-panel.tsx';
import { SeveralInspector } from './several-inspector.tsx';
import { Tour } from './tour.tsx';

export { moveToArtboard } from '../commands/arrange-commands.ts';

export const panels = {
  ArrangePanel,
  ConflictPanel,
  FailingWatch,
  HelpPanel,
  HiddenPopup,
  IconPanel,
  LibraryPanel,
  LiveInspector,
  MapSettingsPanel,
  PopupPanel,
  ProblemList,
  PublishPanel,
  ReplacePanel,
  SeveralInspector,
  SourceResponse,
  TablePanel,
  Tour,
  VariableValue,
  ViewerScreen,
};
