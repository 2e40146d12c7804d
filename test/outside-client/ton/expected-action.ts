import { Address, type Slice } from '@ton/core';
import type { Json } from '../program';
import { balanceChange, hashOf, sentBy, type Entry, type Internal } from './chain';
import { OP } from './bodies';
import { POOLS } from './contracts';
import { bounceOf, effectiveBody, meaningOf, textOf } from './expected-meaning';
import { TON, type Asset } from './scenario';
import { internalOf, type Outcome, type Truth } from './truth';

type Friendly = (raw: string) => string;

function assetRow(asset: Asset | null, friendly: Friendly): Json {
  switch (asset?.type) {
    case 'jetton':
      return { type: 'jetton', master: friendly(asset.master) };
    case 'nft':
      return { type: 'nft', address: friendly(asset.address) };
    default:
      return asset;
  }
}

/** What an account says of one message that its owner requested. */
function requestedPart(account: string, { part, requested, sent }: Outcome, friendly: Friendly): Json {
  const { kind, status = 'success', receiver, asset = TON, amount, forwarded = 0n, received } = part;
  const text = part.comment;
  const value = amount === 'all' ? sent!.info.value.coins : amount;
  expect(requested.info.type).toBe('internal');
  return {
    kind,
    status,
    sender: friendly(account),
    receiver: receiver && friendly(receiver.toRawString()),
    asset: assetRow(asset, friendly),
    amount: value === null ? null : value.toString(),
    received: received
      ? { asset: assetRow(received.asset, friendly), amount: received.amount.toString() }
      : null,
    comment: text ?? null,
    forwarded: forwarded.toString(),
  };
}

/** What an account says of a message of its own that came back, and that no request of its owner has sent. */
function refusedPart({ info, body }: Internal, friendly: Friendly): Json {
  const content = effectiveBody({ isBounced: true, body });
  const op = content.remainingBits < 32 ? 0 : content.preloadUint(32);
  return {
    kind: op === 0 ? 'ton_transfer' : 'call_contract',
    status: 'failed',
    sender: friendly(info.dest.toRawString()),
    receiver: friendly(info.src.toRawString()),
    asset: TON,
    amount: bounceOf(body)?.amount ?? info.value.coins.toString(),
    received: null,
    comment: textOf(content, true) ?? null,
    forwarded: '0',
  };
}

const isPool = (account: string): boolean => POOLS.some(({ address }) => address.toRawString() === account);

/** What a pool says of a request, and a member of a payment. */
function stakeKind(op: number, { src, dest }: { src: string; dest: string }): string | undefined {
  if (op === OP.stakeWithdrawResponse && isPool(src)) return 'stake_withdrawal';
  if (!isPool(dest)) return undefined;
  if (op === OP.stakeDeposit) return 'stake_deposit';
  return op === OP.stakeWithdraw ? 'stake_withdrawal_request' : undefined;
}

/** Nanotons; null for all of it. */
function stakeAsked(request: Slice): string | null {
  const body = request.clone().skip(32 + 64);
  body.loadCoins();
  const stake = body.loadCoins().toString();
  return stake === '0' ? null : stake;
}

/** What an account says of a message of another one. */
function receivedPart(truth: Truth, entry: Entry, message: Internal, friendly: Friendly): Json {
  const { info, body } = message;
  if (info.bounced) return refusedPart(message, friendly);
  const [src, dest] = [info.src.toRawString(), entry.account];
  const parties = { src, dest, isBounced: false, body };
  const { token, address, comment } = meaningOf(parties, dest, truth.jettonWallets);
  const common = {
    status: truth.status(entry),
    receiver: friendly(dest),
    received: null,
    forwarded: '0',
  };
  const content = effectiveBody(parties);
  const op = content.remainingBits < 32 ? 0 : content.preloadUint(32);
  if (token && op === OP.jettonNotification)
    return {
      ...common,
      kind: address === undefined ? 'jetton_mint' : 'jetton_transfer',
      sender: address === undefined ? null : friendly(address),
      asset: { type: 'jetton', master: friendly(token.master) },
      amount: token.amount,
      comment: comment ?? null,
    };
  const deploys = message.init && entry.tx.oldStatus !== 'active' && entry.tx.endStatus === 'active';
  const kind = deploys ? 'contract_deploy' : op === 0 ? 'ton_transfer' : 'call_contract';
  return {
    ...common,
    kind: stakeKind(op, parties) ?? kind,
    sender: friendly(src),
    asset: TON,
    amount: op === OP.stakeWithdraw && isPool(dest) ? stakeAsked(content) : info.value.coins.toString(),
    comment: textOf(content) ?? null,
  };
}

/** An own transaction that sent nothing. */
function callOfItself({ account, tx }: Entry, friendly: Friendly, status: string): Json {
  return {
    kind: tx.oldStatus !== 'active' && tx.endStatus === 'active' ? 'contract_deploy' : 'call_contract',
    status,
    sender: friendly(account),
    receiver: friendly(account),
    asset: null,
    amount: null,
    received: null,
    comment: null,
    forwarded: '0',
  };
}

const unless = <T>(values: readonly T[], otherwise: T): T =>
  values.every(value => JSON.stringify(value) === JSON.stringify(values[0])) ? values[0]! : otherwise;

/** Several parts as one. */
function together(parts: readonly Json[]): Json {
  if (parts.length === 1) return parts[0];
  const of = (field: string): Json[] => parts.map(part => part[field]);
  const sum = (field: string): string => String(of(field).reduce((total, each) => total + BigInt(each), 0n));
  const asset = unless(of('asset'), null);
  return {
    kind: unless(of('kind'), 'batch'),
    status: of('status').includes('failed') ? 'failed' : 'success',
    sender: parts[0].sender,
    receiver: unless(of('receiver'), null),
    asset,
    amount: asset && !of('amount').includes(null) ? sum('amount') : null,
    received: null,
    comment: unless(of('comment'), null),
    forwarded: sum('forwarded'),
  };
}

/** Nanotons that a requested message took from its sender for somebody who is named. */
function spent({ part, sent }: Outcome): bigint {
  if (!sent) return 0n;
  const { kind, status, asset = TON, amount, forwarded = 0n, received, isLost = false } = part;
  const value = amount === 'all' ? sent.info.value.coins : (amount ?? 0n);
  if (status === 'failed') return isLost ? value : 0n;
  if (kind === 'stake_withdrawal') return -value;
  if (kind === 'stake_withdrawal_request') return 0n;
  // What is sent to oneself stays.
  const moved = asset?.type === 'ton' && !part.receiver?.equals(sent.info.src) ? value : 0n;
  return moved + forwarded - (received?.asset.type === 'ton' ? received.amount : 0n);
}

/** The fee is what the balance of the owner lost, and nobody who is named got. */
function feeOf(truth: Truth, entry: Entry): bigint {
  if (!truth.isOwn(entry)) {
    const value = internalOf(entry.tx.inMessage)?.info.value.coins ?? 0n;
    const sent = sentBy(entry).map(({ info }) => info.value.coins);
    return value - sent.reduce((sum, each) => sum + each, 0n) - balanceChange(entry);
  }
  const relayed = internalOf(entry.tx.inMessage)?.info.value.coins ?? 0n;
  const taken = truth.outcomes(entry).reduce((sum, outcome) => sum + spent(outcome), 0n);
  return relayed - truth.change(entry) - taken;
}

/** What `GET /actions` must say of a transaction and all that it caused. */
export function expectedAction(truth: Truth, entry: Entry): Json {
  const { tx, account } = entry;
  const friendly: Friendly = raw => truth.scenario.friendly(Address.parseRaw(raw));
  const outcomes = truth.outcomes(entry);
  const received = internalOf(tx.inMessage);
  const parts: Json[] = !truth.isOwn(entry)
    ? [receivedPart(truth, entry, received!, friendly)]
    : outcomes.length > 0
      ? outcomes.map(outcome => requestedPart(account, outcome, friendly))
      : [callOfItself(entry, friendly, truth.status(entry))];
  return {
    ...together(parts),
    lt: tx.lt.toString(),
    hash: hashOf(entry),
    time: new Date(tx.now * 1_000).toISOString(),
    fee: feeOf(truth, entry).toString(),
    parts,
    members: truth
      .members(entry)
      .map(member => ({ lt: member.tx.lt.toString(), hash: hashOf(member) }))
      .sort((a, b) => Number(BigInt(a.lt) - BigInt(b.lt))),
  };
}
