import { setTimeout as sleep } from 'node:timers/promises';
import { Address, type Transaction } from '@ton/core';
import { TonClient4 } from '@ton/ton';
import { ask } from '../program';

const POLL_MS = 25;

/** A TON node, through the published client. */
export class Node {
  readonly client: TonClient4;

  constructor(
    readonly endpoint: string,
    readonly network: 'mainnet' | 'testnet',
  ) {
    this.client = new TonClient4({ endpoint, timeout: 120_000 });
  }

  get isTestnet(): boolean {
    return this.network === 'testnet';
  }

  async tip(): Promise<number> {
    return (await this.client.getLastBlock()).last.seqno;
  }

  async balance(address: Address): Promise<bigint> {
    const { account } = await this.client.getAccountLite(await this.tip(), address);
    return BigInt(account.balance.coins);
  }

  /** Coins of the local network, with a comment of the faucet. */
  async grant(address: Address, nanotons: bigint): Promise<void> {
    await ask(`${this.endpoint}/faucet`, { address: address.toRawString(), amount: nanotons.toString() });
  }

  /** One page of transactions of an account, newest first, from the given one on. */
  async page(address: Address, lt: string, hash: string): Promise<Transaction[]> {
    const page = await this.client.getAccountTransactions(address, BigInt(lt), Buffer.from(hash, 'base64'));
    return page.map(({ tx }) => tx);
  }

  /** Transactions that a block lists, by raw address of their accounts. */
  async listed(seqno: number): Promise<{ account: string; lt: string; hash: string }[]> {
    const { shards } = await this.client.getBlock(seqno);
    return shards.flatMap(({ transactions }) =>
      transactions.map(({ account, lt, hash }) => ({
        account: Address.parse(account).toRawString(),
        lt,
        hash,
      })),
    );
  }

  /** The transaction of an account after a block that satisfies the condition, once a block has it. */
  async transactionAfter(
    seqno: number,
    account: Address,
    isWanted: (transaction: Transaction) => boolean,
  ): Promise<Transaction> {
    for (let next = seqno + 1; ; next++) {
      while ((await this.tip()) < next) await sleep(POLL_MS);
      for (const { account: of, lt, hash } of await this.listed(next)) {
        if (of !== account.toRawString()) continue;
        const [transaction] = await this.page(account, lt, hash);
        if (isWanted(transaction!)) return transaction!;
      }
    }
  }
}

/** The local network of a program, whose page says where it is. */
export async function connect(url: string, network: 'mainnet' | 'testnet'): Promise<Node> {
  const { ton } = await ask(`${url}/devnet`);
  const { endpoint } = ton.find((each: { network: string }) => each.network === network);
  return new Node(endpoint as string, network);
}
