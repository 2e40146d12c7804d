import type { Samples } from '../sample';

const at = '2026-11-23T12:00:00.000Z';
const wallet = `0:${'1'.repeat(64)}`;
const relay = `0:${'2'.repeat(64)}`;
const master = `0:${'3'.repeat(64)}`;
const bodyHash = 'b'.repeat(64);
const about = { network: 'testnet', wallet, seqno: 0, bodyHash, at };
const transaction = { lt: '47000001', hash: 'AAAA' };

export const GASLESS_QUOTE_SAMPLES: Samples = {
  GaslessQuoted: [
    {
      v: 1,
      data: {
        network: 'testnet',
        quoteKey: 'a'.repeat(64),
        wallet,
        master,
        relay,
        seqno: 0,
        at,
        amount: '999999',
        commission: '340000',
        attached: '115000000',
        loss: '100000000',
        rate: { units: '3000000', nanotons: '1000000000', at },
        validUntil: 1_795_435_440,
      },
    },
  ],
};

const commission = {
  ...about,
  transaction,
  occurrence: 0,
  relay,
  master,
  commission: '340000',
  ton: '0.113333333333333333',
  tonPrice: '3.25',
  feeAmount: '0.368333',
};

export const GASLESS_SEND_SAMPLES: Samples = {
  GaslessSendAccepted: [
    {
      v: 1,
      data: {
        ...about,
        carrierHash: 'c'.repeat(64),
        hashes: ['c'.repeat(64), bodyHash],
        quoteKey: 'a'.repeat(64),
        source: '0123456789abcdef',
        relay,
        master,
        destination: `0:${'4'.repeat(64)}`,
        amount: '1000000',
        commission: '340000',
        attached: '115000000',
        loss: '100000000',
        rate: { units: '3000000', nanotons: '1000000000' },
        body: 'te6cckEBAQEAAgAAAEysuc0=',
        init: { code: 'te6cckEBAQEAAgAAAEysuc0=', data: 'te6cckEBAQEAAgAAAEysuc0=' },
        validUntil: 1_795_435_500,
      },
    },
  ],
  GaslessSendRelayed: [{ v: 1, data: { ...about, relaySeqno: 7, messageHash: 'd'.repeat(64) } }],
  GaslessSendConfirmed: [{ v: 1, data: { ...about, transaction } }],
  GaslessSendBounced: [{ v: 1, data: { ...about, exitCode: 133 } }],
  GaslessSendSkipped: [{ v: 1, data: { ...about, transaction } }],
  GaslessSendUnsent: [{ v: 1, data: { ...about, messageHash: 'd'.repeat(64) } }],
  GaslessCommissionEarned: [{ v: 1, data: commission }],
  GaslessCommissionRetracted: [
    { v: 1, data: commission, latest: { ...commission, earnedAt: at } },
    { v: 2, data: { ...commission, at: '2026-11-23T12:10:00.000Z', earnedAt: at } },
  ],
  GaslessSendExpired: [{ v: 1, data: about }],
  GaslessSendRemoved: [{ v: 1, data: { ...about, hashes: ['c'.repeat(64), bodyHash] } }],
};

export const GASLESS_HANDOVER_SAMPLES: Samples = {
  GaslessHandedOver: [
    { v: 1, data: { ...about, hashes: ['c'.repeat(64), bodyHash], validUntil: 1_795_435_500 } },
  ],
  GaslessHandoverTaken: [{ v: 1, data: about }],
  GaslessHandoverRefused: [{ v: 1, data: about }],
  GaslessHandoverUnanswered: [{ v: 1, data: about }],
  GaslessHandoverRepeated: [{ v: 1, data: about }],
  GaslessHandoverEnded: [{ v: 1, data: { ...about, outcome: 'confirmed', transaction } }],
  GaslessHandoverRemoved: [{ v: 1, data: { ...about, hashes: ['c'.repeat(64), bodyHash] } }],
};

const ofRelay = { network: 'testnet', relay, count: 1, seqno: 7, validUntil: 1_795_435_320, at };
const ofMessage = { ...ofRelay, requests: [{ wallet, seqno: 0, bodyHash }], messageHash: 'd'.repeat(64) };

export const GASLESS_RELAY_SAMPLES: Samples = {
  GaslessRelayMessageSigned: [{ v: 1, data: { ...ofMessage, message: 'te6cckEBAQEAAgAAAEysuc0=' } }],
  GaslessRelayMessageIncluded: [{ v: 1, data: ofMessage }],
  GaslessRelayMessageExpired: [{ v: 1, data: ofRelay }],
};

const budget = {
  network: 'testnet',
  subject: `wallet:${wallet}`,
  last: bodyHash,
  at,
  minute: '2026-11-23T12:00:00.000Z',
  inMinute: '115000000',
  day: '2026-11-23T00:00:00.000Z',
  inDay: '115000000',
};

export const GASLESS_BUDGET_SAMPLES: Samples = {
  GaslessBudgetReserved: [{ v: 1, data: { ...budget, bounces: 0, cooldownUntil: null } }],
  GaslessBounceCounted: [
    { v: 1, data: { ...budget, bounces: 1, cooldownUntil: '2026-11-23T12:01:00.000Z' } },
  ],
  GaslessBounceRetracted: [{ v: 1, data: { ...budget, bounces: 0, bounced: [], cooldownUntil: null } }],
};
