/** The buttons that take the last step back, and carry it out again. */
import type { ReadonlySignal } from '@preact/signals';
import { texts } from '../console-texts.ts';
import { IconButton } from './icons.tsx';

interface Props {
  /** How many steps can be taken back, and carried out again. */
  readonly steps: ReadonlySignal<{ readonly undo: number; readonly redo: number }>;
  /** True where keys do the same. */
  readonly hasKeys: boolean;
  readonly onUndo: () => unknown;
  readonly onRedo: () => unknown;
}

export function UndoButtons({ steps, hasKeys, onUndo, onRedo }: Props) {
  const { undo, redo } = steps.value;
  const t = texts.editor;
  const keys = (text: string) => (hasKeys ? { keys: text } : {});
  return (
    <>
      <IconButton icon="undo" label={t.undo} {...keys('Ctrl Z')} isDisabled={undo === 0} onClick={() => void onUndo()} />
      <IconButton icon="redo" label={t.redo} {...keys('Ctrl Shift Z')} isDisabled={redo === 0} onClick={() => void onRedo()} />
    </>
  );
}
