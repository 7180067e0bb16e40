/** Decides whether memory has room for bytes that can be made again, and says when to free them. */
export interface CacheMemory {
  keepExactly(bytes: number): boolean;
  onPressure(release: () => void): void;
}
