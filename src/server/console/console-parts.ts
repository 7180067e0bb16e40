/** What sessions and people need of the server. */
import type { TileSource } from '../../api/pages/map-tiles.ts';
import type { Engine } from '../../engine/engine.ts';
import type { SessionCookie } from '../../http/guard/session-cookie.ts';
import type { PersonIdentity } from '../../model/people/person.ts';
import type { AuditLog } from '../admin/audit-log.ts';
import type { KeyUsage } from '../admin/key-usage.ts';
import type { OwnChanges } from './own-changes.ts';

/** An identity at a provider that a signed-in person connects. */
export interface Connection {
  readonly session: string;
  readonly identity: PersonIdentity;
}

export interface ConsoleParts {
  readonly engine: Engine;
  readonly audit: AuditLog;
  readonly lastUse: KeyUsage;
  readonly cookie: SessionCookie;
  readonly ownChanges: OwnChanges;
  /** By the link that leads back from a provider: whom the browser that uses it connects, if it has this session. */
  readonly connections: Map<string, Connection>;
  /** The shard of a cluster, which codes and sessions name; 0 on one machine. */
  readonly shard: number;
  /** The options of the server. */
  readonly tiles: readonly TileSource[];
  readonly fileBytesMax: number;
  readonly publicUrl: string | undefined;
}
