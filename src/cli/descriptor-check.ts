/** Checks the limit of open files before the program loads: Node would fail with a misleading error about a missing module. */
import { descriptorLimit } from '../http/descriptors.ts';

/** Enough for the modules of the program, which load in parallel, and for the files of a server. Connections need more. */
const descriptorsMin = 256;

/** Whether this process may open enough files. If not, prints what to do, and sets the exit code. */
export function checkDescriptors(): boolean {
  const limit = descriptorLimit();
  if (limit === undefined || limit >= descriptorsMin) return true;
  process.stderr.write(
    `This process may open only ${limit} files at a time. mapwright needs at least ${descriptorsMin}, plus one for each connection. ` +
      'Raise the limit: "ulimit -n 4096" in a shell, LimitNOFILE=4096 in a systemd unit.\n',
  );
  process.exitCode = 1;
  return false;
}
