/** The one function of parse-prometheus-text-format, which carries no types of its own. */
declare module 'parse-prometheus-text-format' {
  export interface ParsedFamily {
    readonly name: string;
    readonly help: string;
    /** In capitals. */
    readonly type: string;
    readonly metrics: readonly {
      readonly value?: string;
      readonly labels?: Readonly<Record<string, string>>;
      readonly buckets?: Readonly<Record<string, string>>;
      readonly count?: string;
      readonly sum?: string;
    }[];
  }

  export default function parse(text: string): ParsedFamily[];
}
