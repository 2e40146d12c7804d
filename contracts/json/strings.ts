const [BACKSLASH, COLON, SPACE] = Buffer.from('\\: ');

/** The index after the closing quote of the string that begins at the index of a valid JSON text. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end + 1;
  }
}

/** Whether the string that ends before the index is the name of a member. */
export function isName(text: string, end: number): boolean {
  // Of the characters up to the space valid JSON has only white space between its tokens.
  while (text.charCodeAt(end) <= SPACE!) end++;
  return text.charCodeAt(end) === COLON;
}
