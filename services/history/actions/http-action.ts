import type { OwedAmount, TonAction, TonActionPart, TonAsset } from '../../../contracts/chain/ton-action';
import type { HttpTonAction } from '../../../contracts/http/history/actions';
import type { FormatAddress } from '../../../projections/ton/format-address';

function httpAsset(asset: TonAsset, format: FormatAddress): NonNullable<HttpTonAction['asset']> {
  switch (asset.type) {
    case 'jetton':
      return { type: 'jetton', master: format(asset.master) };
    case 'nft':
      return { type: 'nft', address: format(asset.address) };
    case 'ton':
    case 'extra_currency':
      return asset;
  }
}

function httpOwed(
  { asset, amount, payableAt }: OwedAmount,
  format: FormatAddress,
): NonNullable<HttpTonAction['owed']> {
  const at = payableAt === null ? null : new Date(payableAt * 1_000).toISOString();
  return { asset: httpAsset(asset, format), amount, payableAt: at };
}

function httpPart(part: TonActionPart, format: FormatAddress): HttpTonAction['parts'][number] {
  const { kind, status, sender, receiver, asset, amount, received, owed, comment, forwarded } = part;
  return {
    kind,
    status,
    sender: sender && format(sender),
    receiver: receiver && format(receiver),
    asset: asset && httpAsset(asset, format),
    amount,
    received: received && { asset: httpAsset(received.asset, format), amount: received.amount },
    ...(owed && { owed: httpOwed(owed, format) }),
    comment,
    forwarded,
  };
}

/** An action as clients read it. */
export function httpAction(action: TonAction, format: FormatAddress): HttpTonAction {
  const { lt, hash, time, fee, parts, members } = action;
  return {
    ...httpPart(action, format),
    lt,
    hash,
    time: new Date(time * 1_000).toISOString(),
    fee,
    parts: parts.map(part => httpPart(part, format)),
    members: members.map(member => ({ lt: member.lt, hash: member.hash })),
  };
}
