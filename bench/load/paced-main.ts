/** The paced client as a process of its own: a {@link PacedLoad} as JSON on its standard input, a {@link Paced} on its output. */
import { json } from 'node:stream/consumers';
import { type PacedLoad, runPaced } from './paced-client.ts';

process.stdout.write(JSON.stringify(await runPaced((await json(process.stdin)) as PacedLoad)));
