import {
  type Address,
  beginCell,
  type Cell,
  external,
  internal,
  loadStateInit,
  SendMode,
  storeMessage,
  storeMessageRelaxed,
  toNano,
} from '@ton/core';
import type { TonApiClient } from '@ton-api/client';
import type { WalletContractV5R1 } from '@ton/ton';

export interface TonapiTransfer {
  readonly wallet: WalletContractV5R1;
  readonly keys: { readonly publicKey: Buffer; readonly secretKey: Buffer };
  readonly seqno: number;
  readonly master: Address;
  readonly jettonWallet: Address;
  readonly to: Address;
  /** Smallest units. */
  readonly amount: bigint;
}

const TRANSFER = 0x0f8a7ea5;
const VALID_SECONDS = 120;

function transferBody(amount: bigint, to: Address, response: Address, forwarded: bigint): Cell {
  return beginCell()
    .storeUint(TRANSFER, 32)
    .storeUint(0, 64)
    .storeCoins(amount)
    .storeAddress(to)
    .storeAddress(response)
    .storeMaybeRef(null)
    .storeCoins(forwarded)
    .storeBit(false)
    .endCell();
}

const text = (cell: Cell | undefined): string | undefined => cell?.toBoc().toString('hex');

/**
 * Sends jettons by the published client of TonAPI, and takes no other quote than published wallets take: the message that was asked for,
 * and after it a commission in its plainest form.
 * @returns the commission
 */
export async function sendByTonapiClient(client: TonApiClient, transfer: TonapiTransfer): Promise<bigint> {
  const { wallet, keys, seqno, master, jettonWallet, to, amount } = transfer;
  const { relayAddress, gasJettons } = await client.gasless.gaslessConfig();
  expect(gasJettons.map(({ masterId }) => masterId.toRawString())).toContain(master.toRawString());
  const value = toNano('0.06');
  const body = transferBody(amount, to, relayAddress, 1n);
  const asked = internal({ to: jettonWallet, value, bounce: true, body });
  const walletPublicKey = keys.publicKey.toString('hex');
  const quote = await client.gasless.gaslessEstimate(master, {
    walletAddress: wallet.address,
    walletPublicKey,
    messages: [{ boc: beginCell().store(storeMessageRelaxed(asked)).endCell() }],
  });
  expect(quote.relayAddress.equals(relayAddress)).toBe(true);
  expect(quote.from.equals(wallet.address)).toBe(true);
  expect(quote.validUntil).toBeGreaterThan(Date.now() / 1_000);
  expect(quote.commission).toBeGreaterThan(0n);
  const [first, paid, ...others] = quote.messages;
  expect(others).toEqual([]);
  expect([first!.address.toRawString(), first!.amount, text(first!.payload), first!.stateInit]).toEqual([
    ...[jettonWallet.toRawString(), value.toString(), text(body), undefined],
  ]);
  expect([paid!.address.toRawString(), text(paid!.payload), paid!.stateInit]).toEqual([
    ...[jettonWallet.toRawString(), text(transferBody(quote.commission, relayAddress, relayAddress, 0n))],
    undefined,
  ]);
  expect(BigInt(paid!.amount)).toBeGreaterThan(0n);
  expect(BigInt(paid!.amount)).toBeLessThanOrEqual(toNano('0.05'));

  const signed = wallet.createTransfer({
    authType: 'internal',
    seqno,
    secretKey: keys.secretKey,
    timeout: Math.floor(Date.now() / 1_000) + VALID_SECONDS,
    sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
    messages: quote.messages.map(({ address, amount: coins, payload, stateInit }) =>
      internal({
        to: address,
        value: BigInt(coins),
        bounce: true,
        ...(payload && { body: payload }),
        ...(stateInit && { init: loadStateInit(stateInit.beginParse()) }),
      }),
    ),
  });
  const message = external({ to: wallet.address, init: seqno === 0 ? wallet.init : null, body: signed });
  const boc = beginCell().store(storeMessage(message)).endCell();
  await client.gasless.gaslessSend({ walletPublicKey, boc });
  return quote.commission;
}
