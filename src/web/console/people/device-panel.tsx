/** A link and a QR code that sign another device of the user in. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { lateTexts } from '../late-texts.ts';
import { QrPicture } from '../publish/qr/qr-picture.tsx';
import type { ConsoleSession } from '../server/console-session.ts';
import { LocalAddress } from '../server/local-address.tsx';
import { Button } from '../ui/button.tsx';
import { CopyText } from '../ui/copy-text.tsx';
import { Panel } from '../ui/panel.tsx';
import { Problem } from '../ui/problem.tsx';
import { PeopleList, type ShownLink } from './people-list.ts';

export function DevicePanel({ session, onClose }: { readonly session: ConsoleSession; readonly onClose: () => void }) {
  const list = useMemo(() => new PeopleList(session), [session.id]);
  const link = useSignal<ShownLink | undefined>(undefined);
  const make = async () => {
    link.value = (await list.linkDevice()) ?? link.value;
  };
  useEffect(() => void make(), [list]);
  const t = lateTexts.devicePanel;
  return (
    <Panel title={t.title} onClose={onClose}>
      <p>{t.about}</p>
      <Problem text={list.problem.value} />
      {link.value === undefined ? (
        list.busy.value && <p class="hint">{texts.loading}</p>
      ) : (
        <div class="device-link">
          <QrPicture text={link.value.address} label={t.codeLabel} />
          <div>
            <CopyText title={t.address} text={link.value.address} />
            <LocalAddress address={link.value.address} />
            <p role="status">{t.until(link.value.expires)}</p>
          </div>
        </div>
      )}
      <p>
        <Button label={t.again} disabled={list.busy.value} onClick={() => void make()} />
      </p>
    </Panel>
  );
}
