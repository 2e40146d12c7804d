import {
  type Builder,
  type Cell,
  type CurrencyCollection,
  beginCell,
  loadCurrencyCollection,
  storeCurrencyCollection,
} from '@ton/core';
import { storeAugmented, storeAugmentedOrEmpty, type AugmentedEntry } from './augmented-dictionary';
import { CURRENCIES } from './currencies';

/** A transaction of a block, by its raw address and logical time. */
export interface BlockTransaction {
  readonly account: string;
  readonly lt: number;
  readonly cell: Cell;
}

export interface AccountBlocks {
  /** `ShardAccountBlocks` */
  readonly cell: Cell;
  /** Of all its transactions. */
  readonly fees: CurrencyCollection;
}

const NONE: AccountBlocks = {
  cell: beginCell().storeBit(false).store(storeCurrencyCollection(CURRENCIES.zero)).endCell(),
  fees: CURRENCIES.zero,
};

/** Tag and fields of a transaction before its first reference; behind that are its fees. */
const BITS_BEFORE_FEES = 4 + 256 + 64 + 256 + 64 + 32 + 15 + 2 + 2;

interface FeesAndUpdate {
  readonly fees: CurrencyCollection;
  /** Hashes of the account before and after it: `update_hashes#72 old_hash:bits256 new_hash:bits256`. */
  readonly oldHash: Buffer;
  readonly newHash: Buffer;
}

/** Reads `total_fees:CurrencyCollection state_update:^(HASH_UPDATE Account)` of a transaction. */
function readFeesAndUpdate(transaction: Cell): FeesAndUpdate {
  const slice = transaction.beginParse().skip(BITS_BEFORE_FEES);
  slice.loadRef();
  const fees = loadCurrencyCollection(slice);
  const update = slice.loadRef().beginParse().skip(8);
  return { fees, oldHash: update.loadBuffer(32), newHash: update.loadBuffer(32) };
}

/**
 * Writes `acc_trans#5 account_addr:bits256 transactions:(HashmapAug 64 ^Transaction CurrencyCollection)
 * state_update:^(HASH_UPDATE Account) = AccountBlock` of block.tlb. Fees in extra currencies, which nothing charges, would not
 * fit: those of several transactions take more than four references.
 * @param transactions of one account, by logical time
 */
function accountBlock(
  account: string,
  transactions: readonly BlockTransaction[],
): AugmentedEntry<CurrencyCollection> {
  const key = BigInt(`0x${account.slice(account.indexOf(':') + 1)}`);
  const facts = transactions.map(({ cell }) => readFeesAndUpdate(cell));
  const content = beginCell().storeUint(5, 4).storeUint(key, 256);
  const entries = transactions.map(({ lt, cell }, index) => ({
    key: BigInt(lt),
    extra: facts[index]!.fees,
    store: (to: Builder) => void to.storeRef(cell),
  }));
  const fees = storeAugmented(content, 64, entries, CURRENCIES);
  const update = beginCell()
    .storeUint(0x72, 8)
    .storeBuffer(facts[0]!.oldHash)
    .storeBuffer(facts.at(-1)!.newHash);
  content.storeRef(update);
  return { key, extra: fees, store: to => void to.storeBuilder(content) };
}

/**
 * The transactions of a block by account and logical time, every node with the sum of their fees:
 * `ShardAccountBlocks = HashmapAugE 256 AccountBlock CurrencyCollection` of block.tlb.
 * @param transactions of one workchain, by logical time
 */
export function accountBlocks(transactions: readonly BlockTransaction[]): AccountBlocks {
  if (transactions.length === 0) return NONE;
  const byAccount = new Map<string, BlockTransaction[]>();
  for (const transaction of transactions) {
    const own = byAccount.get(transaction.account);
    if (own) own.push(transaction);
    else byAccount.set(transaction.account, [transaction]);
  }
  const entries = [...byAccount].map(([account, own]) => accountBlock(account, own));
  const content = beginCell();
  const fees = storeAugmentedOrEmpty(content, 256, entries, CURRENCIES);
  return { cell: content.endCell(), fees };
}
