/** Text may be escaped several times, as JSON in a URL in JSON. */
const MAX_ROUNDS = 4;

const WHITESPACE = /(?<!\\)\\+([nrtbfv])/g;
const CODE_UNITS = /(?<!\\)\\+(?:u\{?0{0,4}|x)([2-7][\da-f])\}?/gi;
const PERCENT = /%([2-7][\da-f])/gi;
const DECIMAL_ENTITY = /&#0{0,4}(\d{1,3});?/g;
const HEX_ENTITY = /&#x0{0,4}([2-7][\da-f]);?/gi;
const SPACE_ENTITY = /&(?:nbsp|quot|apos|amp|lt|gt);/g;
/**
 * More marks on one character than any has (Unicode UAX 15, section 13, Stream-Safe Text Format): the time of a normalization grows
 * with the square of their number.
 */
const FURTHER_MARKS = /(?<=\p{M}{30})\p{M}/gu;
/** Invisible characters, those that SQLite or JSON cannot store among them. */
const INVISIBLE = /\p{Cf}|\p{Cs}|(?![\n\t])\p{Cc}/gu;

const fromHex = (_: string, digits: string): string => String.fromCharCode(parseInt(digits, 16));
const isPrintable = (code: number): boolean => code >= 0x20 && code < 0x7f;

function unescapeOnce(text: string): string {
  return text
    .replace(CODE_UNITS, fromHex)
    .replace(WHITESPACE, (_, letter: string) => (letter === 't' ? '\t' : '\n'))
    .replace(PERCENT, fromHex)
    .replace(HEX_ENTITY, fromHex)
    .replace(DECIMAL_ENTITY, (entity: string, digits: string) =>
      isPrintable(Number(digits)) ? String.fromCharCode(Number(digits)) : entity,
    )
    .replace(SPACE_ENTITY, ' ');
}

/**
 * Text without what could hide a secret from a pattern: escapes of JSON, JavaScript, URLs and HTML for ASCII characters, forms
 * of characters that look the same (Unicode NFKC), and invisible characters.
 */
export function plainText(text: string): string {
  let plain = text
    .replace(/\r\n?/g, '\n')
    .replace(INVISIBLE, '')
    .replace(FURTHER_MARKS, '')
    .normalize('NFKC');
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = unescapeOnce(plain);
    if (next === plain) break;
    plain = next;
  }
  return plain.replace(INVISIBLE, '');
}
