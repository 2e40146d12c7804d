import { replaceSpans, type Span } from './spans';

/** A byte, a group of hexadecimal digits, a number, or the number of a word in a list of words. */
const NUMBER = /^(?:0x)?[\da-f]{1,31}$/i;
/** A phrase has 12 words, a key 32 bytes. */
const MIN_NUMBERS = 11;
/** Of hexadecimal digits in longer groups: more than a UUID has, in parts of less than 32. */
const MIN_DIGITS = 40;
/** What is between two numbers of a list, with the quotes and the spaces of JSON. */
const MAX_SEPARATOR = 8;

/** Removes lists of numbers: keys as bytes, or in groups of digits, and phrases as numbers of their words. */
export function removeNumberLists(text: string): string {
  const spans: Span[] = [];
  let list = { start: 0, end: -Infinity, numbers: 0, digits: 0 };
  for (const { 0: token, index } of text.matchAll(/[\da-z]+/gi)) {
    const isNumber = NUMBER.test(token);
    if (!isNumber || index - list.end > MAX_SEPARATOR)
      list = { start: index, end: index, numbers: 0, digits: 0 };
    if (!isNumber) {
      list.end = -Infinity;
      continue;
    }
    list = {
      ...list,
      end: index + token.length,
      numbers: list.numbers + 1,
      digits: list.digits + token.length,
    };
    if (list.numbers >= MIN_NUMBERS || list.digits >= MIN_DIGITS)
      spans.push({ start: list.start, end: list.end });
  }
  return replaceSpans(text, spans, '[numbers]');
}
