import {
  beginCell,
  Cell,
  comment,
  contractAddress,
  external,
  internal,
  SendMode,
  toNano,
  type Address,
} from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { Blockchain, internal as internalMessage } from '@ton/sandbox';
import { WalletContractV4 } from '@ton/ton';
import { JETTON_OP } from '../../../contracts/chain/ton-jetton';
import type { TonTransaction } from '../../../contracts/chain/ton-transaction';
import { decodeTransaction } from './decode';

const { publicKey, secretKey } = keyPairFromSeed(Buffer.alloc(32, 6));
const wallet = WalletContractV4.create({ workchain: 0, publicKey });
const own = wallet.address.toRawString();
const init = {
  code: beginCell()
    .storeUint(0xf200 + 42, 16)
    .endCell(),
  data: beginCell().endCell(),
}; // THROW 42
const thrower = contractAddress(0, init);
const nobody = contractAddress(0, { ...init, data: beginCell().storeUint(1, 1).endCell() });

let chain: Blockchain;
let seqno = 0;

beforeAll(async () => {
  chain = await Blockchain.create();
  const { address: from } = await chain.treasury('funder');
  const value = toNano(10);
  await chain.sendMessage(internalMessage({ from, to: wallet.address, value, bounce: false }));
  await chain.sendMessage(internalMessage({ from, to: thrower, value, bounce: false, stateInit: init }));
});

/** What the wallet sent to a contract that refuses it, and what came back. */
async function bounced(body: Cell, extraFlags: bigint, to: Address = thrower) {
  const message = internal({ to, value: toNano('0.5'), bounce: true, body });
  if (message.info.type === 'internal') message.info.ihrFee = extraFlags;
  const request: Cell = wallet.createTransfer({
    seqno,
    secretKey,
    sendMode: SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS,
    timeout: 0xffff_ffff,
    messages: [message],
  });
  const { transactions } = await chain.sendMessage(
    external({ to: wallet.address, body: request, ...(seqno++ === 0 && { init: wallet.init }) }),
  );
  const [sent, back] = transactions
    .filter(({ address }) => address === BigInt(`0x${wallet.address.hash.toString('hex')}`))
    .map(({ raw }) => decodeTransaction(own, Cell.fromBoc(raw.toBoc())[0]!));
  return [sent!, back!] as [TonTransaction, TonTransaction];
}

const text = 'refused, with much more text than the 28 bytes that the older format returns. '.repeat(3);
const transfer = beginCell()
  .storeUint(JETTON_OP.transfer, 32)
  .storeUint(7, 64)
  .storeCoins(500n)
  .storeAddress(nobody)
  .endCell();

describe('a bounced message', () => {
  it('of the older format has the start of its body', async () => {
    const [, back] = await bounced(comment(text), 0n);
    expect(back.inMessage).toMatchObject({
      info: { bounced: true, src: thrower.toRawString(), extraFlags: 0, ihrFee: '0' },
      op: 0,
      comment: text.slice(0, 28),
      bounce: null,
    });
  });

  it('is not cut within a character', async () => {
    const [, back] = await bounced(comment('за обед, спасибо'), 0n);
    expect(back.inMessage!.comment).toBe('за обед, спасиб'.slice(0, back.inMessage!.comment!.length));
    expect(back.inMessage!.comment).not.toContain('\uFFFD');
  });

  it('of the format of version 12 says why, and what was sent', async () => {
    const [sent, back] = await bounced(comment(text), 1n);
    const [out] = sent.outMessages;
    expect(out!.info).toMatchObject({ ihrFee: '0', extraFlags: 1 });
    expect(back.inMessage).toMatchObject({
      info: { bounced: true, extraFlags: 1, ihrFee: '0' },
      op: 0,
      comment: text.slice(0, 123),
      bounce: {
        phase: 'compute',
        exitCode: 42,
        value: out!.info.type === 'internal' && out!.info.value,
        createdLt: out!.info.type === 'internal' && out!.info.createdLt,
        createdAt: sent.time,
      },
    });
  });

  it('has its whole body when the sender asked for it', async () => {
    const [, back] = await bounced(comment(text), 3n);
    expect(back.inMessage).toMatchObject({ comment: text, bounce: { phase: 'compute', exitCode: 42 } });
  });

  it('says that there was nobody to receive it', async () => {
    const [, back] = await bounced(comment('x'), 1n, nobody);
    expect(back.inMessage).toMatchObject({
      comment: 'x',
      bounce: { phase: 'compute_skipped', exitCode: -1 },
    });
  });

  it.each([0n, 1n, 3n])('has the jetton operation that was refused (flags %s)', async flags => {
    const [sent, back] = await bounced(transfer, flags);
    expect(sent.outMessages[0]!.jetton).toBeNull(); // no response address: not a transfer of TEP-74
    expect(back.inMessage).toMatchObject({
      op: JETTON_OP.transfer,
      comment: null,
      jetton: { type: 'bounced', of: 'transfer', queryId: '7', amount: '500' },
    });
  });

  it('is a failure of a transfer whose flags the network does not know', async () => {
    const [sent] = await bounced(comment('x'), 5n);
    expect(sent).toMatchObject({ success: false, outMessages: [], unsent: [{ comment: 'x' }] });
  });
});
