import type { TupleItem, TupleReader } from '@ton/core';
import { GetMethodFailed, type TonClient } from '../../contracts/ports/ton-client';

/** Failures of a method, with a source that answers otherwise, before the contract is held responsible. */
const MAX_FAILURES = 2;

/** The contract of the network's configuration, which every network has. */
const CONFIG_CONTRACT = `-1:${'5'.repeat(64)}`;

/**
 * Runs a get method of a contract that may be hostile. `value` is null when the contract fails, is absent (`ran` is
 * then false), or answers with something else.
 */
export async function askContract<T>(
  client: Pick<TonClient, 'runMethod'>,
  seqno: number,
  address: string,
  method: string,
  args: readonly TupleItem[],
  read: (stack: TupleReader) => T,
): Promise<{ readonly value: T | null; readonly ran: boolean }> {
  for (let failures = 1; ; failures++) {
    let stack: TupleReader;
    try {
      stack = await client.runMethod(seqno, address, method, args);
    } catch (error) {
      if (error instanceof GetMethodFailed) return { value: null, ran: error.exitCode > 0 };
      if (!(await answers(client, seqno))) throw error;
      // Servers fail to send some stacks, for example with a continuation: a contract could stop the indexer with one.
      if (failures === MAX_FAILURES) return { value: null, ran: true };
      continue;
    }
    try {
      return { value: read(stack), ran: true };
    } catch {
      return { value: null, ran: true };
    }
  }
}

/** Whether the source runs get methods of other contracts. */
async function answers(client: Pick<TonClient, 'runMethod'>, seqno: number): Promise<boolean> {
  try {
    await client.runMethod(seqno, CONFIG_CONTRACT, 'no_such_method');
    return true;
  } catch (error) {
    return error instanceof GetMethodFailed;
  }
}
