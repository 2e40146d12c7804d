import fc from 'fast-check';
import { isRefusal } from '../../contracts/decider';
import type { WalletRequestEvent } from '../../contracts/events/wallet-request';
import { runs } from '../../test/random';
import { MAX_PENDING_REQUESTS, walletRequestKind, type CreateRequest, type Respond } from './decider';

const START = Date.parse('2026-03-01T12:00:00.000Z');
const at = (seconds: number): string => new Date(START + seconds * 1_000).toISOString();
const metadata = (seconds: number) => ({ now: at(seconds), actor: 'wallet' });

const parties = {
  requestId: '5f'.repeat(16),
  network: 'mainnet',
  requestor: `0:${'aa'.repeat(32)}`,
  confirmant: `0:${'bb'.repeat(32)}`,
} as const;
const text = { subject: 'ton:mainnet:x', ciphertext: 'v1.A.A' };

const create = (more: Partial<CreateRequest> = {}): CreateRequest => ({
  type: 'create',
  ...parties,
  expirationSeconds: 300,
  message: text,
  attached: null,
  pending: 0,
  source: '0123456789abcdef',
  place: { fromSource: 0, isFull: false },
  metadata: metadata(0),
  ...more,
});
const signed = { signedAt: 1_772_366_400, publicKey: '07'.repeat(32), signature: 'c2ln', response: null };
const respond = (status: Respond['status'], seconds = 60, more: Partial<Respond> = {}): Respond => ({
  type: 'respond',
  network: 'mainnet',
  wallet: parties.confirmant,
  status,
  ...signed,
  metadata: metadata(seconds),
  ...more,
});
const remove = { type: 'remove', metadata: metadata(8_000_000) } as const;
const expire = (seconds: number) => ({ type: 'expire', metadata: metadata(seconds) }) as const;

const created: WalletRequestEvent = {
  type: 'WalletRequestCreated',
  data: {
    ...parties,
    source: '0123456789abcdef',
    at: at(0),
    expiresAt: at(300),
    message: text,
    metadata: null,
  },
};
const answer = { ...parties, at: at(60), ...signed };
const confirmed: WalletRequestEvent = { type: 'WalletRequestConfirmed', data: answer };
const declined: WalletRequestEvent = { type: 'WalletRequestDeclined', data: answer };
const expired: WalletRequestEvent = { type: 'WalletRequestExpired', data: { ...parties, at: at(300) } };

const removed: WalletRequestEvent = { type: 'WalletRequestRemoved', data: { ...parties, at: at(8_000_000) } };

const { initial, evolve, decide } = walletRequestKind.decider;
const stateAfter = (events: readonly WalletRequestEvent[]) => events.reduce(evolve, initial());

it.each([
  ['is removed when it was answered', [created, declined], remove, [removed]],
  ['is removed when it has expired', [created, expired], remove, [removed]],
  ['is not removed while it is pending', [created], remove, []],
  ['is removed once', [created, expired, removed], remove, []],
  ['is created', [], create(), [created]],
  ['is created once', [created], create({ metadata: metadata(9) }), []],
  ['is created once, also when it was answered', [created, confirmed], create(), []],
  ['is created once, also when there are too many', [created], create({ pending: MAX_PENDING_REQUESTS }), []],
  ['is created when there is room for one', [], create({ pending: MAX_PENDING_REQUESTS - 1 }), [created]],
  ['is not created when there are too many', [], create({ pending: 20 }), 'too_many_wallet_requests'],
  [
    'is not created when its source has its share',
    [],
    create({ place: { fromSource: 100, isFull: false } }),
    'too_many_wallet_requests',
  ],
  [
    'is not created when all places are taken',
    [],
    create({ place: { fromSource: 0, isFull: true } }),
    'too_many_wallet_requests',
  ],
  [
    'is the same one, also when all places are taken',
    [created],
    create({ place: { fromSource: 0, isFull: true } }),
    [],
  ],
  [
    'ends before its time when its place is needed',
    [created],
    { ...expire(10), displaced: true },
    [{ ...expired, data: { ...parties, at: at(10) } }],
  ],
  ['keeps its answer when its place is needed', [created, confirmed], { ...expire(10), displaced: true }, []],
  ['is not created on two networks', [created], create({ network: 'testnet' }), 'signature_reused'],
  ['is confirmed', [created], respond('confirmed'), [confirmed]],
  ['is declined', [created], respond('declined'), [declined]],
  ['is confirmed once', [created, confirmed], respond('confirmed'), []],
  ['is confirmed once, also when it would have expired', [created, confirmed], respond('confirmed', 400), []],
  [
    'is not declined after it was confirmed',
    [created, confirmed],
    respond('declined'),
    'wallet_request_answered',
  ],
  [
    'is not confirmed after it was declined',
    [created, declined],
    respond('confirmed'),
    'wallet_request_answered',
  ],
  [
    'is not answered by its requestor',
    [created],
    respond('confirmed', 1, { wallet: parties.requestor }),
    'wallet_request_wrong_wallet',
  ],
  [
    'is not answered on another network',
    [created],
    respond('confirmed', 1, { network: 'testnet' }),
    'wallet_request_not_found',
  ],
  ['is not answered before it is created', [], respond('confirmed'), 'wallet_request_not_found'],
  [
    'is answered in its last second',
    [created],
    respond('confirmed', 299.999),
    [{ ...confirmed, data: { ...answer, at: at(299.999) } }],
  ],
  [
    'is not answered when its time has passed',
    [created],
    respond('confirmed', 300),
    'wallet_request_expired',
  ],
  ['is not answered after it has expired', [created, expired], respond('declined'), 'wallet_request_expired'],
  ['expires', [created], expire(300), [expired]],
  ['does not expire before', [created], expire(299.999), []],
  ['expires once', [created, expired], expire(301), []],
  ['does not expire after it was answered', [created, declined], expire(300), []],
  ['does not expire before it is created', [], expire(300), []],
] as const)('a request %s', (_what, events, command, expected) => {
  const decision = decide(stateAfter(events), command);
  expect(isRefusal(decision) ? decision.code : decision).toEqual(expected);
});

it('keeps what was asked and what was answered', () => {
  expect(stateAfter([created, confirmed])).toEqual({
    ...parties,
    created: at(0),
    expiresAt: at(300),
    message: text,
    metadata: null,
    status: 'confirmed',
    answer: { at: at(60), ...signed },
  });
});

test('whatever happens in whatever order, a request leaves pending once, by its confirmant in time or by the clock', () => {
  const second = fc.nat(20);
  const step = fc.oneof(
    fc.record({ type: fc.constant('create'), after: second }),
    fc.record({ type: fc.constant('expire'), after: second }),
    fc.record({
      type: fc.constant('respond'),
      after: second,
      wallet: fc.constantFrom(parties.confirmant, parties.requestor),
      network: fc.constantFrom('mainnet', 'testnet'),
      status: fc.constantFrom('confirmed', 'declined'),
    }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), steps => {
      let state = initial();
      let seconds = 0;
      const events: WalletRequestEvent[] = [];
      /** The model: when it was created, and what became of it. */
      let since: number | null = null;
      let end: string | null = null;
      for (const { after, ...one } of steps) {
        seconds += after;
        const command =
          one.type === 'create'
            ? create({ expirationSeconds: 30, metadata: metadata(seconds) })
            : one.type === 'expire'
              ? expire(seconds)
              : respond('confirmed', seconds, one as Partial<Respond>);
        const isLate = since !== null && seconds >= since + 30;
        const decision = decide(state, command);
        const written = isRefusal(decision) ? [] : decision;
        if (one.type === 'create' && since === null) since = seconds;
        else if (since === null || end !== null) expect(written).toEqual([]);
        else if (one.type === 'expire') end = isLate ? 'expired' : null;
        else if (one.type === 'respond') {
          const { wallet, network, status } = one as Respond;
          const counts = wallet === parties.confirmant && network === 'mainnet' && !isLate;
          expect(isRefusal(decision)).toBe(!counts);
          if (counts) end = status;
        }
        events.push(...written);
        state = written.reduce(evolve, state);
        expect(state?.status ?? null).toBe(since === null ? null : (end ?? 'pending'));
      }
      expect(events.length).toBe(Number(since !== null) + Number(end !== null));
    }),
    runs(300),
  );
});
