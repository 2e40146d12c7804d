import fc from 'fast-check';
import { isRefusal } from '../../contracts/decider';
import type { ConnectSessionEvent, ConnectWallet } from '../../contracts/events/connect-session';
import { runs } from '../../test/random';
import { sessionKind, type SessionCommand } from './session';

const { initial, evolve, decide } = sessionKind.decider;

const key = 'k';
const NOW = '2026-03-01T12:00:00.000Z';
const EXPIRY = '2026-03-01T13:00:00.000Z';
const app = { testnet: false, name: 'An app', url: 'https://app.example' };
const walletOf = (address: string): ConnectWallet => ({
  address,
  walletType: 'org.ton.wallets.v4',
  walletConfig: 'wc=0',
  walletSig: 'sig',
  appPublicKey: 'installation',
  endpoint: 'https://connect.example',
});

const command = (fields: object, now = NOW): SessionCommand =>
  ({ key, metadata: { now, actor: 'test' }, ...fields }) as SessionCommand;
const place = { source: 'source', hasPlace: true };
const open = command({ type: 'open', ...app, ...place });
const answer = (fields: object = {}, now = NOW) =>
  command(
    {
      type: 'answer',
      kind: 'ton-x',
      testnet: false,
      name: null,
      wallet: walletOf('0:a'),
      ...place,
      ...fields,
    },
    now,
  );
const report = answer({ kind: 'tonconnect-v2', name: 'An app' });

const opened: ConnectSessionEvent = {
  type: 'ConnectSessionOpened',
  data: { key, ...app, source: 'source', expiresAt: EXPIRY, at: NOW },
};
const answered: ConnectSessionEvent = {
  type: 'ConnectSessionAnswered',
  data: {
    key,
    kind: 'ton-x',
    testnet: false,
    name: null,
    wallet: walletOf('0:a'),
    source: 'source',
    at: NOW,
  },
};
const reported: ConnectSessionEvent = {
  type: 'ConnectSessionAnswered',
  data: { ...answered.data, kind: 'tonconnect-v2', name: 'An app' },
};
const granted: ConnectSessionEvent = { type: 'ConnectSessionGranted', data: { key, at: NOW } };
const revoked: ConnectSessionEvent = { type: 'ConnectSessionRevoked', data: { key, at: NOW } };
const removed: ConnectSessionEvent = {
  type: 'ConnectSessionRemoved',
  data: { key, revoked: false, at: EXPIRY },
};
const removedRevoked: ConnectSessionEvent = { ...removed, data: { ...removed.data, revoked: true } };
const removeAnswered = command({ type: 'remove_answered' }, EXPIRY);
const LATER = '2026-03-31T12:00:00.000Z';
const use = (now: string) => command({ type: 'use' }, now);
const usedLater: ConnectSessionEvent = { type: 'ConnectSessionUsed', data: { key, at: LATER } };
const remove = command({ type: 'remove' }, EXPIRY);
const grant = command({ type: 'grant' });
const revoke = command({ type: 'revoke' });

/** The events, or the code of the refusal. */
function outcome(events: readonly ConnectSessionEvent[], given: SessionCommand) {
  const decision = decide(events.reduce(evolve, initial()), given);
  return isRefusal(decision) ? decision.code : decision;
}

it.each<[string, ConnectSessionEvent[], SessionCommand, ConnectSessionEvent[] | string]>([
  ['is opened for an hour', [], open, [opened]],
  ['is opened once', [opened], open, []],
  ['is opened once, also when it was answered and revoked', [opened, answered, revoked], open, []],
  [
    'is not opened with the key of another',
    [opened],
    command({ ...open, name: 'Other' }),
    'connect_key_used',
  ],
  ['is not opened for another network', [opened], command({ ...open, testnet: true }), 'connect_key_used'],
  ['is not opened with the key of a report', [reported], open, 'connect_key_used'],

  ['is answered', [opened], answer(), [answered]],
  ['is answered on its own network', [opened], answer({ testnet: null }), [answered]],
  ['is answered until it expires', [opened], answer({}, EXPIRY), 'connect_session_invalid'],
  ['is not answered before it is opened', [], answer(), 'connect_session_invalid'],
  ['is not answered once it is revoked', [opened, revoked], answer(), 'connect_session_invalid'],
  ['is not answered on another network', [opened], answer({ testnet: true }), 'connect_network_mismatch'],
  ['is answered once', [opened, answered], answer(), []],
  [
    'is answered once, with any signature',
    [opened, answered],
    answer({ wallet: { ...walletOf('0:a'), walletSig: 'b' } }),
    [],
  ],
  [
    'is answered once, also after its end',
    [opened, answered, revoked],
    answer({}, '2027-01-01T00:00:00.000Z'),
    [],
  ],
  [
    'is not answered by a second wallet',
    [opened, answered],
    answer({ wallet: walletOf('0:b') }),
    'connect_already_completed',
  ],

  ['begins with a report', [], report, [reported]],
  ['is reported once', [reported, granted], report, []],
  ['is not opened by one and reported by another', [opened], report, 'connect_session_invalid'],

  ['is granted', [opened, answered], grant, [granted]],
  ['is granted once', [opened, answered, granted], grant, []],
  ['is not granted before it is answered', [opened], grant, []],
  ['is not granted when nobody knows it', [], grant, []],
  ['is not granted once it is revoked', [opened, answered, revoked], grant, []],

  ['is revoked before it is answered', [opened], revoke, [revoked]],
  ['is revoked after it was granted', [opened, answered, granted], revoke, [revoked]],
  ['is revoked once', [opened, answered, revoked], revoke, []],
  ['is not revoked when nobody knows it', [], revoke, []],

  ['is removed when nobody has answered', [opened], remove, [removed]],
  ['is removed when it was revoked before', [opened, revoked], remove, [removed]],
  ['is not removed while it may be answered', [opened], command({ type: 'remove' }), []],
  ['is not removed once it was answered', [opened, answered], remove, []],
  ['is not removed once it was answered, also after its end', [opened, answered, revoked], remove, []],
  ['is not removed when it was reported', [reported], remove, []],
  ['is removed once', [opened, removed], remove, []],

  ['is not opened without a place', [], command({ ...open, hasPlace: false }), 'too_many_connect_sessions'],
  [
    'is not reported without a place',
    [],
    answer({ kind: 'tonconnect-v2', hasPlace: false }),
    'too_many_connect_sessions',
  ],
  ['that is opened is answered without a place', [opened], answer({ hasPlace: false }), [answered]],
  ['is opened once, and needs no other place', [opened], command({ ...open, hasPlace: false }), []],

  ['is used within 30 days, which is not recorded', [opened, answered], use('2026-03-31T11:59:59.999Z'), []],
  ['is used after 30 days', [opened, answered], use(LATER), [usedLater]],
  ['is used when its answer is repeated', [opened, answered], answer({}, LATER), [usedLater]],
  ['is used when it is granted again', [reported, granted], command({ type: 'grant' }, LATER), [usedLater]],
  ['is used once', [reported, usedLater], use(LATER), []],
  ['is not used before it is answered', [opened], use(LATER), []],
  ['is not used once it is revoked', [reported, revoked], use(LATER), []],
  ['is not used when nobody knows it', [], use(LATER), []],

  ['that was answered is removed after long', [opened, answered, granted], removeAnswered, [removed]],
  ['that was reported is removed after long', [reported], removeAnswered, [removed]],
  ['that was answered is removed once', [reported, removed], removeAnswered, []],
  ['that nobody has answered is not taken for one', [opened], removeAnswered, []],
  ['is reported again once it was removed', [reported, removed], report, [reported]],
  ['that was revoked is removed, and stays so', [reported, revoked], removeAnswered, [removedRevoked]],
  [
    'that was revoked is not reported again, once it was removed',
    [reported, revoked, removedRevoked],
    report,
    'connect_session_invalid',
  ],
  [
    'that was revoked is not opened again, once it was removed',
    [opened, answered, revoked, removedRevoked],
    open,
    'connect_key_used',
  ],
  ['that was revoked is removed once', [reported, revoked, removedRevoked], removeAnswered, []],
  ['is opened again once it was removed', [opened, removed], open, [opened]],
])('a session %s', (_what, events, given, expected) => expect(outcome(events, given)).toEqual(expected));

const instant = fc
  .integer({ min: 0, max: 7_200_000 })
  .map(ms => new Date(Date.parse(NOW) + ms).toISOString());
const anyCommand = fc
  .tuple(
    fc.oneof(
      fc.record({
        type: fc.constant('open'),
        testnet: fc.boolean(),
        name: fc.constantFrom('a', 'b'),
        url: fc.constant('u'),
        hasPlace: fc.constant(true),
      }),
      fc.record({
        type: fc.constant('answer'),
        kind: fc.constantFrom('ton-x', 'tonconnect-v2'),
        testnet: fc.constantFrom(true, false, null),
        name: fc.constantFrom(null, 'a'),
        wallet: fc.constantFrom('0:a', '0:b').map(walletOf),
        hasPlace: fc.constant(true),
      }),
      fc.record({ type: fc.constantFrom('grant', 'revoke') }),
    ),
    instant,
  )
  .map(([fields, now]) => command(fields, now));

it('has one wallet for ever, is granted only with it, ends for ever, and nothing repeated has an effect', () => {
  fc.assert(
    fc.property(fc.array(anyCommand, { maxLength: 24 }), commands => {
      let state = initial();
      const events: ConnectSessionEvent[] = [];
      for (const each of commands) {
        const decision = decide(state, each);
        if (isRefusal(decision)) continue;
        events.push(...decision);
        state = decision.reduce(evolve, state);
        expect(decide(state, each)).toEqual([]);
      }
      const types = events.map(({ type }) => type);
      expect(new Set(types).size).toBe(types.length);
      const at = (type: ConnectSessionEvent['type']): number => types.indexOf(type);
      if (at('ConnectSessionOpened') >= 0) expect(at('ConnectSessionOpened')).toBe(0);
      if (at('ConnectSessionGranted') >= 0)
        expect(at('ConnectSessionAnswered')).toBeLessThan(at('ConnectSessionGranted'));
      if (at('ConnectSessionRevoked') >= 0) expect(at('ConnectSessionRevoked')).toBe(types.length - 1);
      const [first, second] = events;
      if (first?.type === 'ConnectSessionOpened' && second?.type === 'ConnectSessionAnswered') {
        expect(second.data).toMatchObject({ kind: 'ton-x', testnet: first.data.testnet });
        expect(second.data.at < first.data.expiresAt).toBe(true);
      }
    }),
    runs(300),
  );
});
