/** Prints the files and functions on the path of a GET and a POST of a spot: `npm run trace`. */
import { traceRequests } from './trace.ts';

const teardowns: (() => unknown)[] = [];
try {
  const { get, post } = await traceRequests({ teardown: (run: () => unknown) => teardowns.unshift(run) });
  for (const [method, visits] of Object.entries({ GET: get, POST: post })) {
    const places = visits.map(({ file, inWorker }) => `${file}${inWorker ? ' *' : ''}`);
    console.log(`${method} of a spot: ${new Set(places).size} files, ${visits.length} functions, each at its first visit\n`);
    const width = Math.max(...places.map((place) => place.length));
    visits.forEach(({ name }, i) => {
      const place = places[i] ?? '';
      const separator = places[i - 1] === place ? ', ' : `${i === 0 ? '' : '\n'}${place.padEnd(width)}  `;
      process.stdout.write(separator + name);
    });
    console.log('\n');
  }
  console.log('* in the thread that writes the log');
} finally {
  for (const run of teardowns) await run();
}
