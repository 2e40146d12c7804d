import { PublicKey } from '@solana/web3.js';
import { solanaTokensObserved, type SolanaToken } from '../../../contracts/chain/solana-observations';
import type { SolanaNetwork } from '../../../contracts/network/network';
import { defineObservation } from '../../../contracts/observation/observation';
import type { SolanaAccountInfo, SolanaTokenAccount } from '../../../contracts/ports/solana-client';
import { readMint } from './mint';
import { accountSubject, SOLANA_SOURCE } from './source';
import { metaplexAddress, tokenName } from './token-metadata';
import { uiAmount } from './ui-amount';

const CHAIN_IDS: Readonly<Record<SolanaNetwork, number>> = { mainnet: 101, devnet: 103 };

const CLOCK = 'SysvarC1ock11111111111111111111111111111111';

/**
 * The tokens of an owner, of both token programs, with the names and mints as they are now. An account whose mint does not
 * exist, such as one that was left empty when its mint was closed, is no token; nodes do not list it among the parsed
 * accounts of an owner either.
 */
export const solanaTokensObservation = defineObservation({
  kind: 'solana.tokens',
  subject: accountSubject,
  schema: solanaTokensObserved,
  source: SOLANA_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 10_000,
  ages: true,
  async read(clients, { network, address: owner }) {
    const client = clients.solana(network);
    const { slot, value } = await client.getTokenAccounts(owner);
    const amounts = amountsByMint(value);
    const mints = [...amounts.keys()].sort();
    const metadata = mints.map(mint => metaplexAddress(new PublicKey(mint)).toBase58());
    // No earlier than the token accounts: a node that lags does not have a new mint yet.
    const [clock, ...accounts] = await client.getAccounts([CLOCK, ...mints, ...metadata], slot);
    const unixTime = unixTimeOf(clock);
    const tokens = mints.flatMap((mint, i): SolanaToken[] => {
      const account = accounts[i];
      const parsed = account ? readMint(account) : null;
      if (!parsed) return [];
      const amount = amounts.get(mint)!;
      const shown = uiAmount(parsed, amount, unixTime);
      return [
        {
          address: mint,
          ...tokenName(mint, parsed, accounts[mints.length + i]),
          decimals: parsed.decimals,
          chainId: CHAIN_IDS[network],
          amount: amount.toString(),
          uiAmount: shown === null ? null : Number(shown),
          uiAmountString: shown,
          logoURI: null,
          tags: null,
          extensions: null,
          mintAuthority: parsed.mintAuthority,
          freezeAuthority: parsed.freezeAuthority,
          supply: parsed.supply.toString(),
          isInitialized: true,
        },
      ];
    });
    return { height: slot, data: { tokens } };
  },
});

function amountsByMint(accounts: readonly SolanaTokenAccount[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { mint, amount } of accounts) sums.set(mint, (sums.get(mint) ?? 0n) + amount);
  return sums;
}

/** Layout: sysvar `Clock`; by it the token program knows interest and multipliers. @throws Error without it */
function unixTimeOf(clock: SolanaAccountInfo | null | undefined): bigint {
  if (!clock || clock.data.length < 40) throw new Error('the source has no clock');
  return clock.data.readBigInt64LE(32);
}
