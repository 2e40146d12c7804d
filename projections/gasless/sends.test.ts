import { history } from '../../test/contracts/builders';
import { given } from '../../test/contracts/projection';
import { gaslessSendsProjection } from './sends';

const at = '2026-03-01T12:00:00.000Z';
const [POSTED, BODY, SECOND] = ['1'.repeat(64), '2'.repeat(64), '3'.repeat(64)];
const transaction = { lt: '7', hash: 'AAAA' };
const send = (type: string, data: object, bodyHash = BODY, wallet = '0:a') =>
  [
    `gaslessSend-testnet:${wallet}:0`,
    { type, data: { network: 'testnet', wallet, seqno: 0, bodyHash, at, ...data } },
  ] as const;
const accepted = (hashes: string[], bodyHash?: string, wallet?: string) =>
  send(
    'GaslessSendAccepted',
    {
      carrierHash: POSTED,
      hashes,
      quoteKey: 'q',
      source: 's',
      relay: '0:b',
      master: '0:c',
      destination: '0:d',
      amount: '1',
      commission: '1',
      attached: '1',
      loss: '1',
      body: '',
      init: null,
      validUntil: 1,
    },
    bodyHash,
    wallet,
  );
const relayed = send('GaslessSendRelayed', { relaySeqno: 1, messageHash: 'm' });
const NO_HANDOVER = { handover: null, handoverStep: null, handedOverAt: null };
const alias = { _id: `testnet/${POSTED}`, bodyHash: BODY, outcome: null, transaction: null, ...NO_HANDOVER };
const state = (outcome: string, of: typeof transaction | null = null) => ({
  _id: `testnet/${BODY}`,
  bodyHash: BODY,
  outcome,
  transaction: of,
  ...NO_HANDOVER,
});

it.each([
  ['that is on its way', [relayed], state('open')],
  ['that a fork has taken back', [relayed, send('GaslessSendUnsent', { messageHash: 'm' })], state('open')],
  [
    'that was carried out',
    [relayed, send('GaslessSendConfirmed', { transaction })],
    state('confirmed', transaction),
  ],
  [
    'that did not arrive',
    [relayed, send('GaslessSendSkipped', { transaction })],
    state('skipped', transaction),
  ],
  ['that its wallet refused', [relayed, send('GaslessSendBounced', { exitCode: 133 })], state('bounced')],
  ['that has expired', [send('GaslessSendExpired', {})], state('expired')],
])('has a request by its hashes, and by that of its body what became of it: one %s', (_, events, expected) =>
  given(gaslessSendsProjection, history(accepted([POSTED, BODY]), ...events)).then({
    gasless_hashes: [alias, expected],
  }),
);

const handover = (type: string, data: object) =>
  [
    'gaslessHandover-testnet:0:a:0',
    { type, data: { network: 'testnet', wallet: '0:a', seqno: 0, bodyHash: BODY, at, ...data } },
  ] as const;
const later = '2026-03-01T12:00:05.000Z';
const handedOver = handover('GaslessHandedOver', { hashes: [POSTED, BODY], validUntil: 1 });

it.each([
  ['that is posted', [], [alias, { ...state('open'), handoverStep: 'open', handedOverAt: at }]],
  [
    'that nobody has answered',
    [handover('GaslessHandoverUnanswered', { at: later })],
    [alias, { ...state('open'), handoverStep: 'unanswered', handedOverAt: at }],
  ],
  [
    'that was taken',
    [handover('GaslessHandoverTaken', { at: later })],
    [alias, { ...state('open'), handoverStep: 'taken', handedOverAt: at }],
  ],
  [
    'that was refused',
    [handover('GaslessHandoverRefused', { at: later })],
    [alias, { ...state('expired'), handoverStep: 'refused', handedOverAt: at }],
  ],
  [
    'that was carried out',
    [handover('GaslessHandoverEnded', { outcome: 'confirmed', transaction })],
    [
      alias,
      {
        ...state('confirmed', transaction),
        handover: { endedBy: 'testnet/0:a/AAAA', seqno: 0 },
        handoverStep: 'confirmed',
        handedOverAt: at,
      },
    ],
  ],
  ['that is removed', [handover('GaslessHandoverRemoved', { hashes: [POSTED, BODY] })], []],
])('has a request that another relayer was asked for: one %s', (_, events, expected) =>
  given(gaslessSendsProjection, history(handedOver, ...events)).then({ gasless_hashes: expected }),
);

it('forgets a request that is removed, and no other', () =>
  given(
    gaslessSendsProjection,
    history(
      accepted([POSTED, BODY]),
      accepted([SECOND], SECOND, '0:e'),
      send('GaslessSendExpired', {}),
      send('GaslessSendRemoved', { hashes: [POSTED, BODY] }),
    ),
  ).then({
    gasless_hashes: [{ ...state('open'), _id: `testnet/${SECOND}`, bodyHash: SECOND }],
  }));
