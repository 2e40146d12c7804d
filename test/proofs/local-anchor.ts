import { comment, internal, type MessageRelaxed, SendMode, toNano } from '@ton/core';
import { TonClient4, type WalletContractV5R1 } from '@ton/ton';
import { anchorComment, type Anchor, type AnchorProof } from '../../contracts/ledger-tree/anchor';
import type { Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import { localWallet, seqnoOf, transfer } from '../../infra/devnet/ton/wallets';
import { provenPlace } from './proven-place';

const wallet = localWallet('anchors', 'v5r1', 'testnet');
const contract = wallet.contract as WalletContractV5R1;
export const ANCHOR_ACCOUNT = wallet.contract.address.toRawString();

/** A local network with a wallet whose messages have heads of ledgers as comments. */
export interface AnchoringNetwork {
  /** Sends a message to the wallet itself; by default with the head of the checkpoint. */
  anchor(checkpoint: Checkpoint, messages?: MessageRelaxed[]): Promise<Record<AnchorProof['level'], Anchor>>;
  /** The same in the block that splits or merges shards. */
  anchorInBlockOf(
    reshard: 'splitShards' | 'mergeShards',
    checkpoint: Checkpoint,
  ): Promise<Record<AnchorProof['level'], Anchor>>;
}

/** Gives the wallet coins. */
export async function anchoringNetwork(devnet: TonDevnet): Promise<AnchoringNetwork> {
  const client = new TonClient4({ endpoint: devnet.url, timeout: 60_000 });
  await devnet.faucet(ANCHOR_ACCOUNT, toNano(50));
  return {
    async anchor(checkpoint, messages = [toItself(anchorComment(checkpoint))]) {
      await transfer(client, wallet, messages);
      return anchorsOf(devnet.url, client, checkpoint);
    },
    async anchorInBlockOf(reshard, checkpoint) {
      await devnet.simulation.pause();
      const body = await contract.createTransfer({
        seqno: await seqnoOf(client, contract),
        signer: wallet.signer,
        timeout: 2_000_000_000,
        sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
        messages: [toItself(anchorComment(checkpoint))],
      });
      // Resolves once the message waits for a block.
      await client.open(contract).send(body);
      await devnet.simulation[reshard]();
      await devnet.simulation.resume();
      return anchorsOf(devnet.url, client, checkpoint);
    },
  };
}

export function toItself(text: string): MessageRelaxed {
  return internal({ to: contract.address, value: toNano('0.01'), bounce: false, body: comment(text) });
}

async function anchorsOf(
  url: string,
  client: TonClient4,
  checkpoint: Checkpoint,
): Promise<Record<AnchorProof['level'], Anchor>> {
  const { address } = contract;
  const { last } = await client.getLastBlock();
  const newest = (await client.getAccountLite(last.seqno, address)).account.last!;
  const newestHash = Buffer.from(newest.hash, 'base64');
  const history = await client.getAccountTransactions(address, BigInt(newest.lt), newestHash);
  const { tx } = history.find(({ tx: { outMessages } }) => outMessages.size > 0)!;
  const transaction = {
    account: ANCHOR_ACCOUNT,
    lt: tx.lt.toString(),
    hash: tx.hash().toString('hex'),
  };
  const shared = { version: 1, network: 'testnet', checkpoint, transaction } as const;
  const masterchain = await provenPlace(url, transaction);
  if (masterchain.level !== 'masterchain') throw new Error('not proven up to the masterchain');
  const { block, transactionProof } = masterchain;
  return {
    transaction: {
      ...shared,
      proof: { level: 'transaction', transaction: tx.raw.toBoc().toString('base64') },
    },
    block: { ...shared, proof: { level: 'block', block, transactionProof } },
    masterchain: { ...shared, proof: masterchain },
  };
}
