import type { Finality } from '../../../contracts/chain/solana';
import type { SolanaNetwork } from '../../../contracts/network';
import type { NewMessage } from '../../../contracts/ports/log';
import { ahead } from '../ahead';
import { concerned, isVote } from '../concern';
import { deadLetter, newMessage, transactionMessages } from '../messages';
import { accountKeys, type RawTransaction } from '../raw';
import type { BlockSignatures, SignatureEntry, SolanaSource } from '../source';

/** A published inclusion that may still be abandoned. */
export interface Loose {
  readonly signature: string;
  readonly slot: number;
  readonly blockhash: string;
  readonly mints: readonly string[];
}

/** What a page of an account's history says. */
export interface HistoryPage {
  readonly messages: readonly NewMessage[];
  readonly deadLetters: readonly NewMessage[];
  readonly included: readonly Loose[];
  /** Token accounts of the account that the page mentions, closed ones too. */
  readonly tokenAccounts: readonly string[];
}

const WIDTH = 4;

/**
 * Reads the listed transactions and says them as the tail would have, so that it does not matter who says them first.
 * Their place in the block is looked up in the block. Those up to `final` are final.
 * @throws Error when the source no longer has what it lists.
 */
export async function readPage(
  source: SolanaSource,
  network: SolanaNetwork,
  address: string,
  entries: readonly SignatureEntry[],
  commitment: Finality,
  final: number,
): Promise<HistoryPage> {
  const blocks = new Map<number, Promise<BlockSignatures>>();
  const blockOf = (slot: number): Promise<BlockSignatures> => {
    const block = blocks.get(slot) ?? readBlock(source, slot, commitment);
    blocks.set(slot, block);
    return block;
  };
  const read = async ({ signature }: SignatureEntry) => {
    const transaction = await source.transaction(signature, commitment);
    if (!transaction) throw new Error(`transaction ${signature} is listed but not there`);
    const block = await blockOf(transaction.slot);
    const index = block.signatures.indexOf(signature);
    if (index < 0) throw new Error(`transaction ${signature} is not in its block ${block.slot}`);
    return { raw: transaction.raw, block, index };
  };

  const messages: NewMessage[] = [];
  const deadLetters: NewMessage[] = [];
  const included: Loose[] = [];
  const tokenAccounts = new Set<string>();
  for await (const { raw, block, index } of ahead(entries, WIDTH, read)) {
    const { slot, blockhash, blockTime } = block;
    const place = { network, slot, blockhash, blockTime, index };
    const finality = slot <= final ? 'finalized' : 'confirmed';
    try {
      if (isVote(raw) || concerned(raw, new Set([address])).length === 0) continue;
      const [message] = transactionMessages(place, raw, [address], finality, 'backfill');
      messages.push(newMessage(message!));
      included.push({ signature: message!.signature, slot, blockhash, mints: message!.mints });
      for (const account of tokenAccountsOf(raw, address)) tokenAccounts.add(account);
    } catch (error) {
      deadLetters.push(deadLetter(place, raw, error));
    }
  }
  return { messages, deadLetters, included, tokenAccounts: [...tokenAccounts] };
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
