import { PublicKey } from '@solana/web3.js';
import { solanaTokensObserved, type SolanaToken } from '../../../contracts/chain/solana-observations';
import type { SolanaNetwork } from '../../../contracts/network';
import { defineObservation } from '../../../contracts/observation';
import type { SolanaTokenBalance } from '../../../contracts/ports/solana-client';
import { wholeTokens } from '../decode/amount';
import { readMint } from './mint';
import { accountSubject, SOLANA_SOURCE } from './source';
import { metaplexAddress, tokenName } from './token-metadata';

const CHAIN_IDS: Readonly<Record<SolanaNetwork, number>> = { mainnet: 101, devnet: 103 };

/** The tokens of an owner, of both token programs, with the names and mints as they are now. */
export const solanaTokensObservation = defineObservation({
  kind: 'solana.tokens',
  subject: accountSubject,
  schema: solanaTokensObserved,
  source: SOLANA_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 10_000,
  async read(clients, { network, address: owner }) {
    const client = clients.solana(network);
    const { slot, value } = await client.getTokenBalances(owner);
    const balances = sumByMint(value);
    const mints = balances.map(({ mint }) => mint);
    const metadata = mints.map(mint => metaplexAddress(new PublicKey(mint)).toBase58());
    const accounts = await client.getAccounts([...mints, ...metadata]);
    const tokens = balances.map(({ mint, amount, decimals }, i): SolanaToken => {
      const account = accounts[i];
      const parsed = account ? readMint(account) : null;
      const whole = wholeTokens(amount, decimals);
      return {
        address: mint,
        ...tokenName(mint, parsed, accounts[mints.length + i]),
        decimals,
        chainId: CHAIN_IDS[network],
        amount: amount.toString(),
        uiAmount: Number(whole),
        uiAmountString: whole,
        logoURI: null,
        tags: null,
        extensions: null,
        mintAuthority: parsed?.mintAuthority ?? null,
        freezeAuthority: parsed?.freezeAuthority ?? null,
        supply: parsed?.supply.toString() ?? null,
        isInitialized: parsed?.isInitialized ?? null,
      };
    });
    return { height: slot, data: { tokens } };
  },
});

function sumByMint(balances: readonly SolanaTokenBalance[]): SolanaTokenBalance[] {
  const sums = new Map<string, SolanaTokenBalance>();
  for (const balance of balances) {
    const sum = sums.get(balance.mint)?.amount ?? 0n;
    sums.set(balance.mint, { ...balance, amount: sum + balance.amount });
  }
  return [...sums.values()].sort((a, b) => (a.mint < b.mint ? -1 : 1));
}
