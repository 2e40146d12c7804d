import { Address, internal, type Cell, type SendMode } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import {
  WalletContractV1R3,
  WalletContractV2R2,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5Beta,
  WalletContractV5R1,
} from '@ton/ton';
import { externalRequest, internalRequest } from './wallet';

const externalSeqno = (body: Cell) => externalRequest(body)?.seqno ?? null;
const relayedSeqno = (body: Cell) => internalRequest(body)?.seqno ?? null;

const { publicKey, secretKey } = keyPairFromSeed(Buffer.alloc(32, 7));
const to = `0:${'0b'.repeat(32)}`;
const messages = (count: number) => Array.from({ length: count }, () => internal({ to, value: 1n }));
const order = (count: number) => ({ seqno: 4_321, secretKey, sendMode: 3, messages: messages(count) });

const create = { workchain: 0, publicKey };
const wallets: [string, (count: number) => Cell][] = [
  ['v2', count => WalletContractV2R2.create(create).createTransfer(order(count))],
  ['v3', count => WalletContractV3R2.create(create).createTransfer(order(count))],
  ['v4', count => WalletContractV4.create(create).createTransfer(order(count))],
  ['v5 beta', count => WalletContractV5Beta.create({ publicKey }).createTransfer(order(count))],
  ['v5', count => WalletContractV5R1.create({ publicKey }).createTransfer(order(count))],
];

describe('the sequence number that an owner signed', () => {
  it.each(wallets)('is read from a %s wallet, for any number of messages', (_version, transfer) => {
    for (const count of [0, 1, 4]) expect(externalSeqno(transfer(count))).toBe(4_321);
  });

  it('is read from a v1 wallet', () => {
    const { seqno, sendMode, messages } = order(1);
    const transfer = WalletContractV1R3.create(create).createTransfer({
      seqno,
      secretKey,
      sendMode,
      message: messages[0],
    });
    expect(externalSeqno(transfer)).toBe(4_321);
  });

  it('is read from a relayed request, in an internal message only', () => {
    const wallet = WalletContractV5R1.create({ publicKey });
    const relayed = wallet.createTransfer({ ...order(2), authType: 'internal' });
    expect(relayedSeqno(relayed)).toBe(4_321);
    expect(externalSeqno(relayed)).toBeNull();
    expect(relayedSeqno(wallet.createTransfer(order(2)))).toBeNull();
  });
});

/** The chain has the code of this wallet as a library, which the TVM of the tests lacks. */
describe('a request to the beta of wallet v5', () => {
  const wallet = WalletContractV5Beta.create({ publicKey });
  const extension = Address.parse(to);
  const actions: Parameters<WalletContractV5Beta['createRequest']>[0]['actions'] = [
    { type: 'addExtension', address: extension },
    { type: 'setIsPublicKeyEnabled', isEnabled: false },
    ...messages(2).map(outMsg => ({ type: 'sendMsg' as const, mode: 3 as SendMode, outMsg })),
  ];
  const expected = {
    operations: [
      { type: 'add_extension', extension: to },
      { type: 'set_signature_allowed', allowed: false },
    ],
    messages: [expect.objectContaining({ mode: 3 }), expect.objectContaining({ mode: 3 })],
  };

  it('has its messages and changes of the wallet', () => {
    const body = wallet.createRequest({ seqno: 9, secretKey, authType: 'external', actions });
    expect(externalRequest(body)).toEqual({ seqno: 9, ...expected });
  });

  it('has the same by an extension', () => {
    const body = wallet.createRequest({ seqno: 9, authType: 'extension', actions });
    expect(internalRequest(body)).toEqual({ seqno: null, ...expected });
  });
});
