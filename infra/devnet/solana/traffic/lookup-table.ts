import {
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  type Connection,
  type PublicKey,
} from '@solana/web3.js';
import { localKeypair } from './actors';
import { send } from './send';

async function find(
  connection: Connection,
  authority: PublicKey,
): Promise<AddressLookupTableAccount | undefined> {
  const tables = await connection.getProgramAccounts(AddressLookupTableProgram.programId);
  return tables
    .map(({ pubkey, account }) => {
      const state = AddressLookupTableAccount.deserialize(account.data);
      return new AddressLookupTableAccount({ key: pubkey, state });
    })
    .find(({ state }) => state.authority?.equals(authority) === true);
}

/** The faucet's lookup table of some addresses; created if missing. Its addresses can be used from the next slot on. */
export async function seedLookupTable(
  connection: Connection,
  addresses: readonly PublicKey[],
): Promise<AddressLookupTableAccount> {
  const faucet = localKeypair('faucet');
  const { publicKey: payer } = faucet;
  const existing = await find(connection, payer);
  if (existing) return existing;
  const [create, lookupTable] = AddressLookupTableProgram.createLookupTable({
    authority: payer,
    payer,
    recentSlot: await connection.getSlot('finalized'),
  });
  const extend = AddressLookupTableProgram.extendLookupTable({
    lookupTable,
    authority: payer,
    payer,
    addresses: [...addresses],
  });
  await send(connection, [create, extend], [faucet]);
  const created = await find(connection, payer);
  if (!created) throw new Error(`lookup table ${lookupTable.toBase58()} was not created`);
  return created;
}
