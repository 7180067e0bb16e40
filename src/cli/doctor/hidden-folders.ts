/** Folders that a systemd unit hides from its service. Node and the program may be installed in one of them. */

/** By the setting that hides them. */
export const hiddenFolders = {
  ProtectHome: ['/home/', '/root/', '/run/user/'],
  PrivateTmp: ['/tmp/', '/var/tmp/'],
} as const;

/** The first path in one of these folders. */
export function firstHidden(paths: readonly string[], folders: readonly string[]): string | undefined {
  return paths.find((path) => folders.some((folder) => path.startsWith(folder)));
}
