/** The uploads that run, with their progress and a button that cancels each; and pictures that were scaled down. */
import { texts } from '../console-texts.ts';
import { Button } from '../ui/button.tsx';
import { type PictureUploads, scaledPictures } from './picture-uploads.ts';

export function UploadLines({ uploads }: { readonly uploads: PictureUploads }) {
  const list = uploads.list.value;
  const t = texts.library;
  return (
    <div class="upload-lines" role="status">
      {list.map(({ name, share, cancel }, at) => (
        <div class="upload-line" key={at}>
          <span class="grow">
            {share.value === undefined ? t.waiting(name) : t.uploading(name)}
            <progress aria-label={t.uploading(name)} max={1} {...(share.value === undefined ? {} : { value: share.value })} />
          </span>
          <Button label={texts.cancel} onClick={cancel} />
        </div>
      ))}
      {scaledPictures.value
        .filter(({ projectId }) => projectId === uploads.projectId)
        .map((scaled) => (
          <div class="upload-line" key={`${scaled.name} ${scaled.from.width}`}>
            <span class="grow">{t.scaled(scaled.name, scaled.from, scaled.to)}</span>
            <Button
              label={texts.close}
              onClick={() => {
                scaledPictures.value = scaledPictures.value.filter((each) => each !== scaled);
              }}
            />
          </div>
        ))}
    </div>
  );
}
