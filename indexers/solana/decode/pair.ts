/** What moved from one account to another; one of them is `''` when it is none that the transaction names. */
export interface Pair {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

/**
 * Pairs what accounts lost with what others gained: first those of equal amounts, then in their order. The pairs of each
 * account add up to its change.
 */
export function pairChanges(changes: readonly (readonly [account: string, amount: bigint])[]): Pair[] {
  const senders = changes
    .filter(([, amount]) => amount < 0n)
    .map(([account, amount]) => ({ account, left: -amount }));
  const receivers = changes
    .filter(([, amount]) => amount > 0n)
    .map(([account, amount]) => ({ account, left: amount }));
  const pairs: Pair[] = [];
  const move = (from: (typeof senders)[number], to: (typeof senders)[number]): void => {
    const amount = from.left < to.left ? from.left : to.left;
    from.left -= amount;
    to.left -= amount;
    pairs.push({ from: from.account, to: to.account, amount });
  };
  for (const sender of senders) {
    const equal = receivers.find(({ left }) => left === sender.left);
    if (equal) move(sender, equal);
  }
  for (const sender of senders)
    for (const receiver of receivers) if (sender.left > 0n && receiver.left > 0n) move(sender, receiver);
  for (const { account, left } of senders) if (left > 0n) pairs.push({ from: account, to: '', amount: left });
  for (const { account, left } of receivers)
    if (left > 0n) pairs.push({ from: '', to: account, amount: left });
  return pairs;
}
