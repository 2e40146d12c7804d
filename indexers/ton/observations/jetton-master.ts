import type { Address, Cell, TupleReader } from '@ton/core';
import {
  jettonMasterObserved,
  type JettonMasterObserved,
} from '../../../contracts/chain/ton-token-observations';
import { defineObservation } from '../../../contracts/observation/observation';
import type { TonClient } from '../../../contracts/ports/ton-client';
import { tokenContentOf } from '../decode/token-content';
import { askContract } from '../get-method';
import { contractSubject, TON_SOURCE } from './source';

/** A jetton master and what its content cell says (TEP-74, TEP-64). */
export const jettonMasterObservation = defineObservation({
  kind: 'ton.jetton.master',
  subject: contractSubject,
  schema: jettonMasterObserved,
  source: TON_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 600_000,
  ages: true,
  async read(clients, { network, address }) {
    const client = clients.ton(network);
    const { seqno: height } = await client.getLastBlock();
    return { height, data: await readJettonMaster(client, height, address) };
  },
});

/** The content cell of the jetton master at an address (raw); null when there is none. */
export async function readJettonContent(
  client: Pick<TonClient, 'runMethod'>,
  seqno: number,
  address: string,
): Promise<Cell | null> {
  const { value } = await askContract(client, seqno, address, 'get_jetton_data', [], stack => {
    stack.skip(3);
    return stack.readCell();
  });
  return value;
}

/** The jetton master at an address (raw), as it says itself; null when there is none. */
export async function readJettonMaster(
  client: Pick<TonClient, 'runMethod'>,
  seqno: number,
  address: string,
): Promise<JettonMasterObserved> {
  const { value } = await askContract(client, seqno, address, 'get_jetton_data', [], masterIn);
  return value;
}

/** `(int total_supply, int mintable, slice admin_address, cell content, cell wallet_code)` of TEP-74. */
function masterIn(stack: TupleReader): JettonMasterObserved {
  const totalSupply = stack.readBigNumber();
  const mintable = stack.readBigNumber() !== 0n;
  const admin = adminOf(stack);
  const content = tokenContentOf(stack.readCell());
  return totalSupply < 0n ? null : { totalSupply: String(totalSupply), mintable, admin, content };
}

/** Jettons without an owner are common: null of the TVM, or `addr_none`, at which `readAddressOpt` and `JettonMaster` fail. */
function adminOf(stack: TupleReader): string | null {
  const item = stack.pop();
  if (item.type !== 'slice' && item.type !== 'cell') return null;
  let admin: Address | null = null;
  try {
    admin = item.cell.beginParse().loadMaybeAddress();
  } catch {
    // An external address, or none: nobody on the chain.
  }
  return admin?.toRawString() ?? null;
}
