/** A note that the map shows tiles of openstreetmap.org, whose policy asks for another source for public maps. */
import { isForOthers, isOpenStreetMapTiles, tilePolicy, tileProviders } from '../../../lib/draw/tile-policy.ts';
import { tileSourceFor } from '../../viewer/drawing/ground/tile-source.ts';
import type { ProjectDocument } from '../editor/project-document.ts';
import { lateTexts } from '../late-texts.ts';

/** Only on a server with a public address: others are for trials. */
export function TilesNote({ project }: { readonly project: ProjectDocument }) {
  const { publicUrl } = project.connection.session;
  const isMap = project.artboards.value.some(
    ({ type, tiles }) => type === 'osm' && isOpenStreetMapTiles(tileSourceFor(project.tiles, String(tiles ?? '')).url),
  );
  if (publicUrl === null || !isForOthers(publicUrl) || !isMap) return null;
  const t = lateTexts.publish.tiles;
  const [first, second] = tileProviders;
  return (
    <p class="warning-text">
      {t.before} <Out text={t.policy} address={tilePolicy} />. {t.between} <Out text={first.name} address={first.address} />{' '}
      {t.or} <Out text={second.name} address={second.address} />
      {t.after}
    </p>
  );
}

const Out = ({ text, address }: { readonly text: string; readonly address: string }) => (
  <a href={address} target="_blank" rel="noopener">
    {text}
  </a>
);
