import {
  Address,
  beginCell,
  Cell,
  comment,
  contractAddress,
  external,
  internal,
  SendMode,
  storeStateInit,
  toNano,
  type MessageRelaxed,
  type StateInit,
} from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { Blockchain, internal as internalMessage } from '@ton/sandbox';
import {
  WalletContractV1R3,
  WalletContractV2R2,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5R1,
} from '@ton/ton';
import type { TonTransaction } from '../../../contracts/chain/ton-transaction';
import { decodeTransaction } from './decode';

const { publicKey, secretKey } = keyPairFromSeed(Buffer.alloc(32, 5));
const timeout = 0xffff_ffff;
const IGNORE_ERRORS: SendMode = SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS;
const REFUSING_ERRORS = SendMode.PAY_GAS_SEPARATELY;

interface Wallet {
  readonly address: Address;
  readonly init: StateInit;
  readonly request: (seqno: number, messages: MessageRelaxed[], sendMode: number) => Cell;
}

const create = { workchain: 0, publicKey };
const v1 = WalletContractV1R3.create(create);
const v2 = WalletContractV2R2.create(create);
const v3 = WalletContractV3R2.create(create);
const v4 = WalletContractV4.create(create);
const v5 = WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: -239 } });

const walletOf = (
  { address, init }: { address: Address; init: StateInit },
  request: Wallet['request'],
): Wallet => ({ address, init, request });
const signed = (seqno: number, messages: MessageRelaxed[], sendMode: number) => ({
  seqno,
  messages,
  sendMode,
  secretKey,
  timeout,
});
const WALLETS: Record<string, Wallet> = {
  v1: walletOf(v1, (seqno, [message], sendMode) =>
    v1.createTransfer({ seqno, secretKey, sendMode, message: message! }),
  ),
  v2: walletOf(v2, (...of) => v2.createTransfer(signed(...of))),
  v3: walletOf(v3, (...of) => v3.createTransfer(signed(...of))),
  v4: walletOf(v4, (...of) => v4.createTransfer(signed(...of))),
  v5: walletOf(v5, (...of) => v5.createTransfer(signed(...of))),
};

const SHOP = Address.parseRaw(`0:${'5a'.repeat(32)}`);
const FRIEND = Address.parseRaw(`0:${'f0'.repeat(32)}`);

let chain: Blockchain;
beforeAll(async () => {
  chain = await Blockchain.create();
});

const fund = async (to: Address, value: bigint): Promise<void> => {
  const funder = await chain.treasury('funder');
  await chain.sendMessage(internalMessage({ from: funder.address, to, value, bounce: false }));
};

/** The first transaction of the account that a message caused. */
async function executed(
  account: Address,
  message: Parameters<Blockchain['sendMessage']>[0],
): Promise<TonTransaction> {
  const { transactions } = await chain.sendMessage(message);
  const own = transactions.find(({ address }) => address === BigInt(`0x${account.hash.toString('hex')}`))!;
  return decodeTransaction(account.toRawString(), Cell.fromBoc(own.raw.toBoc())[0]!);
}

const pay = (to: Address, value: string, text: string): MessageRelaxed =>
  internal({ to, value: toNano(value), bounce: false, body: comment(text) });

describe.each(Object.entries(WALLETS))(
  'a transfer from a %s wallet',
  (version, { address, init, request }) => {
    beforeAll(() => fund(address, toNano(10)));
    const send = (seqno: number, messages: MessageRelaxed[], sendMode = IGNORE_ERRORS) =>
      executed(
        address,
        external({ to: address, body: request(seqno, messages, sendMode), ...(seqno === 0 && { init }) }),
      );

    it('leaves nothing unsent when it is sent', async () => {
      expect(await send(0, [pay(SHOP, '1', 'paid')])).toMatchObject({
        direction: 'out',
        success: true,
        walletSeqno: 0,
        skippedActions: 0,
        unsent: [],
        walletOperations: [],
        outMessages: [{ comment: 'paid' }],
      });
    });

    it('that the balance does not cover is a failure, with what was intended', async () => {
      expect(await send(1, [pay(SHOP, '500', 'too much')])).toMatchObject({
        direction: 'out',
        success: false,
        walletSeqno: 1,
        exitCode: 0,
        skippedActions: 1,
        outMessages: [],
        unsent: [
          {
            mode: 3,
            comment: 'too much',
            info: {
              type: 'internal',
              src: address.toRawString(),
              dest: SHOP.toRawString(),
              value: toNano(500).toString(),
            },
          },
        ],
      });
    });

    if (version !== 'v1')
      it('of several messages names those that were not sent, and succeeds for the rest', async () => {
        const messages = [pay(SHOP, '1', 'first'), pay(FRIEND, '500', 'second'), pay(SHOP, '1', 'first')];
        expect(await send(2, messages)).toMatchObject({
          success: true,
          skippedActions: 1,
          outMessages: [{ comment: 'first' }, { comment: 'first' }],
          unsent: [{ comment: 'second', info: { dest: FRIEND.toRawString() } }],
        });
      });
  },
);

it('a request whose action phase fails is a failure with everything unsent', async () => {
  const seqno = 3;
  const body = v4.createTransfer(
    signed(seqno, [pay(SHOP, '1', 'covered'), pay(SHOP, '500', 'not covered')], REFUSING_ERRORS),
  );
  expect(await executed(v4.address, external({ to: v4.address, body }))).toMatchObject({
    direction: 'out',
    success: false,
    actionCode: 37,
    outMessages: [],
    unsent: [{ comment: 'covered' }, { comment: 'not covered' }],
  });
});

describe('requests about the wallet itself', () => {
  const plugin = { code: beginCell().storeUint(1, 8).endCell(), data: beginCell().endCell() };
  const pluginAddress = contractAddress(0, plugin).toRawString();
  let seqno = 3; // the failed request did not count
  const asked = (action: Parameters<typeof v4.createRequest>[0]['action']) =>
    executed(
      v4.address,
      external({
        to: v4.address,
        body: v4.createRequest({ seqno: seqno++, secretKey, timeout, action }),
      }),
    );

  it('deploy, install and remove plugins of a v4 wallet', async () => {
    const deployed = await asked({
      type: 'addAndDeployPlugin',
      workchain: 0,
      stateInit: plugin,
      body: beginCell().endCell(),
      forwardAmount: toNano('0.1'),
    });
    expect(beginCell().store(storeStateInit(plugin)).endCell().hash()).toEqual(
      contractAddress(0, plugin).hash,
    );
    expect(deployed).toMatchObject({
      direction: 'out',
      walletSeqno: 3,
      walletOperations: [{ type: 'deploy_plugin', plugin: pluginAddress }],
      outMessages: [{ info: { dest: pluginAddress, value: toNano('0.1').toString() } }],
    });
    const installed = await asked({ type: 'addPlugin', address: FRIEND, forwardAmount: toNano('0.1') });
    expect(installed).toMatchObject({
      walletSeqno: 4,
      exitCode: 0,
      walletOperations: [{ type: 'install_plugin', plugin: FRIEND.toRawString() }],
    });
    const removed = await asked({ type: 'removePlugin', address: FRIEND, forwardAmount: toNano('0.1') });
    expect(removed).toMatchObject({
      walletSeqno: 5,
      exitCode: 0,
      walletOperations: [{ type: 'remove_plugin', plugin: FRIEND.toRawString() }],
    });
  });

  it('are outgoing when a plugin takes coins from a v4 wallet', async () => {
    const taker = await chain.treasury('plugin');
    await asked({ type: 'addPlugin', address: taker.address, forwardAmount: toNano('0.1') });
    const body = beginCell()
      .storeUint(0x706c7567, 32)
      .storeUint(1, 64)
      .storeCoins(toNano('0.5'))
      .storeDict(null)
      .endCell();
    const taken = await executed(
      v4.address,
      internalMessage({ from: taker.address, to: v4.address, value: toNano('0.1'), body }),
    );
    expect(taken).toMatchObject({
      direction: 'out',
      walletSeqno: null,
      outMessages: [{ info: { dest: taker.address.toRawString() } }],
    });
    const stranger = await chain.treasury('stranger');
    const refused = await executed(
      v4.address,
      internalMessage({ from: stranger.address, to: v4.address, value: toNano('0.1'), body }),
    );
    expect(refused).toMatchObject({ direction: 'in', success: true, outMessages: [] });
  });

  it('add and remove extensions of a v5 wallet, beside its transfers', async () => {
    const actions: Parameters<typeof v5.createRequest>[0]['actions'] = [
      { type: 'addExtension', address: FRIEND },
      { type: 'addExtension', address: SHOP },
      { type: 'removeExtension', address: FRIEND },
      { type: 'sendMsg', mode: IGNORE_ERRORS, outMsg: pay(SHOP, '500', 'not covered') },
    ];
    const body = v5.createRequest({ seqno: 3, secretKey, timeout, authType: 'external', actions });
    expect(await executed(v5.address, external({ to: v5.address, body }))).toMatchObject({
      direction: 'out',
      exitCode: 0,
      success: false,
      walletSeqno: 3,
      walletOperations: [
        { type: 'add_extension', extension: FRIEND.toRawString() },
        { type: 'add_extension', extension: SHOP.toRawString() },
        { type: 'remove_extension', extension: FRIEND.toRawString() },
      ],
      unsent: [{ comment: 'not covered' }],
    });
  });

  it('are outgoing when an extension of a v5 wallet sends, and say what it could not send', async () => {
    const extension = await chain.treasury('extension');
    const install = v5.createRequest({
      seqno: 4,
      secretKey,
      timeout,
      authType: 'external',
      actions: [{ type: 'addExtension', address: extension.address }],
    });
    await executed(v5.address, external({ to: v5.address, body: install }));
    const actions: Parameters<typeof v5.createRequest>[0]['actions'] = [
      { type: 'sendMsg', mode: IGNORE_ERRORS, outMsg: pay(SHOP, '500', 'by an extension') },
    ];
    const body = v5.createRequest({ seqno: 0, timeout, authType: 'extension', actions });
    const message = { to: v5.address, value: toNano('0.1'), body };
    expect(
      await executed(v5.address, internalMessage({ from: extension.address, ...message })),
    ).toMatchObject({ direction: 'out', success: false, unsent: [{ comment: 'by an extension' }] });
    const stranger = await chain.treasury('stranger');
    expect(await executed(v5.address, internalMessage({ from: stranger.address, ...message }))).toMatchObject(
      {
        direction: 'in',
        unsent: [],
      },
    );
  });
});
