/** The browsers in which a person is signed in. */
import { useSignal } from '@preact/signals';
import { texts } from '../console-texts.ts';
import { lateTexts } from '../late-texts.ts';
import { signOut } from '../server/console-session.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import type { Device, PeopleList } from './people-list.ts';

/** @param onEnded gets the focus that a row had */
export function DeviceRows(props: {
  readonly list: PeopleList;
  /** `undefined` until they are loaded. */
  readonly devices: readonly Device[] | undefined;
  readonly onEnded: () => void;
}) {
  const { list, devices, onEnded } = props;
  const ending = useSignal<Device | undefined>(undefined);
  const t = lateTexts.ownPanel;
  if (devices === undefined) return <p class="hint">{texts.loading}</p>;
  if (devices.length === 0) return <p class="hint">{t.noDevices}</p>;
  const end = async ({ id, current }: Device) => {
    if (current) await signOut();
    else if (await list.endDevice(id)) onEnded();
  };
  return (
    <>
      <ul class="people">
        {devices.map((each) => (
          <li key={each.id}>
            <div>
              <strong>{each.device}</strong> {each.current && <span class="badge">{t.current}</span>}
              <p class="hint">{t.since(each.created, each.lastUse, each.expires)}</p>
            </div>
            <Button
              label={each.current ? texts.account.signOut : t.end}
              disabled={list.busy.value}
              aria-label={each.current ? texts.account.signOut : t.endOf(each.device)}
              onClick={() => {
                ending.value = each;
              }}
            />
          </li>
        ))}
      </ul>
      {ending.value !== undefined && (
        <Confirm
          title={t.endTitle(ending.value.device)}
          text={ending.value.current ? t.endHereText : t.endText}
          action={ending.value.current ? texts.account.signOut : t.end}
          onDecide={(yes) => {
            const each = ending.value;
            ending.value = undefined;
            if (yes && each !== undefined) void end(each);
          }}
        />
      )}
    </>
  );
}
