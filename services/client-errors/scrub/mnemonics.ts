import { mnemonicWordList } from '@ton/crypto';
import { replaceSpans, type Span } from './spans';

/** English words of BIP 39, which are those of TON too, and their first four letters, which identify them. */
const WORDS: ReadonlySet<string> = new Set(mnemonicWordList.flatMap(word => [word, word.slice(0, 4)]));
const MIN_LENGTH = 3;
const MAX_LENGTH = 8;

/**
 * Words that follow each other. Fewer may be a sentence, of which one in a thousand has so many, and leave 77 bits of a phrase
 * of twelve unknown.
 */
const MIN_CONSECUTIVE = 6;
/** Different words that a list of objects or a table repeats around those of a phrase, and how often it has each at least. */
const MAX_LABELS = 6;
const MIN_REPETITIONS = 3;
/** Other words than these, such as a mistake in a phrase. */
const MAX_STRANGERS = 2;
/** Different words of the list between which there is nothing else. */
const MIN_LABELLED = 8;

interface Token extends Span {
  readonly text: string;
  /** Words of the list that it consists of; 0 when it has other letters. */
  readonly words: number;
}

/**
 * How many words of the list a text without separators consists of, or holds one after the other, if those are enough for a
 * phrase; otherwise 0.
 */
function countWords(text: string): number {
  if (text.length <= MAX_LENGTH && WORDS.has(text)) return 1;
  if (text.length < 2 * MIN_LENGTH) return 0;
  // Per end of a word: how many words end there one after the other, from anywhere, and from the start of the text.
  const anywhere = new Uint16Array(text.length + 1);
  const fromStart = new Int16Array(text.length + 1).fill(-1);
  fromStart[0] = 0;
  let longest = 0;
  for (let end = MIN_LENGTH; end <= text.length; end++)
    for (let start = end - MIN_LENGTH; start >= Math.max(0, end - MAX_LENGTH); start--) {
      if (!WORDS.has(text.slice(start, end))) continue;
      anywhere[end] = Math.max(anywhere[end]!, anywhere[start]! + 1);
      if (fromStart[start]! >= 0) fromStart[end] = Math.max(fromStart[end]!, fromStart[start]! + 1);
      longest = Math.max(longest, anywhere[end]!);
    }
  return longest >= MIN_CONSECUTIVE ? longest : Math.max(0, fromStart[text.length]!);
}

const tokensOf = (text: string): Token[] =>
  Array.from(text.matchAll(/[a-z]+/gi), ({ 0: word, index }) => {
    const lower = word.toLowerCase();
    return { text: lower, words: countWords(lower), start: index, end: index + word.length };
  });

function consecutive(tokens: readonly Token[]): Span[] {
  const spans: Span[] = [];
  let words = 0;
  let first = 0;
  for (const [n, token] of tokens.entries()) {
    if (token.words === 0) {
      words = 0;
      continue;
    }
    if (words === 0) first = n;
    words += token.words;
    if (words >= MIN_CONSECUTIVE) spans.push({ start: tokens[first]!.start, end: token.end });
  }
  return spans;
}

/** Counts different texts in a window. */
class Occurrences {
  readonly #counts = new Map<string, number>();

  get different(): number {
    return this.#counts.size;
  }

  of(text: string): number {
    return this.#counts.get(text) ?? 0;
  }

  add(text: string, by: 1 | -1): void {
    const count = this.of(text) + by;
    if (count === 0) this.#counts.delete(text);
    else this.#counts.set(text, count);
  }
}

function labelled(tokens: readonly Token[]): Span[] {
  const all = new Occurrences();
  for (const { text } of tokens) all.add(text, 1);
  const words = new Occurrences();
  const labels = new Occurrences();
  const strangers = new Occurrences();
  const count = ({ text, words: found }: Token, by: 1 | -1): void =>
    (found > 0 ? words : all.of(text) >= MIN_REPETITIONS ? labels : strangers).add(text, by);

  const spans: Span[] = [];
  let first = 0;
  for (const [n, token] of tokens.entries()) {
    count(token, 1);
    const isTooMuch = () => labels.different > MAX_LABELS || strangers.different > MAX_STRANGERS;
    for (; first <= n && (isTooMuch() || tokens[first]!.words === 0); first++) count(tokens[first]!, -1);
    if (token.words > 0 && words.different >= MIN_LABELLED)
      spans.push({ start: tokens[first]!.start, end: token.end });
  }
  return spans;
}

/**
 * Removes phrases of words that restore a wallet, whole or in part, whatever is between the words. Text that consists of such
 * words alone, as an English sentence rarely does, is lost too. Words of other languages than English are not known.
 */
export function removeMnemonics(text: string): string {
  const tokens = tokensOf(text);
  const spans = [...consecutive(tokens), ...labelled(tokens)].sort(
    (a, b) => a.start - b.start || a.end - b.end,
  );
  return replaceSpans(text, spans, '[mnemonic]');
}
