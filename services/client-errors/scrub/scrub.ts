import { removeContacts } from './contacts';
import { removeKeys } from './keys';
import { removeMnemonics } from './mnemonics';
import { removeNamedSecrets } from './named-secrets';
import { removeNumberLists } from './number-lists';
import { plainText } from './plain-text';

/** In this order: a step leaves what a later one needs to find a secret, and no placeholder is a secret to it. */
const STEPS = [plainText, removeNamedSecrets, removeMnemonics, removeNumberLists, removeContacts, removeKeys];

/**
 * Text without secrets and without what leads to a person; each is replaced by what it was, as `[mnemonic]`. It prefers to lose
 * too much: addresses, hashes of transactions and some sentences are lost too. Takes time in proportion to the length.
 */
export function scrub(text: string): string {
  return STEPS.reduce((scrubbed, step) => step(scrubbed), text);
}
