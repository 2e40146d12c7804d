import { Address, Dictionary, type Cell, type Message } from '@ton/core';
import type { TonMessage, UnsentMessage } from '../../../contracts/chain/ton-transaction';
import { decodeContent } from './message';
import type { RequestedMessage } from './wallet-request';

const MAX_CURRENCY_CELLS = 256;

/** The number of cells in a tree, where a cell counts as often as it is referred to; anything above `max` when there are more. */
function treeSize(cell: Cell, max: number): number {
  let size = 1;
  for (const ref of cell.refs) {
    if (size > max) break;
    size += treeSize(ref, max - size);
  }
  return size;
}

/** Amounts by currency id. A dictionary of few cells can have endless entries: then it is not read. */
function extraCurrencies(dictionary: Cell | null): { other?: Dictionary<number, bigint> } {
  if (!dictionary || treeSize(dictionary, MAX_CURRENCY_CELLS) > MAX_CURRENCY_CELLS) return {};
  const keys = Dictionary.Keys.Uint(32);
  return { other: Dictionary.loadDirect(keys, Dictionary.Values.BigVarUint(5), dictionary) };
}

/**
 * An internal `MessageRelaxed` without its state init; null for other messages and malformed ones. The chain has checked
 * nothing in it.
 */
function requestedMessage(cell: Cell, src: Address): Message | null {
  try {
    const slice = cell.beginParse();
    if (slice.loadBit()) return null;
    const ihrDisabled = slice.loadBit();
    const bounce = slice.loadBit();
    slice.skip(1); // bounced
    slice.loadMaybeAddress(); // the source, which the wallet sets
    const dest = slice.loadAddress();
    const coins = slice.loadCoins();
    const other = extraCurrencies(slice.loadMaybeRef());
    slice.loadCoins(); // extra flags
    slice.loadCoins(); // forward fee
    slice.skip(64 + 32); // time of creation
    if (slice.loadBit()) skipStateInit(slice);
    const body = slice.loadBit() ? slice.loadRef() : slice.asCell();
    return {
      info: {
        type: 'internal',
        ihrDisabled,
        bounce,
        bounced: false,
        src,
        dest,
        value: { coins, ...other },
        ihrFee: 0n,
        forwardFee: 0n,
        createdLt: 0n,
        createdAt: 0,
      },
      init: null,
      body,
    };
  } catch {
    return null;
  }
}

function skipStateInit(slice: ReturnType<Cell['beginParse']>): void {
  if (slice.loadBit()) {
    slice.loadRef();
    return;
  }
  if (slice.loadBit()) slice.skip(5); // split depth
  if (slice.loadBit()) slice.skip(2); // tick and tock
  for (let field = 0; field < 3; field++) slice.loadMaybeRef(); // code, data, libraries
}

const keyOf = (dest: string, body: string): string => `${dest}/${body}`;

/** Those requested messages of an account that are not among the sent ones: same receiver and body, each counted once. */
export function unsentMessages(
  account: string,
  requested: readonly RequestedMessage[],
  sent: readonly TonMessage[],
): UnsentMessage[] {
  const left = new Map<string, number>();
  for (const { info, body } of sent) {
    if (info.type !== 'internal') continue;
    const key = keyOf(info.dest, body);
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  const src = Address.parseRaw(account);
  return requested.flatMap(({ mode, cell }) => {
    const message = requestedMessage(cell, src);
    if (message?.info.type !== 'internal') return [];
    const unsent = { mode, ...decodeContent(message) };
    const key = keyOf(message.info.dest.toRawString(), unsent.body);
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count > 0 ? [] : [unsent];
  });
}
