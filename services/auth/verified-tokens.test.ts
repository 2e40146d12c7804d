import type { IssuerKeys } from './key-set';
import { createVerifiedTokens, type Verified } from './verified-tokens';

const keys = (edition: () => object | null): IssuerKeys => ({
  algorithms: ['EdDSA'],
  keyFor: jest.fn(),
  edition,
});
const FIXED = {};

const verified = (sub: string, edition: () => object | null = () => FIXED): Verified => ({
  kind: 'instance',
  claims: { sub },
  keys: keys(edition),
  edition: edition(),
});

it('remembers so many tokens and no more, and forgets first which was not asked for the longest', () => {
  const tokens = createVerifiedTokens(2);
  const [ann, bob, eve] = ['ann', 'bob', 'eve'].map(sub => verified(sub));
  tokens.remember('a', ann!);
  tokens.remember('b', bob!);
  expect(tokens.recall('a')).toBe(ann);
  tokens.remember('c', eve!);
  expect(tokens.recall('b')).toBeNull();
  expect(tokens.recall('a')).toBe(ann);
  expect(tokens.recall('c')).toBe(eve);
});

it('knows nothing of a token whose keys have been fetched again, or will be', () => {
  const tokens = createVerifiedTokens(2);
  let edition: object | null = {};
  const ann = verified('ann', () => edition);
  for (const next of [{}, null]) {
    edition = ann.edition;
    tokens.remember('a', ann);
    expect(tokens.recall('a')).toBe(ann);
    edition = next;
    expect(tokens.recall('a')).toBeNull();
  }
});

it('does not remember by keys that were not there yet', () => {
  const tokens = createVerifiedTokens(2);
  tokens.remember(
    'a',
    verified('ann', () => null),
  );
  expect(tokens.recall('a')).toBeNull();
});
