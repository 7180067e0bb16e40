/** The address of a picture: a file of the library, an address elsewhere, or a picture in the project itself. */

import { texts } from '../console-texts.ts';
import { isEmbeddable } from '../files/picture.ts';
import type { PictureAddress } from '../files/picture-uploads.ts';
import { loadedAddress } from '../server/server-root.ts';
import { Button } from '../ui/button.tsx';
import { FileButton } from '../ui/file-button.tsx';
import type { ControlProps, FormModel } from './controls/control-props.ts';
import { TextField } from './controls/text-fields.tsx';

/** A picture becomes that of an artboard. If there are objects, the user decides first what becomes of them. */
function setPicture({ document, workspace }: FormModel, artboardId: string, picture: PictureAddress): void {
  if (document.store.ids({ kind: 'object', artboardId }).length > 0) workspace.replacing.value = { artboardId, picture };
  else document.edits.change(artboardId, { image_url: picture.url, width: picture.width, height: picture.height });
}

export function PictureField(props: ControlProps) {
  const { field, value, target, isDisabled, model, onCommit } = props;
  const text = String(value ?? '');
  const isEmbedded = text.startsWith('data:');
  const take = (picture: PictureAddress) => {
    if (target.kind === 'artboard') setPicture(model, target.id, picture);
    else model.document.edits.change(target.id, { [field.name]: picture.url });
  };
  const choose = async (files: FileList | null | undefined) => {
    const file = files?.[0];
    const picture = file === undefined ? undefined : await model.document.uploads.store(file);
    if (picture !== undefined) take(picture);
  };
  const takesFiles = (files: FileList | null | undefined): boolean =>
    !isDisabled && files?.[0] !== undefined && isEmbeddable(files[0]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be chosen with a button instead
    <div
      class="picture-field"
      onDragOver={(event) => {
        if (!isDisabled && event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
      }}
      onDrop={(event) => {
        if (!takesFiles(event.dataTransfer?.files)) return;
        event.preventDefault();
        void choose(event.dataTransfer?.files);
      }}
      onPaste={(event) => {
        if (!takesFiles(event.clipboardData?.files)) return;
        event.preventDefault();
        void choose(event.clipboardData?.files);
      }}
    >
      {isEmbedded ? (
        <span class="embedded" id={props.controlId}>
          {texts.forms.embedded(Math.ceil(text.length / 1000))}
          {!isDisabled && <Button label={texts.remove} class="link" onClick={() => onCommit('', value)} />}
        </span>
      ) : (
        <TextField {...props} />
      )}
      <Thumbnail address={text} />
      {!isDisabled && (
        <div class="row">
          <FileButton label={texts.forms.replace} accept="image/*" onFiles={choose} />
          <Button
            label={texts.forms.fromLibrary}
            onClick={() => {
              model.workspace.library.value = { onUse: take };
            }}
          />
        </div>
      )}
    </div>
  );
}

function Thumbnail({ address }: { readonly address: string }) {
  if (!/^(?:data:image\/|\/f\/|https?:)/.test(address)) return null;
  return (
    <img
      key={address}
      class="thumb"
      src={loadedAddress(address)}
      alt=""
      onError={(event) => {
        event.currentTarget.hidden = true;
      }}
    />
  );
}
