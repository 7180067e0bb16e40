/** A project in the list of all. */
export interface ListedProject {
  readonly id: string;
  readonly name: string;
  /** RFC 3339 */
  readonly created: string;
  /** Grows with each change in the account: the project that changed last has the greatest one. */
  readonly revision: number;
}
