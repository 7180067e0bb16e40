/** The states of the dialog with the popup editor. */
import type { Transitions } from '../../../lib/invariant.ts';

/** `loading`: the frame shows nothing yet; `finishing`: the dialog waits for what was typed last. */
export type PopupState = 'loading' | 'editing' | 'finishing' | 'ended';

/** `ready`: the frame can show a popup, also after it was loaded again; `finish`: the user closes the dialog; `end`: it is closed. */
export type PopupEvent = 'ready' | 'finish' | 'end';

// biome-ignore format: a table
export const popupTransitions: Transitions<PopupState, PopupEvent> = {
  loading:   { ready: 'editing', finish: 'finishing', end: 'ended' },
  editing:   { ready: 'editing', finish: 'finishing', end: 'ended' },
  finishing: { ready: 'finishing', finish: 'finishing', end: 'ended' },
  ended:     { finish: 'ended', end: 'ended' },
};
