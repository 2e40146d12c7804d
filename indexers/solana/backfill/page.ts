import type { Finality } from '../../../contracts/chain/solana';
import type { SolanaNetwork } from '../../../contracts/network/network';
import type { NewMessage } from '../../../contracts/ports/log';
import { affectedAccounts, isConsensusVote } from '../affected-accounts';
import { accountKeys, type RawTransaction } from '../raw';
import { deadLetter, seenTransaction, transactionRecords } from '../records';
import type { BlockSignatures, Found, SignatureEntry, SolanaSource } from '../source';

/** A published transaction in the block that includes it, which may be abandoned. */
export interface Inclusion {
  readonly signature: string;
  readonly slot: number;
  readonly blockhash: string;
  readonly mints: readonly string[];
}

/** What tells inclusions apart: a signature may be included again, in another block. */
export function inclusionId({ signature, blockhash }: Inclusion): string {
  return `${signature}/${blockhash}`;
}

/** The records of a page of an account's history. */
interface HistoryPage {
  readonly records: readonly NewMessage[];
  readonly deadLetters: readonly NewMessage[];
  readonly included: readonly Inclusion[];
  /** Token accounts of the account that the page mentions, closed ones too. */
  readonly tokenAccounts: readonly string[];
}

/** A transaction, the block that includes it, and its index there. */
interface Located {
  readonly raw: RawTransaction;
  readonly block: Omit<BlockSignatures, 'signatures'>;
  readonly index: number;
}

/** Transactions of one slot from which on its whole block, of a few megabytes, is cheaper than a call for each. */
const WHOLE_BLOCK_FROM = 20;

/**
 * Reads the listed transactions as the same records as the tail's, so that their order does not matter. The index in the
 * block is looked up in the block. Slots up to `finalSlot` are final.
 * @throws Error when the source no longer has what it lists.
 */
export async function readPage(
  source: SolanaSource,
  network: SolanaNetwork,
  address: string,
  entries: readonly SignatureEntry[],
  commitment: Finality,
  finalSlot: number,
): Promise<HistoryPage> {
  const records: NewMessage[] = [];
  const deadLetters: NewMessage[] = [];
  const included: Inclusion[] = [];
  const tokenAccounts = new Set<string>();
  for (const { raw, block, index } of await locate(source, entries, commitment)) {
    const { slot, blockhash, blockTime } = block;
    const origin = { network, slot, blockhash, blockTime, index };
    const finality = slot <= finalSlot ? 'finalized' : 'confirmed';
    try {
      if (isConsensusVote(raw) || affectedAccounts(raw, new Set([address])).length === 0) continue;
      const seen = seenTransaction(origin, raw, [address], finality, 'backfill');
      records.push(...transactionRecords([seen]));
      included.push({
        signature: seen.shared.signature,
        slot,
        blockhash,
        mints: seen.accounts[0]!.mints,
      });
      for (const account of tokenAccountsOf(raw, address)) tokenAccounts.add(account);
    } catch (error) {
      deadLetters.push(deadLetter(origin, raw, error));
    }
  }
  return { records, deadLetters, included, tokenAccounts: [...tokenAccounts] };
}

/** The listed transactions in the order of the list: from their whole block where many share one, else one by one. */
async function locate(
  source: SolanaSource,
  entries: readonly SignatureEntry[],
  commitment: Finality,
): Promise<Located[]> {
  const located = new Map<string, Located>();
  for (const slot of sharedSlots(entries))
    for (const each of await readWholeBlock(source, slot, commitment))
      located.set(each.raw.transaction.signatures[0]!, each);
  const rest = entries.map(({ signature }) => signature).filter(signature => !located.has(signature));
  for (const each of await readOneByOne(source, rest, commitment))
    located.set(each.raw.transaction.signatures[0]!, each);
  return entries.map(({ signature }) => located.get(signature)!);
}

function sharedSlots(entries: readonly SignatureEntry[]): number[] {
  const counts = new Map<number, number>();
  for (const { slot } of entries) counts.set(slot, (counts.get(slot) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= WHOLE_BLOCK_FROM).map(([slot]) => slot);
}

async function readWholeBlock(
  source: SolanaSource,
  slot: number,
  commitment: Finality,
): Promise<readonly Located[]> {
  const block = foundBlock(slot, await source.block(slot, commitment));
  return Array.from(block.transactions, (raw, index) => ({ raw, block, index }));
}

async function readOneByOne(
  source: SolanaSource,
  signatures: readonly string[],
  commitment: Finality,
): Promise<readonly Located[]> {
  if (signatures.length === 0) return [];
  const transactions = (await source.transactions(signatures, commitment)).map((transaction, n) => {
    if (!transaction) throw new Error(`transaction ${signatures[n]} is listed but not found`);
    return { signature: signatures[n]!, ...transaction };
  });
  const slots = [...new Set(transactions.map(({ slot }) => slot))];
  const outcomes = await source.blockSignatures(slots, commitment);
  const blocks = new Map(slots.map((slot, n) => [slot, foundBlock(slot, outcomes[n]!)]));
  return transactions.map(({ signature, slot, raw }) => {
    const block = blocks.get(slot)!;
    const index = block.signatures.indexOf(signature);
    if (index < 0) throw new Error(`transaction ${signature} is not in its block ${slot}`);
    return { raw, block, index };
  });
}

function foundBlock<Block>(slot: number, outcome: Found<Block>): Block {
  if ('absent' in outcome) throw new Error(`block ${slot} of a listed transaction is ${outcome.absent}`);
  return outcome.found;
}

function tokenAccountsOf(raw: RawTransaction, owner: string): string[] {
  const keys = accountKeys(raw);
  const balances = [...(raw.meta?.preTokenBalances ?? []), ...(raw.meta?.postTokenBalances ?? [])];
  return balances.filter(balance => balance.owner === owner).map(({ accountIndex }) => keys[accountIndex]!);
}
