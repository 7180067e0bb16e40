/** How bad it is that data sources fail. */
import type { FailingSource } from '../../../client/client.ts';
import type { Health } from '../live-state.ts';

type Failing = Pick<FailingSource, 'body_at'>;

/** Without any good response, what depends on the data source has no value; otherwise an old one. */
export const healthOf = ({ body_at }: Failing): Health => (body_at === null ? 'failed' : 'stale');

/** The first of them that is failed, or else the first. */
export const worstOf = <T extends Failing>(failing: readonly T[]): T | undefined =>
  failing.find((each) => healthOf(each) === 'failed') ?? failing[0];
