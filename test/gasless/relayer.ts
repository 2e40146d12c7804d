import { join } from 'node:path';
import type { Cell, SendMode } from '@ton/core';
import {
  Address,
  beginCell,
  external,
  internal,
  loadStateInit,
  storeMessage,
  storeMessageRelaxed,
  toNano,
} from '@ton/core';
import { sign } from '@ton/crypto';
import type { WalletContractV5R1 } from '@ton/ton';
import type { TonNetwork } from '../../contracts/network/network';
import type { TonClient } from '../../contracts/ports/ton-client';
import type { EventStore } from '../../contracts/ports/event-store';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { jettonTransferBody, type JettonTransfer } from '../../infra/devnet/ton/jetton/jetton';
import type { LocalWallet } from '../../infra/devnet/ton/wallets';
import { readJettonCode } from '../../indexers/ton/jetton-code';
import { createHandle } from '../../services/commands/handle';
import type { GaslessDeps, GaslessRefusal, Relayer } from '../../services/gasless/deps';
import type { ListedJetton } from '../../services/gasless/jettons/decider';
import type { JettonState } from '../../services/gasless/jettons/state';
import { estimate } from '../../services/gasless/estimate/estimate';
import { COMMISSION_VALUE, commissionBody, type Quote } from '../../services/gasless/quote/quote';
import { readCarrier } from '../../services/gasless/request/carrier';
import { readJettonMessage } from '../../services/gasless/request/jetton-message';
import { acceptSend } from '../../services/gasless/send/send';
import { silent } from '../devnet/ton';
import { temporaryFolder } from '../temporary-folder';
import type { RelayView } from './local-relay';

export interface TestRelayer {
  readonly deps: GaslessDeps;
  readonly relayer: Relayer;
  readonly store: EventStore;
  close(): Promise<void>;
}

const UNLIMITED = { perMinute: toNano(1_000), perDay: toNano(1_000) };

/** What the requests and the money of a relayer are seen with. */
export type View = Omit<RelayView, 'stop'>;

export function relayerOf(
  {
    network = 'testnet',
    client,
    emulator,
    master,
    relay,
  }: Pick<View, 'client' | 'emulator' | 'relay' | 'master'> & Partial<Pick<View, 'network'>>,
  changed: Partial<Relayer> = {},
): Relayer {
  return {
    network,
    client,
    emulator,
    key: {
      publicKey: relay.keys.publicKey,
      sign: hash => sign(hash, relay.keys.secretKey),
    },
    jettons: () => Promise.resolve([paying(master)]),
    knownStateOf: () => null,
    stateOf: rememberedState(client),
    reportChange: () => undefined,
    // One TON costs three units of the jetton, which has six decimals.
    rateOf: () => Promise.resolve({ units: 3_000_000n, nanotons: 10n ** 9n, at: new Date().toISOString() }),
    terms: { marginBasisPoints: 1_000n, minimum: 1n },
    limits: { all: UNLIMITED, wallet: UNLIMITED, source: UNLIMITED },
    minBalance: toNano(1),
    maxDeliverySeconds: 0,
    ...changed,
  };
}

/** A jetton as it is listed. */
export function paying(master: Address, changed: Partial<ListedJetton> = {}): ListedJetton {
  const listed = { decimals: 6, perTon: '3', code: null, isPaused: false, at: '', by: '' };
  return { master: master.toRawString(), ...listed, ...changed };
}

/** As programs look at it: one without recorded code has what is found when it is first needed. */
function rememberedState(
  client: Pick<TonClient, 'getLastBlock' | 'getAccount' | 'runMethod'>,
): Relayer['stateOf'] {
  const known = new Map<string, Promise<JettonState>>();
  const read = async (master: string): Promise<JettonState> => {
    const code = await readJettonCode(client, (await client.getLastBlock()).seqno, master);
    return code ? { state: 'as_listed', code } : { state: 'no_jetton' };
  };
  return ({ code, master }) => {
    if (code) return Promise.resolve({ state: 'as_listed', code });
    const reading = known.get(master) ?? read(master);
    known.set(master, reading);
    return reading;
  };
}

/** What accepts requests in a program that has a relayer: its event store and its handler of commands. */
export function gaslessDeps(
  relayer: Relayer,
  { store, handle }: Pick<GaslessDeps, 'store' | 'handle'>,
): GaslessDeps {
  return {
    relayer: network => (network === relayer.network ? relayer : null),
    store,
    handle,
    clock: () => new Date(),
    logger: silent,
  };
}

/** A relayer on a local network, with a store of its own. */
export function testRelayer(local: View, changed: Partial<Relayer> = {}): TestRelayer {
  const store = openSqliteEventStore({ path: join(temporaryFolder(), 'events.sqlite') });
  const relayer = relayerOf(local, changed);
  const deps = gaslessDeps(relayer, { store, handle: createHandle({ store }) });
  return { deps, relayer, store, close: () => store.close() };
}

export interface Wanted {
  readonly to: Address;
  readonly amount: bigint;
  readonly wallet?: LocalWallet;
  readonly value?: bigint;
  readonly bounce?: boolean;
  readonly more?: Partial<JettonTransfer>;
  readonly init?: { readonly code: Cell; readonly data: Cell };
  readonly jettonWallet?: Address;
  /** Default: that of the local network. */
  readonly master?: Address;
}

/** The message whose price an application asks for. */
export function wantedMessage(local: Pick<View, 'relay' | 'user' | 'jettonWalletOf'>, wanted: Wanted): Cell {
  const { to, amount, wallet = local.user, value = toNano('0.06'), bounce, more, init } = wanted;
  const { jettonWallet = local.jettonWalletOf(wallet.contract.address) } = wanted;
  const response = local.relay.contract.address;
  const body = jettonTransferBody({ to, amount, response, forwardValue: 1n, ...more });
  return beginCell()
    .store(storeMessageRelaxed(internal({ to: jettonWallet, value, bounce, body, init })))
    .endCell();
}

export function ask(
  { deps }: Pick<TestRelayer, 'deps'>,
  local: View,
  { wallet = local.user, ...wanted }: Wanted,
): Promise<Quote | GaslessRefusal> {
  return estimate(deps, {
    network: local.network,
    wallet: wallet.contract.address.toRawString(),
    publicKey: wallet.keys.publicKey.toString('hex'),
    master: (wanted.master ?? local.master).toRawString(),
    target: readJettonMessage(wantedMessage(local, { wallet, ...wanted }))!,
  });
}

/** @throws when there is none */
export async function quoteFor(
  relayer: Pick<TestRelayer, 'deps'>,
  local: View,
  wanted: Wanted,
): Promise<Quote> {
  const quote = await ask(relayer, local, wanted);
  if ('error' in quote) throw new Error(`${quote.error}: ${quote.detail}`);
  return quote;
}

export interface Signing {
  readonly wallet: LocalWallet;
  readonly seqno: number;
  /** Of the transfer; default: as quoted. */
  readonly amount?: bigint;
  readonly sendMode?: number;
  /** Of each message, in place of one for all. */
  readonly modes?: readonly number[];
  readonly validUntil?: number;
  /** Whether the message has the state of the wallet; default: with the first seqno. */
  readonly withState?: boolean;
  /** In place of those of the quote. */
  readonly messages?: ReturnType<typeof internal>[];
}

/** The messages of a quote as applications rebuild them: another amount, and the forward payload in a reference. */
export function rebuilt({ target, relay, commission, jettonWallet }: Quote, amount?: bigint) {
  const { transfer, init, value } = target;
  const body = jettonTransferBody({
    to: Address.parseRaw(transfer.destination),
    amount: amount ?? transfer.amount,
    response: transfer.response === null ? null : Address.parseRaw(transfer.response),
    forwardValue: transfer.forwardAmount,
    forwardPayload: transfer.forwardPayload,
    ...(transfer.customPayload && { customPayload: transfer.customPayload }),
    queryId: transfer.queryId,
  });
  const to = Address.parseRaw(jettonWallet);
  return [
    internal({ to, value, body, ...(init && { init: loadStateInit(init.beginParse()) }) }),
    internal({ to, value: COMMISSION_VALUE, body: commissionBody({ relay, commission }) }),
  ];
}

/** What an application posts: signed by the published library. */
export async function signedCarrier(quote: Quote, signing: Signing): Promise<Buffer> {
  const { wallet, seqno, amount, sendMode = 3, validUntil = Math.floor(Date.now() / 1_000) + 300 } = signing;
  const messages = signing.messages ?? rebuilt(quote, amount);
  const modeOf = (at: number) => (signing.modes?.[at] ?? sendMode) as SendMode;
  const body = await (wallet.contract as WalletContractV5R1).createRequest({
    authType: 'internal',
    seqno,
    timeout: validUntil,
    signer: wallet.signer,
    actions: messages.map((outMsg, at) => ({ type: 'sendMsg', mode: modeOf(at), outMsg })),
  });
  const { withState = seqno === 0 } = signing;
  return carrierOf(wallet, withState ? wallet.contract.init : null, body);
}

export function carrierOf(
  wallet: LocalWallet,
  init: LocalWallet['contract']['init'] | null,
  body: Cell,
): Buffer {
  return beginCell()
    .store(storeMessage(external({ to: wallet.contract.address, init, body })))
    .endCell()
    .toBoc();
}

/** Null where it is accepted. */
export function post(
  { deps }: Pick<TestRelayer, 'deps'>,
  boc: Buffer,
  { keys }: Pick<LocalWallet, 'keys'>,
  source = 'a',
  network: TonNetwork = 'testnet',
): Promise<GaslessRefusal | null> {
  const carrier = readCarrier(boc);
  if (!carrier) throw new Error('no carrier');
  return acceptSend(deps, {
    network,
    publicKey: keys.publicKey.toString('hex'),
    carrier,
    source,
  });
}
