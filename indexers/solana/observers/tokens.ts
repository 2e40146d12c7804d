import { PublicKey, type AccountInfo } from '@solana/web3.js';
import type { SolanaToken } from '../../../contracts/chain/solana-observations';
import type { SolanaNetwork } from '../../../contracts/network';
import { wholeTokens } from '../decode/amount';
import type { Endpoints } from '../endpoints';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs';
import { readMint } from './mint';
import { metaplexAddress, tokenName } from './token-metadata';

const CHAIN_IDS: Readonly<Record<SolanaNetwork, number>> = { mainnet: 101, devnet: 103 };
/** Most accounts that `getMultipleAccounts` takes. */
const MOST_ACCOUNTS = 100;

interface Holding {
  readonly mint: string;
  readonly amount: bigint;
  readonly decimals: number;
}

/** The tokens of an owner, of both token programs, with the names and mints as they are now. */
export async function observeTokens(
  endpoints: Endpoints,
  network: SolanaNetwork,
  owner: string,
): Promise<{ height: number; data: { tokens: SolanaToken[] } }> {
  const read = await Promise.all(
    [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map(program =>
      readHoldings(endpoints, owner, new PublicKey(program)),
    ),
  );
  const holdings = byMint(read.flatMap(({ holdings }) => holdings));
  const mints = holdings.map(({ mint }) => new PublicKey(mint));
  const accounts = await readAccounts(endpoints, [...mints, ...mints.map(metaplexAddress)]);
  const tokens = holdings.map(({ mint, amount, decimals }, i): SolanaToken => {
    const found = accounts[i];
    const account = found ? readMint(found) : null;
    const whole = wholeTokens(amount, decimals);
    return {
      address: mint,
      ...tokenName(mint, account, accounts[mints.length + i]),
      decimals,
      chainId: CHAIN_IDS[network],
      amount: amount.toString(),
      uiAmount: Number(whole),
      uiAmountString: whole,
      logoURI: null,
      tags: null,
      extensions: null,
      mintAuthority: account?.mintAuthority ?? null,
      freezeAuthority: account?.freezeAuthority ?? null,
      supply: account?.supply.toString() ?? null,
      isInitialized: account?.isInitialized ?? null,
    };
  });
  // The older of the two reads: nothing before that slot is missing.
  return { height: Math.min(...read.map(({ slot }) => slot)), data: { tokens } };
}

async function readHoldings(
  endpoints: Endpoints,
  owner: string,
  programId: PublicKey,
): Promise<{ slot: number; holdings: Holding[] }> {
  const { context, value } = await endpoints.ask(({ connection }) =>
    connection.getParsedTokenAccountsByOwner(new PublicKey(owner), { programId }, 'confirmed'),
  );
  const holdings = value.map(({ account }): Holding => {
    const { mint, tokenAmount } = account.data.parsed.info;
    return { mint, amount: BigInt(tokenAmount.amount), decimals: tokenAmount.decimals };
  });
  return { slot: context.slot, holdings };
}

function byMint(holdings: readonly Holding[]): Holding[] {
  const sums = new Map<string, Holding>();
  for (const holding of holdings) {
    const sum = sums.get(holding.mint)?.amount ?? 0n;
    sums.set(holding.mint, { ...holding, amount: sum + holding.amount });
  }
  return [...sums.values()].sort((a, b) => (a.mint < b.mint ? -1 : 1));
}

async function readAccounts(
  endpoints: Endpoints,
  addresses: readonly PublicKey[],
): Promise<(AccountInfo<Buffer> | null)[]> {
  const accounts: (AccountInfo<Buffer> | null)[] = [];
  for (let at = 0; at < addresses.length; at += MOST_ACCOUNTS) {
    const page = addresses.slice(at, at + MOST_ACCOUNTS);
    accounts.push(
      ...(await endpoints.ask(({ connection }) => connection.getMultipleAccountsInfo(page, 'confirmed'))),
    );
  }
  return accounts;
}
