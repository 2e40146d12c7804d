import { type Address, Cell, contractAddress, loadMessage } from '@ton/core';
import { rootOfSmallBag } from '../../../contracts/chain/ton-cells';
import { MAX_GASLESS_BYTES, MAX_GASLESS_CELLS } from '../../../contracts/http/ton/gasless';

/** A network takes an external message of 512 (configuration parameter 43), and one of the relay wallet has many of these below it. */
const MAX_DEPTH = 256;

interface Init {
  readonly code: Cell;
  readonly data: Cell;
}

/**
 * A signed request of a wallet as its application hands it over: in the form of an external message to the wallet, which is
 * never sent. A relayer sends the body on, with coins.
 */
export interface Carrier {
  /** Raw. */
  readonly wallet: string;
  /** Of a wallet that may not exist yet; it belongs to the address. */
  readonly init: Init | null;
  /** The same whether the message has it inline or in a reference. */
  readonly body: Cell;
  /** Of the message as it was handed over, hex. */
  readonly hash: string;
}

/** Null for anything but a plain external message to an account of the basic workchain. */
export function readCarrier(boc: Buffer): Carrier | null {
  if (boc.length > MAX_GASLESS_BYTES || !rootOfSmallBag(boc, MAX_GASLESS_CELLS)) return null;
  try {
    const cell = Cell.fromBoc(boc)[0]!;
    // A branch that is pruned outside of a proof, of which a claim of a mintless jetton has one: no network takes that.
    if (cell.level() !== 0 || cell.depth() > MAX_DEPTH) return null;
    const { info, init, body } = loadMessage(cell.beginParse());
    if (info.type !== 'external-in' || info.src || info.importFee !== 0n) return null;
    if (info.dest.workChain !== 0) return null;
    const wallet = info.dest.toRawString();
    const carrier = { wallet, init: null, body, hash: cell.hash().toString('hex') };
    if (!init) return carrier;
    const { code, data, special, splitDepth, libraries } = init;
    const isPlain = !special && splitDepth === undefined && !libraries?.size;
    if (!isPlain || !code || !data || !isOf(info.dest, { code, data })) return null;
    return { ...carrier, init: { code, data } };
  } catch {
    return null;
  }
}

const isOf = (address: Address, init: Init): boolean =>
  contractAddress(address.workChain, init).equals(address);
