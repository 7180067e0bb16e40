/**
 * A seam of the program: the module of an interface, which a fault replaces by one that exports the same, wrapped. The compiler checks the
 * exports, and no code behind the interface matters.
 */
export interface Fault {
  /** Below the project, without an ending. */
  readonly module: string;
  /** The interface, in the table of README.md. */
  readonly at: string;
  /** Makes what the module exports instead, by name. */
  readonly exports: Readonly<Record<string, (sound: never) => unknown>>;
}

type Call = (...args: never[]) => unknown;
type CallsOf<M> = { [K in keyof M]: M[K] extends Call ? K : never }[keyof M];
type ArgumentsOf<F> = F extends (...args: infer A) => unknown ? A : never;
type ResultOf<F> = F extends (...args: never[]) => infer R ? R : never;

interface Seam<M> {
  /** A fault that exports something else under some names. */
  (exports: { readonly [K in keyof M]?: (sound: M) => M[K] }): Fault;
  /** A function gets other arguments than its callers give. */
  withArguments<K extends CallsOf<M>>(name: K, change: (...args: ArgumentsOf<M[K]>) => ArgumentsOf<M[K]>): Fault;
  /** Callers of a function get another result. */
  withResult<K extends CallsOf<M>>(
    name: K,
    change: (result: ResultOf<M[K]>, ...args: ArgumentsOf<M[K]>) => ResultOf<M[K]>,
  ): Fault;
  /** A class is constructed with other arguments. */
  withParts<K extends ClassesOf<M>>(name: K, change: (...args: GivenTo<M[K]>) => GivenTo<M[K]>): Fault;
  /** A class has other methods. @param methods gets those that it has */
  withMethods<K extends ClassesOf<M>>(
    name: K,
    methods: (sound: MadeBy<M[K]>) => Partial<MadeBy<M[K]>> & ThisType<MadeBy<M[K]>>,
  ): Fault;
}

type ClassesOf<M> = { [K in keyof M]: M[K] extends new (...args: never[]) => unknown ? K : never }[keyof M];
type GivenTo<C> = C extends new (...args: infer A) => unknown ? A : never;
type MadeBy<C> = C extends new (...args: never[]) => infer I ? I : never;

type AnyChange = (...args: unknown[]) => unknown;
type AnyModule = Readonly<Record<string, AnyChange>>;
type AnyClass = new (...args: unknown[]) => object;

/**
 * @param at name of the interface
 * @param module its module below the project, without an ending
 */
export function seam<M>(at: string, module: string): Seam<M> {
  const wrap = (exports: object): Fault => ({ module, at, exports: exports as Fault['exports'] });
  const call = (name: string, change: (sound: AnyChange) => AnyChange): Fault =>
    wrap({ [name]: (sound: AnyModule) => change(sound[name] as AnyChange) });
  return Object.assign(wrap, {
    withArguments: (name: string, change: AnyChange): Fault =>
      call(
        name,
        (sound) =>
          (...args) =>
            sound(...(change(...args) as unknown[])),
      ),
    withResult: (name: string, change: AnyChange): Fault =>
      call(
        name,
        (sound) =>
          (...args) =>
            change(sound(...args), ...args),
      ),
    withParts: (name: string, change: AnyChange): Fault =>
      wrap({
        [name]: (sound: Readonly<Record<string, AnyClass>>) => {
          const Sound = sound[name] as AnyClass;
          return class extends Sound {
            constructor(...args: unknown[]) {
              super(...(change(...args) as unknown[]));
            }
          };
        },
      }),
    withMethods: (name: string, methods: (sound: object) => object): Fault =>
      wrap({
        [name]: (sound: Readonly<Record<string, AnyClass>>) => {
          const { prototype } = sound[name] as AnyClass;
          const before = Object.create(Object.getPrototypeOf(prototype), Object.getOwnPropertyDescriptors(prototype));
          Object.defineProperties(prototype, Object.getOwnPropertyDescriptors(methods(before)));
          return sound[name];
        },
      }),
  }) as unknown as Seam<M>;
}
