import { z } from 'zod';

/** A version of an application: `2.3.12`. */
export const appVersion = z
  .string()
  .regex(/^\d{1,9}(?:\.\d{1,9}){0,3}$/, 'must be one to four numbers with points between them');

/** Whether a version is later than another, number by number; numbers that are missing are 0. */
export function isLaterVersion(version: string, than: string): boolean {
  const numbers = (text: string): number[] => text.split('.').map(Number);
  const [left, right] = [numbers(version), numbers(than)];
  const differing = [0, 1, 2, 3].find(index => (left[index] ?? 0) !== (right[index] ?? 0));
  return differing !== undefined && (left[differing] ?? 0) > (right[differing] ?? 0);
}
