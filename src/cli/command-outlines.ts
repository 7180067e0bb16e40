/**
 * What the help says of each command, in its order. Only this is loaded for `mapwright --help` and `--version`; the commands themselves
 * have it from here.
 */
export const commandOutlines = {
  serve: { command: 'serve', describe: 'Run the server' },
  keys: { command: 'keys', describe: 'Create, list, rotate, limit and revoke API keys' },
  people: { command: 'people', describe: 'List the people of accounts' },
  accounts: { command: 'accounts', describe: 'List, rename, limit and delete accounts' },
  console: { command: 'console [id]', describe: 'Sign a browser in to the console of a running server' },
  demo: { command: 'demo', describe: 'Load the example projects into a running server, through its API, or let the office live' },
  publish: {
    command: 'publish <id>',
    describe: 'Make a project of a running server public, or write its map as files for any web server',
  },
  unpublish: { command: 'unpublish <id>', describe: 'Make a project of a running server private again' },
  evaluate: {
    command: 'evaluate <id>',
    describe: 'Show what data sources, variables and actions make of a project of a running server',
  },
  versions: {
    command: 'versions <id>',
    describe: 'List the versions of a project of a running server, keep one, or restore one',
  },
  export: { command: 'export [id]', describe: 'Save a project of a running server as a file, or all of them as a folder' },
  import: {
    command: 'import [files..]',
    describe:
      'Create projects on a running server from exported files, or objects of a map from CSV, Excel, GeoJSON, KML, GPX, SVG and others',
  },
  mcp: { command: 'mcp', describe: 'Let an agent work with a running server, by the Model Context Protocol' },
  backup: { command: 'backup <target>', describe: 'Write all data, as of now, into one file' },
  restore: {
    command: 'restore [file]',
    describe: 'Create a data folder from a backup, or from any point that backups and log reach',
  },
  log: { command: 'log', describe: 'Print all changes in words, record by record' },
  verify: { command: 'verify [file]', describe: 'Check every byte of a backup, or of a data folder' },
  repair: {
    command: 'repair',
    describe: 'Recover what can be proved from a damaged data folder into a new one, and list what is lost',
  },
  cluster: { command: 'cluster', describe: 'Create, show and operate a cluster of several machines on a PostgreSQL database' },
  snapshot: { command: 'snapshot', describe: 'Take a snapshot of the log now; a server also does so on its own schedule' },
  init: { command: 'init [folder]', describe: 'Write files to run the server with Docker, with systemd, or in your own program' },
  doctor: {
    command: 'doctor',
    describe: 'Check disk, sync speed, clock, limits, permissions, data and cluster, for a server with these options',
  },
  config: { command: 'config', describe: 'Print the effective options of a command (by default serve) and their sources' },
  completion: { command: 'completion [shell]', describe: 'Print a script that completes commands and options in bash or zsh' },
} as const satisfies Readonly<Record<string, { readonly command: string; readonly describe: string }>>;
