import { fromNano, type Address, type Cell, type Slice } from '@ton/core';
import { OP } from './bodies';
import { POOLS } from './contracts';

/** What a message says of tokens: an address of one of its parties, an amount, and the master that confirms it. */
export interface Meaning {
  readonly address?: string;
  readonly comment?: string;
  readonly token?: { readonly amount: string; readonly master: string };
  readonly op?: { readonly res: string; readonly options?: object };
}

export interface Parties {
  /** Raw. */
  readonly src: string;
  readonly dest: string;
  readonly isBounced: boolean;
  readonly body: Cell;
}

export type JettonWallets = ReadonlyMap<string, { readonly master: string; readonly owner: string }>;

const BOUNCE = 0xffffffff;
const NEW_BOUNCE = 0xfffffffe;

/** What a bounced message brings back of the body, in either format; the body itself of any other. */
export function effectiveBody({ body, isBounced }: Pick<Parties, 'body' | 'isBounced'>): Slice {
  const slice = body.beginParse();
  if (!isBounced) return slice;
  const marker = slice.loadUint(32);
  expect([BOUNCE, NEW_BOUNCE]).toContain(marker);
  return marker === BOUNCE ? slice : slice.loadRef().beginParse();
}

/** `amount`, `phase` and `exitCode` of a bounce of version 12 of the network; none of an older one. */
export function bounceOf(body: Cell): { amount: string; phase: string; exitCode: number } | undefined {
  const slice = body.beginParse();
  if (slice.loadUint(32) !== NEW_BOUNCE) return undefined;
  slice.loadRef();
  const amount = slice.loadRef().beginParse().loadCoins().toString();
  const phase = ['compute_skipped', 'compute', 'action'][slice.loadUint(8)]!;
  return { amount, phase, exitCode: slice.loadInt(32) };
}

/**
 * The text of a body with op 0, in as many cells as it has; undefined when it has another op, or the text is empty.
 * @param isCut a bounce may have cut a character, which is left out then
 */
export function textOf(body: Slice, isCut = false): string | undefined {
  if (body.remainingBits < 32 || body.preloadUint(32) !== 0) return undefined;
  const bytes: Buffer[] = [];
  let slice = body.clone().skip(32);
  for (;;) {
    bytes.push(slice.loadBuffer(Math.floor(slice.remainingBits / 8)));
    if (slice.remainingRefs === 0) break;
    slice = slice.loadRef().beginParse();
  }
  return new TextDecoder().decode(Buffer.concat(bytes), { stream: isCut }) || undefined;
}

const raw = (address: Address | null): string | undefined => address?.toRawString();

/** `Either Cell ^Cell` at the end of a body. */
const payloadText = (slice: Slice): string | undefined =>
  slice.remainingBits === 0 ? undefined : textOf(slice.loadBit() ? slice.loadRef().beginParse() : slice);

interface JettonBody {
  readonly amount: string;
  readonly address?: string | undefined;
  readonly comment?: string | undefined;
}

function jettonBody(op: number, slice: Slice): JettonBody {
  slice.skip(64);
  const amount = slice.loadCoins().toString();
  if (op === OP.jettonBurn || op === OP.jettonBurnNotification) return { amount };
  const address = raw(slice.loadMaybeAddress());
  if (op === OP.jettonNotification) return { amount, address, comment: payloadText(slice) };
  slice.loadMaybeAddress();
  if (op === OP.jettonTransfer) slice.loadMaybeRef();
  slice.loadCoins();
  return { amount, address, comment: payloadText(slice) };
}

/** The master in whose name a message moves jettons; undefined where it moves none. */
function masterOf(op: number, { src, dest }: Parties, wallets: JettonWallets): string | undefined {
  const [from, to] = [wallets.get(src), wallets.get(dest)];
  switch (op) {
    case OP.jettonTransfer:
    case OP.jettonBurn:
      return to?.owner === src ? to.master : undefined;
    case OP.jettonNotification:
      return from?.owner === dest ? from.master : undefined;
    case OP.jettonBurnNotification:
      return from?.master === dest ? from.master : undefined;
    default:
      return to && (to.master === src || to.master === from?.master) ? to.master : undefined;
  }
}

/** Anyone can send the message that returns what is left of coins. */
const isOfJettons = (address: string, wallets: JettonWallets): boolean =>
  wallets.has(address) || [...wallets.values()].some(({ master }) => master === address);

const JETTON_OPS: readonly number[] = [
  OP.jettonTransfer,
  OP.jettonInternalTransfer,
  OP.jettonNotification,
  OP.jettonBurn,
  OP.jettonBurnNotification,
];

function jettonMeaning(op: number, parties: Parties, slice: Slice, wallets: JettonWallets): Meaning {
  const { amount, address, comment } = jettonBody(op, slice);
  const said = comment === undefined ? {} : { comment };
  const master = masterOf(op, parties, wallets);
  if (master === undefined) return said;
  const moved = { ...said, ...(address !== undefined && { address }), token: { amount, master } };
  if (op === OP.jettonTransfer) return { ...moved, op: { res: 'tx.tokenTransfer' } };
  if (op !== OP.jettonNotification) return moved;
  return { ...moved, op: { res: address === undefined ? 'common.airdrop' : 'known.tokenReceived' } };
}

/** The `operation` of a message in the history of an account (raw), from its body and its parties alone. */
export function meaningOf(parties: Parties, account: string, wallets: JettonWallets): Meaning {
  const slice = effectiveBody(parties);
  const text = textOf(slice, parties.isBounced);
  if (text !== undefined) return { comment: text };
  if (parties.isBounced || slice.remainingBits < 32) return {};
  const op = slice.loadUint(32);
  if (JETTON_OPS.includes(op)) return jettonMeaning(op, parties, slice, wallets);
  if (op === OP.excesses) return isOfJettons(parties.src, wallets) ? { op: { res: 'known.cashback' } } : {};
  if (op === OP.nftOwnershipAssigned) {
    slice.skip(64).loadMaybeAddress();
    const comment = payloadText(slice);
    return comment === undefined ? {} : { comment };
  }
  const isSent = parties.src === account;
  const other = isSent ? parties.dest : parties.src;
  const isPool = POOLS.some(({ address }) => address.toRawString() === other);
  return (
    (isPool ? stakeMeaning(op, slice) : undefined) ?? (isSent ? cardMeaning(op, slice) : undefined) ?? {}
  );
}

/** What an account says to a pool, or a pool to it: to the pool itself, it is a message like any other. */
function stakeMeaning(op: number, slice: Slice): Meaning | undefined {
  switch (op) {
    case OP.stakeDeposit:
      return { op: { res: 'known.deposit' } };
    case OP.stakeDepositResponse:
      return { op: { res: 'known.depositOk' } };
    case OP.stakeWithdrawResponse:
      return { op: { res: 'known.withdrawAll' } };
    case OP.stakeWithdraw: {
      slice.skip(64).loadCoins();
      const coins = fromNano(slice.loadCoins());
      return {
        op: coins === '0' ? { res: 'known.withdrawAll' } : { res: 'known.withdraw', options: { coins } },
      };
    }
    default:
      return undefined;
  }
}

/** What an account asks of a card account: received, it is a message like any other. */
function cardMeaning(op: number, slice: Slice): Meaning | undefined {
  const coins = (): string => fromNano(slice.loadCoins());
  switch (op) {
    case OP.accountTopUp:
      slice.skip(64);
      return { op: { res: 'known.holders.accountTopUp', options: { amount: coins() } } };
    case OP.accountLimitsChange: {
      slice.skip(64);
      const options = { onetime: coins(), daily: coins(), monthly: coins() };
      return { op: { res: 'known.holders.accountLimitsChange', options } };
    }
    default:
      return undefined;
  }
}
