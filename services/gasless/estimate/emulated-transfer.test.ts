import { beginCell } from '@ton/core';
import { JETTON_OP } from '../../../contracts/chain/ton-jetton';
import type { EmulatedMessage, EmulatedTransaction, Emulation } from '../../../contracts/ports/ton-emulator';
import { costOf, type RelayedTransfer } from './emulated-transfer';

const bodyOf = (number: number) => beginCell().storeUint(number, 32).endCell();
const TRANSFER: RelayedTransfer = {
  relay: 'relay',
  wallet: 'wallet',
  jettonWallet: 'jetton wallet',
  relayJettonWallet: 'jetton wallet of relay',
  bodies: [bodyOf(1), bodyOf(2)],
  destination: 'receiver',
  amount: 1_000n,
  commission: 50n,
};

const message = (changed: Partial<EmulatedMessage>): EmulatedMessage => ({
  source: 'source',
  destination: 'destination',
  value: 100n,
  bounced: false,
  bodyHash: 'hash',
  op: null,
  ...changed,
});
const REQUEST = message({ destination: 'wallet', value: 130n });
const SENT = TRANSFER.bodies.map(body =>
  message({ destination: 'jetton wallet', bodyHash: body.hash().toString('hex'), op: JETTON_OP.transfer }),
);
const ARRIVAL = message({ op: JETTON_OP.internalTransfer });

const transaction = (changed: Partial<EmulatedTransaction>): EmulatedTransaction => ({
  account: 'account',
  parent: null,
  message: message({}),
  succeeded: true,
  exitCode: 0,
  received: null,
  sent: [],
  ...changed,
});

/** The relay wallet, the wallet, and of each transfer the jetton wallets of sender and receiver. */
const TRANSACTIONS: readonly EmulatedTransaction[] = [
  transaction({ account: 'relay', sent: [REQUEST] }),
  transaction({ account: 'wallet', parent: 0, message: REQUEST, received: 20n, sent: SENT }),
  transaction({ account: 'jetton wallet', parent: 1, message: SENT[0]!, sent: [ARRIVAL] }),
  transaction({ account: 'jetton wallet', parent: 1, message: SENT[1]!, sent: [ARRIVAL] }),
  transaction({ account: 'jetton wallet of receiver', parent: 2, message: ARRIVAL }),
  transaction({ account: 'jetton wallet of relay', parent: 3, message: ARRIVAL }),
];

/** @param changed by the place of the transaction @param count of transactions that there are */
function emulationWith(
  changed: Readonly<Record<number, Partial<EmulatedTransaction>>> = {},
  { count = TRANSACTIONS.length, earned = 50n } = {},
): Emulation {
  return {
    utime: 1,
    transactions: TRANSACTIONS.slice(0, count).map((each, at) => ({ ...each, ...changed[at] })),
    balanceOf: () => ({ before: 1_000n, after: 910n }),
    jettonsOf: () => ({ before: 7n, after: 7n + earned }),
  };
}

it('is what the wallet has used, and what the relayer has less', () =>
  expect(costOf(emulationWith(), TRANSFER)).toEqual({ used: 110n, loss: 90n }));

it('what comes back from the jetton counts, and what somebody else would send to the relayer does not', () => {
  const excess = transaction({ account: 'relay', parent: 4, message: message({ value: 30n }) });
  const receiver = transaction({ account: 'receiver', parent: 4 });
  const given = transaction({ account: 'relay', parent: 7, message: message({ value: 40n }) });
  const emulation = emulationWith();
  const transactions = [...emulation.transactions, excess, receiver, given];
  expect(costOf({ ...emulation, transactions }, TRANSFER)).toEqual({ used: 110n, loss: 130n });
});

const WALLET = TRANSACTIONS[1]!;

describe('has none, since something would not arrive:', () => {
  it.each<[string, Emulation]>([
    ['nothing happens', emulationWith({}, { count: 0 })],
    ['the relay wallet sends nothing', emulationWith({}, { count: 1 })],
    ['another account sends the request', emulationWith({ 0: { account: 'other' } })],
    ['the relay wallet fails', emulationWith({ 0: { succeeded: false } })],
    ['the relay wallet sends something else too', emulationWith({ 0: { sent: [REQUEST, REQUEST] } })],
    ['another account has the request', emulationWith({ 1: { account: 'other' } })],
    ['the wallet fails', emulationWith({ 1: { succeeded: false } })],
    ['the wallet skips the commission', emulationWith({ 1: { sent: [SENT[0]!] } })],
    ['the wallet sends more', emulationWith({ 1: { sent: [...SENT, SENT[0]!] } })],
    ['the wallet sends them in another order', emulationWith({ 1: { sent: SENT.toReversed() } })],
    [
      'the wallet sends to another jetton wallet',
      emulationWith({ 1: { sent: WALLET.sent.map(each => ({ ...each, destination: 'other' })) } }),
    ],
    ['a transfer of which nothing follows', emulationWith({}, { count: 3 })],
    ['the commission never comes to the jetton wallet', emulationWith({ 3: { parent: 4 } })],
    ['the jetton wallet refuses the transfer', emulationWith({ 2: { succeeded: false } })],
    ['the jetton wallet refuses the commission', emulationWith({ 3: { succeeded: false } })],
    ['the jetton wallet keeps the transfer', emulationWith({ 4: { message: message({}) } })],
    ['the jetton wallet keeps the commission', emulationWith({ 5: { message: message({}) } })],
    ['the receiver takes no jettons', emulationWith({ 4: { exitCode: 707 } })],
    ['the relayer takes no jettons', emulationWith({ 5: { exitCode: 707 } })],
    ['the relayer is not deployed to take them', emulationWith({ 5: { exitCode: null } })],
    ['a part of the commission is kept', emulationWith({}, { earned: 49n })],
  ])('%s', (_, emulation) => expect(costOf(emulation, TRANSFER)).toBeNull());
});

it('to the relayer itself brings the amount too', () => {
  const toRelay = { ...TRANSFER, destination: 'relay' };
  expect(costOf(emulationWith({}, { earned: 1_050n }), toRelay)).not.toBeNull();
  expect(costOf(emulationWith(), toRelay)).toBeNull();
});
