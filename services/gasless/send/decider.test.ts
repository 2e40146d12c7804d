import type { GaslessSendEvent } from '../../../contracts/events/gasless-send';
import { gaslessSendKind, isInFlight, type GaslessSend, type GaslessSendCommand } from './decider';

const { initial, evolve, decide } = gaslessSendKind.decider;
const metadata = { now: '2026-11-23T12:00:00.000Z', actor: 'gasless' };
const about = { network: 'testnet', wallet: `0:${'1'.repeat(64)}`, seqno: 3 } as const;
const transaction = { lt: '1', hash: 'h' };

const accept = (bodyHash: string): GaslessSendCommand => ({
  type: 'accept',
  request: {
    ...about,
    bodyHash,
    carrierHash: 'c',
    hashes: ['c', bodyHash],
    quoteKey: 'q',
    source: 's',
    relay: 'r',
    master: 'm',
    destination: 'd',
    amount: '1',
    commission: '2',
    attached: '3',
    loss: '4',
    body: 'b',
    init: null,
    validUntil: 5,
    rate: { units: '3', nanotons: '1' },
  },
  metadata,
});
const relayed = (bodyHash: string): GaslessSendCommand => ({
  type: 'recordRelayed',
  bodyHash,
  relaySeqno: 1,
  messageHash: 'm',
  metadata,
});
type Observed = (state: GaslessSend | null) => GaslessSendCommand;
/** What somebody records who has just loaded the request, and then read the chain. */
const observed =
  (
    outcome: {
      readonly type: 'recordConfirmed' | 'recordSkipped' | 'recordBounced' | 'recordOpen';
      readonly bodyHash: string;
    },
    messageHash = 'm',
  ): Observed =>
  state =>
    ({
      ...outcome,
      exitCode: 133,
      transaction,
      messageHash,
      after: state?.observations ?? 0,
      metadata,
    }) as GaslessSendCommand;
const confirmed = (bodyHash: string) => observed({ type: 'recordConfirmed', bodyHash });
const skipped = (bodyHash: string) => observed({ type: 'recordSkipped', bodyHash });
const bounced = (bodyHash: string) => observed({ type: 'recordBounced', bodyHash });
const open = (bodyHash: string, messageHash = 'm') => observed({ type: 'recordOpen', bodyHash }, messageHash);
const given = (state: GaslessSend | null, command: GaslessSendCommand | Observed) =>
  typeof command === 'function' ? command(state) : command;
const decided = (state: GaslessSend | null, command: GaslessSendCommand | Observed) =>
  decide(state, given(state, command));
const unsent = (bodyHash: string, messageHash = 'm'): GaslessSendCommand => ({
  type: 'recordUnsent',
  bodyHash,
  messageHash,
  metadata,
});
const expired = (bodyHash: string): GaslessSendCommand => ({ type: 'recordExpired', bodyHash, metadata });

function after(...commands: readonly (GaslessSendCommand | Observed)[]) {
  return commands.reduce((state, command) => {
    const events = decided(state, command) as readonly GaslessSendEvent[];
    expect(events).toHaveLength(1);
    return events.reduce(evolve, state);
  }, initial());
}

it('a request that was accepted is accepted again and changes nothing, whatever has become of it', () => {
  for (const end of [confirmed, skipped, bounced])
    expect(decide(after(accept('a'), relayed('a'), end('a')), accept('a'))).toEqual([]);
  expect(decide(after(accept('a')), accept('a'))).toEqual([]);
  expect(decide(after(accept('a'), expired('a'), accept('b')), accept('a'))).toEqual([]);
});

it('another request of the same seqno waits until the first has ended without an effect', () => {
  const refused = { code: 'gasless_in_flight' };
  expect(decide(after(accept('a')), accept('b'))).toMatchObject(refused);
  expect(decide(after(accept('a'), relayed('a')), accept('b'))).toMatchObject(refused);
  expect(decide(after(accept('a'), relayed('a'), confirmed('a')), accept('b'))).toMatchObject(refused);
  expect(decide(after(accept('a'), relayed('a'), skipped('a')), accept('b'))).toMatchObject(refused);
  expect(after(accept('a'), relayed('a'), bounced('a'), accept('b'))!.step).toBe('accepted');
  expect(after(accept('a'), expired('a'), accept('b'))!.accepted.bodyHash).toBe('b');
});

it('each outcome follows from its step, once, and only for the request that it is about', () => {
  const [none, sent] = [after(accept('a')), after(accept('a'), relayed('a'))];
  for (const end of [confirmed, skipped, bounced]) {
    expect(decided(none, end('a'))).toEqual([]);
    expect(decided(sent, end('b'))).toEqual([]);
    expect(decided(after(accept('a'), relayed('a'), end('a')), end('a'))).toEqual([]);
  }
  expect(decide(sent, expired('a'))).toEqual([]);
  expect(decide(sent, relayed('a'))).toEqual([]);
  expect(decide(initial(), relayed('a'))).toEqual([]);
});

it('is in flight until the chain has decided', () => {
  const states = [
    initial(),
    after(accept('a')),
    after(accept('a'), relayed('a')),
    after(accept('a'), expired('a')),
  ];
  expect(states.map(isInFlight)).toEqual([false, true, true, false]);
});

it('what a fork has taken back is sent on again, whatever was seen of it', () => {
  expect(after(accept('a'), relayed('a'), unsent('a'))!.step).toBe('accepted');
  for (const end of [confirmed, skipped, bounced])
    expect(after(accept('a'), relayed('a'), end('a'), unsent('a'), relayed('a'))!.step).toBe('relayed');
  // It is about another message than the one that sends it on now, or there is none.
  expect(decide(after(accept('a'), relayed('a')), unsent('a', 'other'))).toEqual([]);
  expect(decide(after(accept('a'), relayed('a'), unsent('a')), unsent('a'))).toEqual([]);
  expect(decide(after(accept('a'), relayed('a'), bounced('a'), accept('b')), unsent('a'))).toEqual([]);
});

it('what a fork has changed while the message stays is recorded again, and a branch that is gone is not', () => {
  const ends = [
    [confirmed, 'GaslessSendConfirmed'],
    [skipped, 'GaslessSendSkipped'],
    [bounced, 'GaslessSendBounced'],
  ] as const;
  for (const [first] of ends)
    for (const [then, type] of ends) {
      const before = after(accept('a'), relayed('a'), first('a'));
      expect(decided(before, then('a'))).toMatchObject(first === then ? [] : [{ type }]);
      // Of another message, or read before something else was recorded.
      expect(
        decided(before, observed({ ...given(before, then('a')), bodyHash: 'a' } as never, 'other')),
      ).toEqual([]);
      if (first !== then)
        expect(
          decide(after(accept('a'), relayed('a'), first('a'), then('a')), given(before, first('a'))),
        ).toEqual([]);
    }
});

it('the same outcome by another transaction is recorded again', () => {
  const done = after(accept('a'), relayed('a'), confirmed('a'));
  const other = {
    ...given(done, confirmed('a')),
    transaction: { lt: '1', hash: 'other' },
  } as GaslessSendCommand;
  expect(decide(done, other)).toMatchObject([
    { type: 'GaslessSendConfirmed', data: { transaction: { hash: 'other' } } },
  ]);
});

const value = { ton: '0.1', tonPrice: '3', feeAmount: '0.3' };
const earned = (bodyHash: string): GaslessSendCommand => ({
  type: 'earnCommission',
  bodyHash,
  ...value,
  metadata,
});

it('a commission is earned once, when the transfers have arrived', () => {
  const done = after(accept('a'), relayed('a'), confirmed('a'));
  expect(decide(done, earned('a'))).toEqual([
    {
      type: 'GaslessCommissionEarned',
      data: {
        ...about,
        bodyHash: 'a',
        at: metadata.now,
        transaction,
        occurrence: 0,
        relay: 'r',
        master: 'm',
        commission: '2',
        ...value,
      },
    },
  ]);
  expect(decide(done, earned('b'))).toEqual([]);
  expect(decide(after(accept('a'), relayed('a'), confirmed('a'), earned('a')), earned('a'))).toEqual([]);
  for (const end of [skipped, bounced])
    expect(decide(after(accept('a'), relayed('a'), end('a')), earned('a'))).toEqual([]);
  expect(decide(after(accept('a'), relayed('a')), earned('a'))).toEqual([]);
});

it('a commission that a fork takes back is retracted, and earned again with the transfer', () => {
  const done = after(accept('a'), relayed('a'), confirmed('a'), earned('a'));
  const events = decide(done, unsent('a')) as readonly GaslessSendEvent[];
  expect(events).toMatchObject([
    { type: 'GaslessSendUnsent' },
    { type: 'GaslessCommissionRetracted', data: { occurrence: 0, commission: '2', ...value } },
  ]);
  const again = [relayed('a'), confirmed('a')].reduce(
    (state, command) => (decided(state, command) as readonly GaslessSendEvent[]).reduce(evolve, state),
    events.reduce(evolve, done),
  );
  expect(decide(again, earned('a'))).toMatchObject([{ data: { occurrence: 1 } }]);
});

it('a commission whose transfers a fork has changed is retracted, and earned again where they arrive again', () => {
  const done = after(accept('a'), relayed('a'), confirmed('a'), earned('a'));
  const events = decided(done, bounced('a')) as readonly GaslessSendEvent[];
  expect(events).toMatchObject([
    { type: 'GaslessSendBounced' },
    { type: 'GaslessCommissionRetracted', data: { occurrence: 0, commission: '2', ...value } },
  ]);
  const bounce = events.reduce(evolve, done);
  expect(decide(bounce, earned('a'))).toEqual([]);
  const again = (decided(bounce, confirmed('a')) as readonly GaslessSendEvent[]).reduce(evolve, bounce);
  expect(decide(again, earned('a'))).toMatchObject([{ data: { occurrence: 1 } }]);
});

it('where a fork has taken back what became of it, it is sent on with nothing known of it, and earns nothing', () => {
  const done = after(accept('a'), relayed('a'), confirmed('a'), earned('a'));
  const late = given(after(accept('a'), relayed('a')), open('a'));
  expect([decide(done, late), decided(done, open('a', 'another'))]).toEqual([[], []]);
  const events = decided(done, open('a')) as readonly GaslessSendEvent[];
  expect(events).toMatchObject([
    { type: 'GaslessSendRelayed', data: { relaySeqno: 1, messageHash: 'm' } },
    { type: 'GaslessCommissionRetracted', data: { occurrence: 0 } },
  ]);
  const again = events.reduce(evolve, done);
  expect(again).toMatchObject({ step: 'relayed', transaction: null });
  expect([decided(again, open('a')), decide(again, earned('a'))]).toEqual([[], []]);
  for (const next of [confirmed('a'), bounced('a'), unsent('a')])
    expect(decided(again, next)).toHaveLength(1);
  expect(decided(after(accept('a')), open('a'))).toEqual([]);
});

it('is removed once it has ended, with the hashes of all requests; what is on its way stays', () => {
  const remove = { type: 'remove', metadata: accept('a').metadata } as const;
  for (const state of [initial(), after(accept('a')), after(accept('a'), relayed('a'))])
    expect(decide(state, remove)).toEqual([]);
  const hashesOf = (...hashes: string[]) => [{ type: 'GaslessSendRemoved', data: { hashes } }];
  expect(decide(after(accept('a'), expired('a')), remove)).toMatchObject(hashesOf('c', 'a'));
  const second = after(accept('a'), relayed('a'), bounced('a'), accept('b'), relayed('b'), confirmed('b'));
  expect(decide(second, remove)).toMatchObject(hashesOf('c', 'a', 'c', 'b'));
});
