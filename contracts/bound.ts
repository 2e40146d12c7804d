/**
 * Something that strangers can use up. All bounds of a program are listed in docs/bounds.md, which is generated from these.
 */
export interface Bound {
  /** What there is a bounded number or amount of: a noun phrase, as the page shows it. */
  readonly of: string;
  /** Who must not lose it to a stranger, such as `the wallet they are for`. */
  readonly owner: string;
  /** How much there is: a number with its unit, or the setting in backticks. */
  readonly max: string;
  /** How much of it one caller gets. */
  readonly share: string;
  /** What happens to more than that. */
  readonly beyond: string;
  /** What else there is to say: a sentence below the table. */
  readonly note?: string;
  /** The test in which a stranger uses it up, and somebody honest is served still. */
  readonly attack: {
    /** Its path, from the root of the repository. */
    readonly file: string;
    /** Its title, as it is written there. */
    readonly test: string;
  };
}

/** Into so many parts a bound is divided: one caller may have one of them. */
export const PARTS = 4;

/**
 * What one caller may have of something that many share: a quarter, but at least one. A caller is an IPv4 address or the /64
 * network of an IPv6 address, so that no single host can use up what others need.
 */
export function shareOf(max: number): number {
  return Math.max(1, Math.floor(max / PARTS));
}

/**
 * How many more a caller may have of what is kept for long: a quarter of what the others leave, so that some is always left for
 * who comes next.
 * @param all that is taken, and `own` of it by the caller
 */
export function shareLeft(max: number, all: number, own: number): number {
  return Math.max(0, Math.min(max - all, shareOf(max - (all - own)) - own));
}

/** Whether a caller may have one more of what is kept for long, as of `shareLeft`. */
export function hasShareLeft(max: number, all: number, own: number): boolean {
  return shareLeft(max, all, own) > 0;
}
