import { Cell } from '@ton/core';
import type { z } from 'zod';
import { formatTonAddress } from '../../contracts/account/address';
import { decodeAnyBase64 } from '../../contracts/encoding/base64';
import * as v4 from '../../contracts/chain/ton-v4';
import type { NodeRead } from '../../contracts/ports/ton-nodes';

/**
 * Reads of the nodes, each with one spelling, so that it is cached once. Addresses are raw, numbers decimal. An answer has to
 * be about what was asked.
 */

const MASTERCHAIN = -1;

/** The spelling that open-source servers take: they know neither raw nor test-only addresses. */
const friendly = (raw: string): string => formatTonAddress(raw, 'mainnet');

/** Null for `{exist: false}`. */
const orNull =
  <S extends z.ZodType>(schema: S) =>
  (json: unknown): z.output<S> | null =>
    v4.noBlock.safeParse(json).success ? null : schema.parse(json);

function masterchainOf({ block: { shards } }: v4.Block): v4.BlockId {
  const found = shards.find(({ workchain }) => workchain === MASTERCHAIN);
  if (!found) throw new Error('there is no masterchain block');
  return found;
}

/** @throws Error unless the answer is as of this block of the masterchain */
function requireBlock({ workchain, seqno }: v4.BlockId, asked: number): void {
  if (workchain !== MASTERCHAIN || seqno !== asked) throw new Error('it is of another block');
}

const whole = orNull(v4.block);

/** A whole block of the masterchain, with its shards. Null when the node does not have it. */
export function readBlock(seqno: number): NodeRead<v4.Block> {
  return {
    path: `/block/${seqno}`,
    parse(json) {
      const answer = whole(json);
      if (answer) requireBlock(masterchainOf(answer), seqno);
      return answer;
    },
    blockOf: masterchainOf,
  };
}

/** The last block of the masterchain that is not newer than a time (Unix seconds). */
export function readBlockAtTime(utime: number): NodeRead<v4.Block> {
  return { path: `/block/utime/${utime}`, parse: whole, blockOf: masterchainOf };
}

/** An answer that names its block. */
function readAsOf<S extends z.ZodType<{ readonly block: v4.BlockId }>>(
  seqno: number,
  path: string,
  schema: S,
): NodeRead<z.output<S>> {
  const parse = orNull(schema);
  return {
    path: `/block/${seqno}/${path}`,
    parse(json) {
      const answer = parse(json);
      if (answer) requireBlock(answer.block, seqno);
      return answer;
    },
    blockOf: ({ block }) => block,
  };
}

type Answer<S extends z.ZodType> = NodeRead<z.output<S>>;

export function readAccount(seqno: number, address: string): Answer<typeof v4.account> {
  return readAsOf(seqno, friendly(address), v4.account);
}

export function readAccountLite(seqno: number, address: string): Answer<typeof v4.accountLite> {
  return { path: `/block/${seqno}/${friendly(address)}/lite`, parse: orNull(v4.accountLite) };
}

export function readAccountChanged(
  seqno: number,
  address: string,
  lt: string,
): Answer<typeof v4.accountChanged> {
  return readAsOf(seqno, `${friendly(address)}/changed/${BigInt(lt)}`, v4.accountChanged);
}

/** @param ids separated by commas; default: all parameters */
export function readConfig(seqno: number, ids?: string): Answer<typeof v4.networkConfig> {
  const given = ids === undefined ? [] : [...new Set(ids.split(',').map(Number))].sort((a, b) => a - b);
  const tail = given.length === 0 ? '' : `/${given.join(',')}`;
  return { path: `/block/${seqno}/config${tail}`, parse: orNull(v4.networkConfig) };
}

/** @param args a tuple as a bag of cells, in base64 */
export function readMethod(
  seqno: number,
  address: string,
  method: string,
  args?: string,
): Answer<typeof v4.methodResult> {
  const tail = args === undefined ? '' : `/${decodeAnyBase64(args)!.toString('base64url')}`;
  return readAsOf(seqno, `${friendly(address)}/run/${encodeURIComponent(method)}${tail}`, v4.methodResult);
}

/** @param hash of the first transaction */
export function readTransactions(
  address: string,
  lt: string,
  hash: Buffer,
): Answer<typeof v4.transactionPage> {
  return {
    path: `/account/${friendly(address)}/tx/${BigInt(lt)}/${hash.toString('base64url')}`,
    byHash: true,
    parse(json) {
      const page = v4.transactionPage.parse(json);
      const roots = Cell.fromBoc(Buffer.from(page.boc, 'base64'));
      if (!roots[0]?.hash().equals(hash) || roots.length < page.blocks.length)
        throw new Error('it does not begin with the transaction asked for');
      return page;
    },
  };
}

/** @param hash of the first transaction @param count how many; default: as many as the node likes */
export function readParsedTransactions(
  address: string,
  lt: string,
  hash: Buffer,
  count?: string,
): Answer<typeof v4.parsedTransactionPage> {
  const query = count === undefined ? '' : `?count=${count}`;
  return {
    path: `/account/${friendly(address)}/tx/parsed/${BigInt(lt)}/${hash.toString('base64url')}${query}`,
    byHash: true,
    parse(json) {
      const page = v4.parsedTransactionPage.parse(json);
      const [first] = page.transactions;
      if (!first || !Buffer.from(first.hash, 'base64').equals(hash))
        throw new Error('it does not begin with the transaction asked for');
      return page;
    },
  };
}
