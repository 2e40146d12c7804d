import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import { accountKeys, type RawTransaction } from '../../indexers/solana/raw';

type Sums = Map<string, bigint>;

const add = (sums: Sums, key: string, amount: bigint): void => {
  const sum = (sums.get(key) ?? 0n) + amount;
  if (sum === 0n) sums.delete(key);
  else sums.set(key, sum);
};

/**
 * The transfers of every account must add up to the change of the node's balances: of lamports, but for the fee of the
 * payer, and of the tokens of each mint.
 */
export function expectExplained(raw: RawTransaction, decoded: EnhancedTransaction): void {
  const keys = accountKeys(raw);
  const meta = raw.meta!;
  const [lamports, tokens, transferred, moved] = [new Map(), new Map(), new Map(), new Map()] as Sums[] as [
    Sums,
    Sums,
    Sums,
    Sums,
  ];
  keys.forEach((key, i) => add(lamports, key, BigInt(meta.postBalances[i]! - meta.preBalances[i]!)));
  add(lamports, keys[0]!, BigInt(meta.fee));
  for (const [balances, sign] of [
    [meta.preTokenBalances, -1n],
    [meta.postTokenBalances, 1n],
  ] as const)
    for (const { accountIndex, mint, uiTokenAmount } of balances ?? [])
      add(tokens, `${keys[accountIndex]} ${mint}`, sign * BigInt(uiTokenAmount.amount));
  for (const { fromUserAccount, toUserAccount, amount } of decoded.nativeTransfers) {
    if (fromUserAccount) add(transferred, fromUserAccount, -BigInt(amount));
    if (toUserAccount) add(transferred, toUserAccount, BigInt(amount));
  }
  for (const { fromTokenAccount, toTokenAccount, mint, rawAmount } of decoded.tokenTransfers) {
    if (fromTokenAccount) add(moved, `${fromTokenAccount} ${mint}`, -BigInt(rawAmount));
    if (toTokenAccount) add(moved, `${toTokenAccount} ${mint}`, BigInt(rawAmount));
  }
  expect(transferred).toEqual(lamports);
  expect(moved).toEqual(tokens);
}
