import {
  Address,
  beginCell,
  Cell,
  external,
  internal,
  loadStateInit,
  SendMode,
  storeMessage,
  storeMessageRelaxed,
  toNano,
  type MessageRelaxed,
  type StateInit,
} from '@ton/core';
import type { KeyPair } from '@ton/crypto';
import type { WalletContractV5R1 } from '@ton/ton';

export interface GaslessWallet {
  readonly contract: WalletContractV5R1;
  readonly keys: Pick<KeyPair, 'publicKey' | 'secretKey'>;
}

export interface GaslessTransfer {
  readonly jettonWallet: Address;
  readonly to: Address;
  /** Smallest units, as the user has typed them. */
  readonly amount: bigint;
  /** Of a mintless jetton. */
  readonly claim?: { readonly customPayload: Cell; readonly stateInit: StateInit };
}

interface QuotedMessage {
  readonly address: string;
  readonly amount: string;
  readonly payload?: string | null;
  readonly stateInit?: string | null;
}
export type GaslessQuote =
  | {
      readonly ok: true;
      readonly relay_address: string;
      readonly commission: string;
      readonly from: string;
      readonly valid_until: number;
      readonly messages: readonly QuotedMessage[];
    }
  | { readonly ok: false; readonly error: string };

const VALID_SECONDS = 300;
const TRANSFER = 0x0f8a7ea5;

/** A wallet application that knows the published library, and nothing of the program but its answers. */
export class GaslessClient {
  constructor(
    private readonly url: string,
    private readonly network: 'mainnet' | 'testnet',
  ) {}

  config(): Promise<{
    readonly gas_jettons: { readonly master_id: string }[];
    readonly relay_address: string;
  }> {
    return this.call('config');
  }

  /** Asks for a unit less than what was typed, as the application does. */
  async estimate(
    { contract, keys }: GaslessWallet,
    master: Address,
    transfer: GaslessTransfer,
  ): Promise<GaslessQuote> {
    const { relay_address } = await this.config();
    const { jettonWallet, to, amount, claim } = transfer;
    const body = beginCell()
      .storeUint(TRANSFER, 32)
      .storeUint(0, 64)
      .storeCoins(amount - 1n)
      .storeAddress(to)
      .storeAddress(Address.parse(relay_address))
      .storeMaybeRef(claim?.customPayload)
      .storeCoins(1)
      .storeMaybeRef(null)
      .endCell();
    const value = toNano(claim ? '0.15' : '0.06');
    const message = internal({ to: jettonWallet, value, bounce: true, body, init: claim?.stateInit });
    const boc = beginCell().store(storeMessageRelaxed(message)).endCell().toBoc().toString('hex');
    return this.call('estimate', {
      data: {
        wallet_address: contract.address.toRawString(),
        wallet_public_key: keys.publicKey.toString('hex'),
        messages: [{ boc }],
      },
      master: master.toRawString(),
    });
  }

  /** What is posted: the messages, signed by the wallet, in an external message that nobody sends. */
  request({ contract, keys }: GaslessWallet, messages: readonly QuotedMessage[], seqno: number) {
    const body = contract.createTransfer({
      authType: 'internal',
      seqno,
      secretKey: keys.secretKey,
      timeout: Math.floor(Date.now() / 1_000) + VALID_SECONDS,
      sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
      messages: messages.map(relaxed),
    });
    const message = external({ to: contract.address, init: seqno === 0 ? contract.init : null, body });
    const cell = beginCell().store(storeMessage(message)).endCell();
    return { wallet_public_key: keys.publicKey.toString('hex'), boc: cell.toBoc().toString('hex') };
  }

  send(request: { readonly wallet_public_key: string; readonly boc: string }): Promise<{ ok: boolean }> {
    return this.call('send', request);
  }

  private async call<Answer>(path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.url}/gasless/${this.network}/${path}`, {
      ...(body && {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  }
}

function relaxed({ address, amount, payload, stateInit }: QuotedMessage): MessageRelaxed {
  return internal({
    to: Address.parse(address),
    value: BigInt(amount),
    bounce: true,
    ...(payload && { body: Cell.fromHex(payload) }),
    ...(stateInit && { init: loadStateInit(Cell.fromHex(stateInit).beginParse()) }),
  });
}

/**
 * Adds the unit that was left off, as the application does: it writes the transfer again, with what is forwarded in a reference
 * of its own also where there is nothing.
 */
export function withTypedAmount({
  messages,
}: GaslessQuote & { readonly ok: true }): readonly QuotedMessage[] {
  const [target, ...others] = messages;
  const slice = Cell.fromHex(target!.payload!).beginParse();
  const head = beginCell().storeUint(slice.loadUint(32), 32).storeUint(slice.loadUintBig(64), 64);
  const amount = slice.loadCoins() + 1n;
  const body = head
    .storeCoins(amount)
    .storeAddress(slice.loadAddress())
    .storeAddress(slice.loadAddress())
    .storeMaybeRef(slice.loadMaybeRef())
    .storeCoins(slice.loadCoins())
    .storeBit(true)
    .storeRef(slice.loadBit() ? slice.loadRef() : slice.asCell())
    .endCell();
  return [{ ...target!, payload: body.toBoc().toString('hex') }, ...others];
}
