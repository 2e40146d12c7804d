import { tokenKind, type VerifiedToken, type SetVerification } from './decider';

const { decider } = tokenKind;
const TOKEN = { network: 'mainnet', address: `0:${'ab'.repeat(32)}` } as const;
const set = (verification: SetVerification['verification']): SetVerification => ({
  type: 'set',
  ...TOKEN,
  verification,
  metadata: { now: '2026-11-20T12:00:00.000Z', actor: 'cli:ann' },
});
const verified = (verification: SetVerification['verification']): VerifiedToken => ({
  ...TOKEN,
  verification,
  at: '2026-11-19T12:00:00.000Z',
  by: 'cli:bob',
});

it.each([
  [null, 'whitelist'],
  [null, 'blacklist'],
  [verified('whitelist'), 'blacklist'],
  [verified('blacklist'), 'none'],
] as const)('after %j a token is %s, with who said so and when', (state, verification) => {
  expect(decider.decide(state, set(verification))).toEqual([
    {
      type: 'TokenVerificationSet',
      data: { ...TOKEN, verification, at: '2026-11-20T12:00:00.000Z', by: 'cli:ann' },
    },
  ]);
});

it.each([
  [null, 'none'],
  [verified('whitelist'), 'whitelist'],
] as const)('records nothing that changes nothing: after %j %s', (state, verification) => {
  expect(decider.decide(state, set(verification))).toEqual([]);
});
