/** The one function used of fs-native-extensions, which carries no types of its own. */
declare module 'fs-native-extensions' {
  /**
   * Takes an exclusive advisory lock that belongs to the open file and goes when it is closed, however the process ends: an open file
   * description lock on Linux, flock on macOS, LockFileEx on Windows.
   *
   * @returns whether the lock was free
   */
  export function tryLock(fd: number): boolean;
}
