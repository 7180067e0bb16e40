/** The uploads that run: their names, their progress, and a button that cancels each. */
import { texts } from '../console-texts.ts';
import { Button } from '../ui/button.tsx';
import type { PictureUploads } from './picture-uploads.ts';

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
    </div>
  );
}
