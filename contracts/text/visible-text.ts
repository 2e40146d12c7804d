import { z } from 'zod';

/** What ends a line or controls a terminal, or has no UTF-8. */
const NOT_ON_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/**
 * Embeddings, overrides and isolates (Unicode UAX 9, section 2): they show a text, and what follows it, in another order than
 * that of its characters. Marks of a direction (section 2.6) change no other character, and right-to-left names need them.
 */
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/gu;

/** What shows nothing by itself: white space, formats, unassigned, fillers (Unicode DerivedCoreProperties), the empty braille. */
const INVISIBLE = /^[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether people see the text, on one line and in the order in which it is written. */
export function isVisibleLine(text: string): boolean {
  return !NOT_ON_A_LINE.test(text) && withoutOverrides(text) === text && !INVISIBLE.test(text);
}

/** Whether a text shows nothing at all. */
export function isInvisible(text: string): boolean {
  return INVISIBLE.test(text);
}

/** The text in the order in which it is written: for what applications say of themselves, which is shown whatever it is. */
export function withoutOverrides(text: string): string {
  return text.replace(OVERRIDES, '');
}

/** A name, a reason or a title, that people read. */
export function visibleLine(maxLength: number) {
  return z.string().max(maxLength).refine(isVisibleLine, 'must be one line of visible text');
}
