/** Says to somebody with unsaved changes that they may not save them any more, and leaves the page as it is. */
import { lateTexts } from '../late-texts.ts';
import { takeWaiting } from '../server/console-session.ts';
import { Button } from '../ui/button.tsx';

export function LessRights() {
  const t = lateTexts.lessRights;
  return (
    <div class="less-rights" role="alert">
      <p>{t.said}</p>
      <Button label={t.leave} onClick={takeWaiting} />
    </div>
  );
}
