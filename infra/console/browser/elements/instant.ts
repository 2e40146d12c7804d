/** An instant as it is shown: to the second. @param at RFC 3339 UTC instant */
export function toSecond(at: string): string {
  return at.replace(/\.\d+(?=Z$)/, '');
}
