const DOTTED = /(?<![\w.-])[\w-]+(?:\.[\w-]+)+/g;
/** It has few characters, and who knows it can send to the device. */
const PUSH_TOKEN = /Expo(?:nent)?PushToken\[[^\]\s]*\]?/g;
/** What may be base64 or base58: 32 bytes have 43 characters in the one, and 32 to 44 in the other. */
const ENCODED = /[\w+/=-]{32,}/g;
/** Hexadecimal digits and base58; names have no digits, or are shorter. */
const ALPHANUMERIC = /(?=[a-z]{0,39}\d)[\da-z]{32,}|[\da-z]{40,}/i;

const MIN_KEY = 40;
/**
 * Changes between capitals, small letters and digits in so many characters. Random ones have 24 on average, and fewer than this
 * about once in a million times; names and paths of code have four to eight.
 */
const MIN_CHANGES = 11;

const CLASSES = [/[a-z]/, /[A-Z]/, /\d/];

/** Whether any 40 characters in a row look random. */
function looksRandom(text: string): boolean {
  const isChange: boolean[] = [];
  let changes = 0;
  let last = -1;
  for (const [at, character] of Array.from(text).entries()) {
    const found = CLASSES.findIndex(each => each.test(character));
    // A sign separates words of a name, and is rare in base64.
    isChange[at] = found >= 0 && last >= 0 && found !== last;
    if (found >= 0) last = found;
    if (isChange[at]) changes += 1;
    if (isChange[at - MIN_KEY]) changes -= 1;
    if (changes >= MIN_CHANGES) return true;
  }
  return false;
}

/**
 * Removes what may be a key: JSON web tokens, push tokens, hexadecimal and base58 of 32 characters and more, and base64 of 40 and
 * more. Addresses and hashes of transactions look the same, and are lost too.
 */
export function removeKeys(text: string): string {
  return text
    .replace(PUSH_TOKEN, '[token]')
    .replace(DOTTED, dotted => (dotted.includes('eyJ') ? '[token]' : dotted))
    .replace(ENCODED, run =>
      ALPHANUMERIC.test(run) || (run.length >= MIN_KEY && looksRandom(run)) ? '[key]' : run,
    );
}
