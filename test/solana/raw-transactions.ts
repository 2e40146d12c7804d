import type { RawTransaction } from '../../indexers/solana/raw';

const SYSTEM = '11111111111111111111111111111111';

/** A transaction that mentions accounts, in the form of JSON-RPC; the first one pays. */
export function mentioning(signature: string, ...accounts: readonly string[]): RawTransaction {
  const keys = [...accounts, SYSTEM];
  return {
    transaction: {
      signatures: [signature],
      message: { header: { numRequiredSignatures: 1 }, accountKeys: keys, instructions: [] },
    },
    meta: {
      err: null,
      fee: 5_000,
      preBalances: keys.map(() => 1_000_000),
      postBalances: keys.map((_, i) => (i === 0 ? 995_000 : 1_000_000)),
    },
    version: 'legacy',
  };
}

/** A transfer to a token account that does not mention its owner. */
export function tokensTo(
  signature: string,
  { payer, tokenAccount, owner, mint }: Record<'payer' | 'tokenAccount' | 'owner' | 'mint', string>,
): RawTransaction {
  const raw = mentioning(signature, payer, tokenAccount);
  const balance = (amount: string) => [
    { accountIndex: 1, mint, owner, uiTokenAmount: { amount, decimals: 6 } },
  ];
  return {
    ...raw,
    meta: { ...raw.meta!, preTokenBalances: balance('0'), postTokenBalances: balance('2500000') },
  };
}
