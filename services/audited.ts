import type { Around } from './http/binding';

/** What a call asks for, in the words of the audit trail. */
export interface Asked {
  readonly action: string;
  /** Audited whatever it comes to; else only when it is refused. */
  readonly always: boolean;
  /** Ids, months and days; no free text. */
  readonly about: Readonly<Record<string, string>>;
}

/** Writes what becomes of calls into the audit trail. @param asked reads it from a body that is well-formed */
export type Audited = (asked: (body: unknown) => Asked) => Around;

/** Where nothing is audited. */
export const unaudited: Audited = () => (_call, carryOut) => carryOut();
