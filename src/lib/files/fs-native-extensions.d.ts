/** Types of the one function used of fs-native-extensions, which has no types of its own. */
declare module 'fs-native-extensions' {
  /**
   * Takes an exclusive advisory lock on an open file. The system releases it when the file is closed or the process ends: an open file
   * description lock on Linux, flock on macOS, LockFileEx on Windows.
   *
   * @returns false if another process holds the lock
   */
  export function tryLock(fd: number): boolean;
}
