#!/usr/bin/env node
/**
 * Where the `mapwright` command starts: makes sure that the process may open as many files as the program consists of, and then loads
 * it. With fewer, Node would end in the middle of loading and name a module that it cannot find, although it is there.
 */
import { descriptorLimit } from '../http/descriptors.ts';

/** For the program's own modules, which are loaded many at a time, and for a server's files. Connections come on top. */
const descriptorsMin = 256;

const limit = descriptorLimit();
if (limit !== undefined && limit < descriptorsMin) {
  process.stderr.write(
    `This process may open ${limit} files at a time; mapwright needs at least ${descriptorsMin}, and another for every connection. ` +
      'Too many open files would be the end of it: raise the limit first, in a shell with "ulimit -n 4096", for a systemd unit with LimitNOFILE=4096.\n',
  );
  process.exitCode = 1;
} else {
  await import('./main.ts');
}
