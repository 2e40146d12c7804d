/** A text of others on one line: it can neither add a line nor control the terminal, or show itself in another order. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    each => `\\u{${each.codePointAt(0)!.toString(16)}}`,
  );
}
