import bs58 from 'bs58';
import { sha256 } from '../../contracts/encoding/sha256';

/** Words of BIP 39 that nothing else of the program has in its files and logs, so that each can be searched for. */
export const PHRASE =
  'ostrich walnut zebra kangaroo lobster salmon tortoise giraffe hamster lizard panther pigeon umbrella squirrel turtle pumpkin dolphin donkey elephant gorilla leopard oyster parrot trumpet'.split(
    ' ',
  );

const bytes = (seed: string, length: number): Buffer =>
  Buffer.concat([sha256(`${seed} 1`), sha256(`${seed} 2`)]).subarray(0, length);

const part = (text: string): string => Buffer.from(text).toString('base64url');

const numbered = (words: readonly string[], line: (word: string, number: number) => string): string =>
  words.map((word, n) => line(word, n + 1)).join('');

/** Phrases as they get into a text, by what is special about them. */
export function phraseTexts(words: readonly string[]): Readonly<Record<string, string>> {
  const phrase = words.join(' ');
  return {
    plain: phrase,
    'in capitals': phrase.toUpperCase(),
    'in title case': words.map(word => word[0]!.toUpperCase() + word.slice(1)).join(' '),
    'with commas': words.join(', '),
    'with hyphens': words.join('-'),
    'with underscores': words.join('_'),
    'with pipes': words.join(' | '),
    'in lines': words.join('\n'),
    'in lines of Windows': words.join('\r\n'),
    'without separators': words.join(''),
    'in camel case': words.map((word, n) => (n ? word[0]!.toUpperCase() + word.slice(1) : word)).join(''),
    numbered: numbered(words, (word, n) => `${n}. ${word} `),
    'numbered in lines': numbered(words, (word, n) => `${n}) ${word}\n`),
    'numbered without spaces': numbered(words, (word, n) => `${n}${word}`),
    'named word by word': numbered(words, (word, n) => `word ${n}: ${word}; `),
    'in a list of HTML': numbered(words, word => `<li class="seed">${word}</li>`),
    'as JSON': JSON.stringify(words),
    'as JSON of objects': JSON.stringify(
      words.map((word, position) => ({ position, value: word, isValid: true })),
    ),
    'as JSON by number': JSON.stringify(Object.fromEntries(words.entries())),
    'as JSON in JSON': JSON.stringify(JSON.stringify({ lines: words.join('\n') })),
    'as escapes of JSON': JSON.stringify(words.join('\n')),
    'with escaped letters': words
      .map(word => `\\u00${word.charCodeAt(0).toString(16)}${word.slice(1)}`)
      .join(' '),
    'in a URL': `https://example.org/restore/${words.join('%20')}`,
    'twice in a URL': encodeURIComponent(encodeURIComponent(phrase)),
    'with entities': words.join('&nbsp;'),
    'in wide letters': phrase.replace(/[a-z]/g, letter => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
    'with invisible characters': words.map(word => [...word].join('\u200b')).join(' '),
    'by first letters': words.map(word => word.slice(0, 4)).join(' '),
    'with a wrong word': words.map((word, n) => (n === 5 ? 'xyzzy' : word)).join(' '),
  };
}

/** Keys and tokens as they get into a text. */
export function keyTexts(seed: string): Readonly<Record<string, string>> {
  const [key, pair] = [bytes(seed, 32), bytes(seed, 64)];
  const hex = key.toString('hex');
  return {
    'hex of 32 bytes': hex,
    'hex in capitals': `0x${hex.toUpperCase()}`,
    'hex of 64 bytes': pair.toString('hex'),
    'hex of 16 bytes': bytes(seed, 16).toString('hex'),
    'base58 of 32 bytes': bs58.encode(key),
    'base58 of 64 bytes': bs58.encode(pair),
    'base64 of 32 bytes': key.toString('base64'),
    'base64 of 64 bytes': pair.toString('base64'),
    'base64url of 32 bytes': key.toString('base64url'),
    'a JSON web token': `${part('{"alg":"EdDSA"}')}.${part(`{"sub":"${seed}"}`)}.${pair.toString('base64url')}`,
  };
}

/** Keys in forms of which parts are no secret, with the parts that are. */
export function brokenKeyTexts(seed: string): Readonly<Record<string, { text: string; secret: string }>> {
  const key = bytes(seed, 32);
  const pairs = key.toString('hex').match(/../g)!;
  return {
    'hex in pairs': { text: pairs.join(':'), secret: pairs.slice(8, 14).join(':') },
    'hex in eights': {
      text: key.toString('hex').match(/.{8}/g)!.join(' '),
      secret: key.toString('hex').match(/.{8}/g)!.slice(2, 4).join(' '),
    },
    'hex in sixteens': {
      text: key.toString('hex').match(/.{16}/g)!.join('\n'),
      secret: key.toString('hex').slice(16, 32),
    },
    bytes: { text: JSON.stringify([...key]), secret: [...key].slice(10, 16).join(',') },
    'bytes by number': {
      text: JSON.stringify(Object.fromEntries(key.entries())),
      secret: JSON.stringify(Object.fromEntries([...key.entries()].slice(10, 13))).slice(1, -1),
    },
    PEM: {
      text: `-----BEGIN PRIVATE KEY-----\n${key.toString('base64').replace(/(.{16})/g, '$1\n')}\n-----END PRIVATE KEY-----`,
      secret: key.toString('base64').slice(16, 32),
    },
  };
}

/** What is secret by its name alone, or personal. */
export const PERSONAL: Readonly<Record<string, { text: string; secret: string }>> = {
  'a password': { text: 'password: hunter2-xk', secret: 'hunter2-xk' },
  'a quoted password': { text: '{"passcode":"open se\\"same 991","a":1}', secret: 'same 991' },
  'a PIN': { text: '{"pin":7391820465}', secret: '7391820465' },
  'a bearer token': { text: 'Authorization: Bearer s3cr3t-bearer-9', secret: 's3cr3t-bearer-9' },
  'a header': { text: 'headers { "authorization": "Basic YW5uOnB3" }', secret: 'YW5uOnB3' },
  'a PIN of something': { text: '{"cardPin":"7391820466"}', secret: '7391820466' },
  'a password after an arrow': { text: 'password => s3cr3t-arrow-9', secret: 's3cr3t-arrow-9' },
  'several cookies': { text: 'Cookie: sid=c-77; other=s3cr3t-cookie-9', secret: 's3cr3t-cookie-9' },
  'a push token': { text: 'ExponentPushToken[kR7-xK2q9_LmN4pR8sT1uV] is gone', secret: 'xK2q9' },
  'an API key': { text: 'api_key=k-77120-x', secret: 'k-77120-x' },
  'an e-mail address': { text: 'no user ann.smith+ton@mail.example.org.', secret: 'ann.smith' },
  'an e-mail address with an apostrophe': { text: "no bob.o'neil77@example.org", secret: 'bob.o' },
  'an international e-mail address': { text: 'анна@почта.рф', secret: 'анна' },
  'an IPv4 address': { text: 'connect 203.0.113.77:443 refused', secret: '203.0.113.77' },
  'an IPv6 address': { text: 'connect [2001:db8:77::1234]:443', secret: '2001:db8:77' },
  'an IPv6 address after a name': { text: 'addr:fe80::77ab', secret: 'fe80::77ab' },
  'a query': { text: 'GET https://api.example.org/v1?code=qqq-771&user=ann failed', secret: 'qqq-771' },
  'a query of a path': { text: 'GET /v1/cards?card=4111-77', secret: '4111-77' },
  'a fragment': { text: 'https://t.me/x#tgWebAppData=user-771', secret: 'user-771' },
  'the name of a home folder': { text: '/Users/annesmith771/app/x.js', secret: 'annesmith771' },
  'the name of a home folder of Windows': {
    text: 'C:\\Users\\robert smith771\\AppData',
    secret: 'obert smith771',
  },
  'the user of a URL': { text: 'https://ann-771:pw@example.org/', secret: 'ann-771' },
};
