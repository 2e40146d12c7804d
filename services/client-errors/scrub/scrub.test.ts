import { mnemonicWordList } from '@ton/crypto';
import bs58 from 'bs58';
import fc from 'fast-check';
import { sha256 } from '../../../contracts/encoding/sha256';
import { runs } from '../../../test/random';
import { brokenKeyTexts, keyTexts, PERSONAL, PHRASE, phraseTexts } from '../../../test/client-errors/secrets';
import { scrub } from './scrub';

const AROUND = (text: string): string =>
  `Error: failed with (${text}), see the log\n    at open (index.js:1:2)`;

/** Words of a phrase, or their beginnings, that a text has still. */
function wordsIn(text: string, words: readonly string[]): string[] {
  const letters = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();
  return words.filter(word => letters.includes(word.slice(0, 4)));
}

describe.each([
  ['24 words', PHRASE],
  ['12 words', PHRASE.slice(0, 12)],
  ['the first 23 words', PHRASE.slice(0, 23)],
  ['the first 11 words', PHRASE.slice(0, 11)],
  ['12 words in another order', PHRASE.slice(12).reverse()],
])('a phrase of %s', (_, words) => {
  test('consists of words of BIP 39', () => {
    expect(words.filter(word => !mnemonicWordList.includes(word))).toEqual([]);
  });

  test.each(Object.entries(phraseTexts(words)))('is removed %s', (_, text) => {
    const scrubbed = scrub(AROUND(text));
    expect(wordsIn(scrubbed, words)).toEqual([]);
    expect(scrubbed).toMatch(/\[mnemonic\].*at open \(index\.js:1:2\)$/s);
  });
});

test.each(Object.entries(keyTexts('a key')))('removes a key as %s', (_, key) => {
  for (const text of [AROUND(key), `key=${key}`, `"${key}"`, `https://example.org/${key}/x`, `0${key}0`]) {
    const scrubbed = scrub(text);
    for (let at = 0; at + 12 <= key.length; at++) expect(scrubbed).not.toContain(key.slice(at, at + 12));
  }
});

test.each(Object.entries({ ...brokenKeyTexts('a key'), ...PERSONAL }))(
  'removes %s',
  (_, { text, secret }) => {
    expect(text).toContain(secret);
    expect(scrub(text)).not.toContain(secret);
    expect(scrub(AROUND(text))).not.toContain(secret);
    expect(scrub(JSON.stringify({ nested: { text } }))).not.toContain(secret);
  },
);

test.each([
  "TypeError: Cannot read properties of undefined (reading 'balance')",
  "undefined is not an object (evaluating 'a?.b.c')",
  'Network request failed',
  'Request failed with status code 503',
  'timeout of 5000ms exceeded',
  'Unable to resolve host "connect.example.org": No address associated with hostname',
  'Invariant Violation: Text strings must be rendered within a <Text> component.',
  'Maximum update depth exceeded. This can happen when a component calls setState repeatedly inside componentWillUpdate.',
  'Attempt to invoke virtual method on a null object reference',
  'VirtualizedList: You have a large list that is slow to update, make sure your renderItem function renders components well.',
  'Insufficient funds for the transfer and its fees: 0.05 TON is missing',
  'Connection closed with code 1006 at 2026-11-23T10:00:00.123Z',
  'Не удалось загрузить историю: нет сети',
  'Swap failed: the rate has changed by more than 1.5%',
  'Jetton wallet is not deployed yet, so the transaction would bounce',
  'id 3f2504e0-4f89-11d3-9a0c-0305e82c3301 was not found in version 2.5.45 (build 231)',
  '    at renderWithHooks (address at index.android.bundle:1:111111)\n    at beginWork (address at index.android.bundle:1:222222)\n    at performUnitOfWork (address at index.android.bundle:1:333333)\n    at workLoopSync (address at index.android.bundle:1:444444)\n    at flushSyncCallbacks (address at index.android.bundle:1:555555)',
  'foo@main.jsbundle:1:2\nrender@[native code]\nnode_modules/react-native/Libraries/BatchedBridge/MessageQueue.js:412:7',
  'node_modules/react-native/Libraries/Renderer/implementations/ReactNativeRenderer/VirtualizedLists/index',
  'std::runtime_error in Foo::bar: ERR_SSL_VERSION_OR_CIPHER_MISMATCH_WHILE_CONNECTING',
])('keeps %j', text => {
  expect(scrub(text)).toBe(text);
});

describe('whatever is around it', () => {
  const around = fc.string({ unit: 'grapheme', maxLength: 80 });
  const apart = (text: string): string => ` ${text} `;

  test('no phrase of generated words remains', () => {
    const phrase = fc.uniqueArray(fc.constantFrom(...mnemonicWordList), { minLength: 11, maxLength: 24 });
    fc.assert(
      fc.property(phrase, fc.nat(), around, around, (words, form, before, after) => {
        const forms = Object.values(phraseTexts(words));
        const scrubbed = scrub(before + apart(forms[form % forms.length]!) + after).toLowerCase();
        const left = words.map(word => (scrubbed.includes(word) ? word : '.')).join(' ');
        // Ends of a phrase may be parts of other words around it.
        expect(left.match(/[a-z]+(?: [a-z]+){5}/g) ?? []).toEqual([]);
      }),
      runs(50),
    );
  });

  test('no generated key remains', () => {
    const bytes = fc
      .tuple(fc.nat(), fc.integer({ min: 32, max: 64 }))
      .map(([seed, length]) => Buffer.concat([sha256(`${seed} 1`), sha256(`${seed} 2`)]).subarray(0, length));
    const key = fc
      .tuple(bytes, fc.constantFrom('hex', 'base58', 'base64', 'base64url'))
      .map(([key, form]) => (form === 'base58' ? bs58.encode(key) : key.toString(form as BufferEncoding)));
    fc.assert(
      fc.property(key, around, around, (text, before, after) => {
        const scrubbed = scrub(before + apart(text) + after);
        for (let at = 0; at + 16 <= text.length; at += 4)
          expect(scrubbed).not.toContain(text.slice(at, at + 16));
      }),
      runs(50),
    );
  });

  test('the result can be stored: no text is too strange', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), text => {
        expect(scrub(text)).toMatch(/^[^\0\p{Cs}]*$/u);
      }),
      runs(50),
    );
  });
});

it('normalizes no more marks on one character than any has', () => {
  const normalized: string[] = [];
  const normalize = jest.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string) {
    normalized.push(this.toString());
    return this.toString();
  });
  scrub(`e${'\u0301\u0323'.repeat(4_000)} x${'\u0301'.repeat(30)}`);
  normalize.mockRestore();
  expect(normalized).toEqual([`e${'\u0301\u0323'.repeat(15)} x${'\u0301'.repeat(30)}`]);
});

/** CPU time in microseconds, of which that of other processes is no part. */
function cost(text: string): number {
  const before = process.cpuUsage();
  scrub(text);
  return process.cpuUsage(before).user;
}

const REPEATED =
  'a|A1|eyJ|eyJ.|a.|@|a@|a@a.|token|token=|token:"|token:[|token:{|seed |"|\\|\\n|\\u|%|%25|&#|&#x|?|?a|?a=|a://|://?|-|-----BEGIN|-----BEGIN-----|1.|1|f:|:|12 |ab |abandon|abandon |bearer |{|w1 |li abandon |token:\\"a| |\n|a_|/a|/users/a|\\users\\|ExpoPushToken[|token=a; |deadbeef |\ufdfa|\u200b'.split(
    '|',
  );

test.each([...REPEATED, '|'])('takes time in proportion to the length of %j again and again', repeated => {
  const text = (length: number): string => `${repeated.repeat(length / repeated.length)}!`;
  const LENGTH = 8_192;
  const GROWTH = 8;
  scrub(text(LENGTH));
  const ratio = (): number => cost(text(LENGTH * GROWTH)) / Math.max(cost(text(LENGTH)), 1_000);
  // In proportion it is 8, with the square of the length 64. Again when it is more, since collecting garbage takes time too.
  const isInProportion = (): boolean => ratio() < 32;
  expect(isInProportion() || isInProportion() || isInProportion()).toBe(true);
});
