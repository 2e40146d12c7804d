import type { Finality } from '../../../contracts/chain/solana';
import type { SolanaNetwork } from '../../../contracts/network';
import type { NewMessage } from '../../../contracts/ports/log';
import { concurrentMap } from '../../concurrent-map';
import { affectedAccounts, isVote } from '../affected-accounts';
import { accountKeys, type RawTransaction } from '../raw';
import { deadLetter, newMessage, transactionMessages } from '../records';
import type { BlockSignatures, SignatureEntry, SolanaSource } from '../source';

/** A published transaction in the block that includes it, which may be abandoned. */
export interface Inclusion {
  readonly signature: string;
  readonly slot: number;
  readonly blockhash: string;
  readonly mints: readonly string[];
}

/** The records of a page of an account's history. */
interface HistoryPage {
  readonly records: readonly NewMessage[];
  readonly deadLetters: readonly NewMessage[];
  readonly included: readonly Inclusion[];
  /** Token accounts of the account that the page mentions, closed ones too. */
  readonly tokenAccounts: readonly string[];
}

const CONCURRENCY = 4;

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
  const blocks = new Map<number, Promise<BlockSignatures>>();
  const blockOf = (slot: number): Promise<BlockSignatures> => {
    const block = blocks.get(slot) ?? readBlock(source, slot, commitment);
    blocks.set(slot, block);
    return block;
  };
  const read = async ({ signature }: SignatureEntry) => {
    const transaction = await source.transaction(signature, commitment);
    if (!transaction) throw new Error(`transaction ${signature} is listed but not found`);
    const block = await blockOf(transaction.slot);
    const index = block.signatures.indexOf(signature);
    if (index < 0) throw new Error(`transaction ${signature} is not in its block ${block.slot}`);
    return { raw: transaction.raw, block, index };
  };

  const records: NewMessage[] = [];
  const deadLetters: NewMessage[] = [];
  const included: Inclusion[] = [];
  const tokenAccounts = new Set<string>();
  for await (const { raw, block, index } of concurrentMap(entries, CONCURRENCY, read)) {
    const { slot, blockhash, blockTime } = block;
    const origin = { network, slot, blockhash, blockTime, index };
    const finality = slot <= finalSlot ? 'finalized' : 'confirmed';
    try {
      if (isVote(raw) || affectedAccounts(raw, new Set([address])).length === 0) continue;
      const [message] = transactionMessages(origin, raw, [address], finality, 'backfill');
      records.push(newMessage(message!));
      included.push({ signature: message!.signature, slot, blockhash, mints: message!.mints });
      for (const account of tokenAccountsOf(raw, address)) tokenAccounts.add(account);
    } catch (error) {
      deadLetters.push(deadLetter(origin, raw, error));
    }
  }
  return { records, deadLetters, included, tokenAccounts: [...tokenAccounts] };
}

async function readBlock(source: SolanaSource, slot: number, commitment: Finality): Promise<BlockSignatures> {
  const outcome = await source.blockSignatures(slot, commitment);
  if ('absent' in outcome) throw new Error(`block ${slot} of a listed transaction is ${outcome.absent}`);
  return outcome.found;
}

function tokenAccountsOf(raw: RawTransaction, owner: string): string[] {
  const keys = accountKeys(raw);
  const balances = [...(raw.meta?.preTokenBalances ?? []), ...(raw.meta?.postTokenBalances ?? [])];
  return balances.filter(balance => balance.owner === owner).map(({ accountIndex }) => keys[accountIndex]!);
}
