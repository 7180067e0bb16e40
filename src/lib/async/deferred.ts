/** A promise with its resolve and reject functions. */
export class Deferred<T> {
  resolve: (value: T) => void = () => undefined;
  reject: (error: Error) => void = () => undefined;
  readonly promise = new Promise<T>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}
