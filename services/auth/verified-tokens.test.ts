import type { IssuerKeys } from './key-set';
import { createVerifiedTokens, type Verified } from './verified-tokens';

const keys = (edition: () => object | null): IssuerKeys => ({
  algorithms: ['EdDSA'],
  keyFor: jest.fn(),
  version: edition,
});
const FIXED = {};

const verified = (sub: string, edition: () => object | null = () => FIXED): Verified => ({
  kind: 'instance',
  claims: { sub },
  keys: keys(edition),
  keyVersion: edition(),
});

it('caches a limited number of tokens, and evicts the least recently used one first', () => {
  const tokens = createVerifiedTokens(2);
  const [ann, bob, eve] = ['ann', 'bob', 'eve'].map(sub => verified(sub));
  tokens.set('a', ann!);
  tokens.set('b', bob!);
  expect(tokens.get('a')).toBe(ann);
  tokens.set('c', eve!);
  expect(tokens.get('b')).toBeNull();
  expect(tokens.get('a')).toBe(ann);
  expect(tokens.get('c')).toBe(eve);
});

it('drops a token whose keys have been fetched again, or will be', () => {
  const tokens = createVerifiedTokens(2);
  let edition: object | null = {};
  const ann = verified('ann', () => edition);
  for (const next of [{}, null]) {
    edition = ann.keyVersion;
    tokens.set('a', ann);
    expect(tokens.get('a')).toBe(ann);
    edition = next;
    expect(tokens.get('a')).toBeNull();
  }
});

it('caches nothing while the keys have not been fetched', () => {
  const tokens = createVerifiedTokens(2);
  tokens.set(
    'a',
    verified('ann', () => null),
  );
  expect(tokens.get('a')).toBeNull();
});
