/** The picture that chats show with a link to the map, and a way to draw it again. */
import type { Publication } from '../../client/client.ts';
import { lateTexts } from '../late-texts.ts';
import { Button } from '../ui/button.tsx';
import { pictureAddress } from './publication-picture.ts';

interface Props {
  readonly publication: Publication;
  readonly state: PictureState;
  /** `undefined` for a user who may not write. */
  readonly onDraw: (() => void) | undefined;
}

/** `drawing`, or why there is no picture; '' for nothing. */
export interface PictureState {
  readonly isDrawing: boolean;
  readonly problem: string;
}

export function PictureNote({ publication, state, onDraw }: Props) {
  const t = lateTexts.publish.picture;
  const address = pictureAddress(publication);
  const said = publication.url.startsWith('http') ? t.shown : t.noAddress;
  return (
    <figure class="share-picture">
      {address !== undefined && <img src={address} alt={t.alt} width={1200} height={630} />}
      <figcaption class="hint" aria-live="polite">
        {state.isDrawing ? t.drawing : state.problem !== '' ? t.failed(state.problem) : address === undefined ? t.none : said}
      </figcaption>
      {onDraw !== undefined && !state.isDrawing && (
        <Button label={address === undefined ? t.draw : t.again} class="link" onClick={onDraw} />
      )}
    </figure>
  );
}
