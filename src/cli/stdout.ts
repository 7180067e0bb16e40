/** Standard output whose reader may go away (`| head`): the command ends then, quietly. */
let end = (): void => process.exit();

/** Has the command end, with the exit code that it has so far, when nobody reads its output any more. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    end();
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** What has to be done before the end when the reader goes away. */
export function beforeThat(finish: () => Promise<void>): void {
  end = () => {
    end = () => undefined;
    finish().then(
      () => process.exit(),
      () => process.exit(1),
    );
  };
}
