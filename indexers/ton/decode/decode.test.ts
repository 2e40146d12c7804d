import {
  beginCell,
  Cell,
  comment,
  contractAddress,
  external,
  internal,
  SendMode,
  storeMessage,
  toNano,
} from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import {
  Blockchain,
  internal as internalMessage,
  type SandboxContract,
  type TreasuryContract,
} from '@ton/sandbox';
import { WalletContractV5R1 } from '@ton/ton';
import type { TonTransaction } from '../../../contracts/chain/ton-transaction';
import { decodeTransaction } from './decode';

const { publicKey, secretKey } = keyPairFromSeed(Buffer.alloc(32, 9));
const wallet = WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: -239 } });
const own = wallet.address.toRawString();

let chain: Blockchain;
let friend: SandboxContract<TreasuryContract>;
let seqno = 0;

const order = (to: string, body: Cell, { relayed = false, bounce = false } = {}): Cell => {
  const authType = relayed ? ('internal' as const) : ('external' as const);
  const messages = [internal({ to, value: toNano('1'), bounce, body })];
  const sendMode = SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS;
  const signed = { seqno: seqno++, secretKey, sendMode, messages, authType, timeout: 0xffff_ffff };
  return wallet.createTransfer(signed);
};

/** What the wallet did when the message came, first of its transactions first. */
async function decoded(message: Parameters<Blockchain['sendMessage']>[0]): Promise<TonTransaction[]> {
  const { transactions } = await chain.sendMessage(message);
  return transactions
    .filter(({ address }) => address === BigInt(`0x${wallet.address.hash.toString('hex')}`))
    .map(({ raw }) => decodeTransaction(own, Cell.fromBoc(raw.toBoc())[0]!));
}

const sent = (body: Cell, deploys = false) =>
  external({ to: wallet.address, body, ...(deploys && { init: wallet.init }) });

beforeAll(async () => {
  chain = await Blockchain.create();
  friend = await chain.treasury('friend');
});

describe('a decoded transaction', () => {
  it('is a success when an account without code receives value', async () => {
    const [gift] = await decoded(
      internalMessage({
        from: friend.address,
        to: wallet.address,
        value: toNano('50'),
        bounce: false,
        body: comment('gift'),
      }),
    );
    expect(gift).toMatchObject({
      account: own,
      prev: { lt: '0', hash: Buffer.alloc(32).toString('base64') },
      direction: 'in',
      success: true,
      exitCode: null,
      actionCode: null,
      external: null,
      statusAfter: 'uninitialized',
      inMessage: { comment: 'gift', info: { type: 'internal', value: '50000000000', bounced: false } },
    });
  });

  it('has the deployment of a wallet and its external message', async () => {
    const message = sent(order(friend.address.toRawString(), comment('hello')), true);
    const [first] = await decoded(message);
    const cell = beginCell().store(storeMessage(message)).endCell();
    expect(first).toMatchObject({
      direction: 'out',
      success: true,
      exitCode: 0,
      walletSeqno: 0,
      statusAfter: 'active',
      inMessage: { info: { type: 'external-in', dest: own }, init: { splitDepth: null, special: null } },
      outMessages: [{ comment: 'hello', info: { dest: friend.address.toRawString(), value: '1000000000' } }],
      external: { hash: cell.hash().toString('base64') },
    });
  });

  it('has the same normalized hash for every encoding of a message', async () => {
    const body = order(friend.address.toRawString(), comment('again'));
    const [tx] = await decoded(sent(body));
    // TEP-467: ext_in_msg_info$10, no source, destination, no fee, no state init, the body in a reference.
    const normalized = beginCell()
      .storeUint(0b10, 2)
      .storeUint(0, 2)
      .storeAddress(wallet.address)
      .storeCoins(0)
      .storeBit(false)
      .storeBit(true)
      .storeRef(body)
      .endCell();
    expect(tx!.external!.normalized).toBe(normalized.hash().toString('base64'));
  });

  it('is outgoing for a relayed request of the owner', async () => {
    const body = order(friend.address.toRawString(), comment('gasless'), { relayed: true });
    const [tx] = await decoded(
      internalMessage({ from: friend.address, to: wallet.address, value: toNano('0.1'), body }),
    );
    expect(tx).toMatchObject({ direction: 'out', walletSeqno: 2, outMessages: [{ comment: 'gasless' }] });
  });

  it('has a bounced message with the operation that was refused', async () => {
    const nowhere = `0:${'de'.repeat(32)}`;
    const body = beginCell().storeUint(0x0f8a7ea5, 32).storeUint(7, 64).storeCoins(500n).endCell();
    const [out, back] = await decoded(sent(order(nowhere, body, { bounce: true })));
    expect(out).toMatchObject({ direction: 'out', outMessages: [{ op: 0x0f8a7ea5, jetton: null }] });
    expect(back).toMatchObject({
      direction: 'in',
      success: true,
      prev: { lt: out!.lt, hash: out!.hash },
      inMessage: {
        info: { bounced: true, src: nowhere },
        op: 0x0f8a7ea5,
        comment: null,
        jetton: { type: 'bounced', of: 'transfer', queryId: '7', amount: '500' },
      },
    });
  });

  it('is a failure when the contract threw', async () => {
    const code = beginCell()
      .storeUint(0xf200 + 42, 16)
      .endCell(); // THROW 42
    const init = { code, data: beginCell().endCell() };
    const thrower = contractAddress(0, init);
    const { transactions } = await chain.sendMessage(
      internalMessage({
        from: friend.address,
        to: thrower,
        value: toNano('1'),
        bounce: true,
        stateInit: init,
      }),
    );
    expect(decodeTransaction(thrower.toRawString(), transactions[0]!.raw)).toMatchObject({
      success: false,
      exitCode: 42,
      outMessages: [{ info: { bounced: true } }],
    });
  });

  it('cannot be decoded from another cell', () => {
    expect(() => decodeTransaction(own, comment('not a transaction'))).toThrow(
      'the cell is not a transaction',
    );
  });
});
