import { Cell } from '@ton/core';
import { request } from 'undici';
import { z } from 'zod';
import { provenInMasterchain } from '../../../../../contracts/chain/ton-masterchain-proof';
import { provenTonTransaction } from '../../../../../contracts/chain/ton-transaction-proof';
import type { Anchor, AnchorProof } from '../../../../../contracts/ledger-tree/anchor';
import type { TonNodes } from '../../../../../contracts/ports/ton-nodes';

/** Nanotons: enough for years. */
const GRANT = '10000000000';

/** Gives a wallet (raw) coins of a local network. @param url of its node */
export async function grantCoins(url: string, account: string): Promise<void> {
  const { statusCode, body } = await request(`${url}/faucet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: account, amount: GRANT }),
  });
  await body.dump();
  if (statusCode !== 200) throw new Error(`the faucet of the local network answers with ${statusCode}`);
}

const block = z.object({ seqno: z.int(), rootHash: z.string() });

/** What the node of a local network answers of a transaction of workchain 0; hashes and bags of cells in base64. */
const servedProof = z.object({
  block,
  proof: z.string(),
  masterchain: z.object({ block, proof: z.string(), previous: z.array(z.string()) }),
});

/** The proof of a transaction up to the masterchain, which only the node of a local network serves. */
export async function localProof(
  nodes: Pick<TonNodes, 'read'>,
  transaction: Anchor['transaction'],
): Promise<AnchorProof | null> {
  const { account, lt, hash } = transaction;
  return nodes.read({
    path: `/account/${account}/tx/${lt}/${Buffer.from(hash, 'hex').toString('base64url')}/proof`,
    parse: json => checkedProof(servedProof.parse(json), transaction),
    byHash: true,
  });
}

/** @throws when it does not prove what was asked for */
function checkedProof(
  { block: served, proof, masterchain }: z.output<typeof servedProof>,
  { account, lt, hash }: Anchor['transaction'],
): AnchorProof {
  const rootHash = Buffer.from(served.rootHash, 'base64');
  const masterchainHash = Buffer.from(masterchain.block.rootHash, 'base64');
  const found = provenTonTransaction(Cell.fromBase64(proof), rootHash, { account, lt: BigInt(lt) });
  const shown = provenInMasterchain(
    {
      masterchain: Cell.fromBase64(masterchain.proof),
      previous: masterchain.previous.map(each => Cell.fromBase64(each)),
    },
    masterchainHash,
    { account, rootHash },
  );
  if (found?.transaction.hash().toString('hex') !== hash || !shown)
    throw new Error('the proof is not one of the transaction');
  return {
    level: 'masterchain',
    block: { seqno: found.seqno, rootHash: rootHash.toString('hex') },
    transactionProof: proof,
    masterchain: { seqno: shown.seqno, rootHash: masterchainHash.toString('hex') },
    shardProof: masterchain.proof,
    previousProofs: masterchain.previous,
  };
}
