#!/usr/bin/env node
/**
 * Entry point of the `mapwright` command. Checks the limit of open files, then loads the program. With too low a limit, Node would fail
 * while it loads modules, with a misleading error about a missing module.
 */
import { descriptorLimit } from '../http/descriptors.ts';

/** Enough for the modules of the program, which load in parallel, and for the files of a server. Connections need more. */
const descriptorsMin = 256;

const limit = descriptorLimit();
if (limit !== undefined && limit < descriptorsMin) {
  process.stderr.write(
    `This process may open only ${limit} files at a time. mapwright needs at least ${descriptorsMin}, plus one for each connection. ` +
      'Raise the limit: "ulimit -n 4096" in a shell, LimitNOFILE=4096 in a systemd unit.\n',
  );
  process.exitCode = 1;
} else {
  await import('./main.ts');
}
