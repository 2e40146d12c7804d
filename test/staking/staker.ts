import { internal, toNano, type Address, type Cell, type MessageRelaxed } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import request from 'supertest';
import type { HttpTonAction } from '../../contracts/http/history/actions';
import type { StoredTransaction } from '../../contracts/http/history/stored-transaction';
import { jettonTransferBody, jettonWalletAddress } from '../../infra/devnet/ton/jetton/jetton';
import { localLiquidPool } from '../../infra/devnet/ton/staking/liquid/local-liquid-pool';
import { localStakingPools } from '../../infra/devnet/ton/staking/local-pools';
import { createActors } from '../../infra/devnet/ton/traffic/actors';
import { localUsde } from '../../infra/devnet/ton/usde/local-usde';
import { USDE_VALUE } from '../../infra/devnet/ton/usde/usde';
import { transfer } from '../../infra/devnet/ton/wallets';
import type { LocalNetwork } from '../ton/network';
import { friendly, rawOf, startTestnet } from '../ton/testnet';
import { until } from '../until';

export const POOL = localStakingPools('testnet')[0]!.address;
export const LIQUID = localLiquidPool('testnet').address;
export const { usde: USDE, stakedUsde: STAKED, vault: VAULT } = localUsde('testnet');
/** Nanotons: a deposit or a withdrawal, with its receipt. */
export const FEES = toNano('0.2');
export const TON = { type: 'ton' };
export function jetton(master: Address) {
  return { type: 'jetton', master: friendly(master) };
}

export interface Seen {
  readonly action: HttpTonAction;
  readonly row: StoredTransaction;
}

export interface Acted extends Seen {
  /** Rows of what returned to the owner, oldest first. */
  readonly returned: readonly StoredTransaction[];
  /** Nanotons that the owner has less than before. */
  readonly spent: bigint;
}

/** The keys by which rows are named. */
export function keys(rows: readonly StoredTransaction[]) {
  return rows.map(({ operation }) => operation.op?.res);
}

/** Alice, who has TON and USDe to stake, on a local network whose contracts of staking are watched as she is. */
export interface Staker {
  readonly network: LocalNetwork;
  readonly client: TonClient4;
  readonly owner: Address;
  /** The action that a request of hers becomes, once everything that it caused is known. */
  act(...messages: MessageRelaxed[]): Promise<Acted>;
  send(to: Address, value: bigint, body: Cell, bounce?: boolean): Promise<Acted>;
  /** The newest action of another account with her as its sender, and its row. */
  asSeenBy(account: Address): Promise<Seen>;
}

export async function startStaker(): Promise<Staker> {
  const { network, client, alice } = await startTestnet({ watched: true });
  const owner = alice.contract.address;

  async function state(address: Address) {
    const { last } = await client.getLastBlock();
    return (await client.getAccountLite(last.seqno, address)).account;
  }

  async function actionsOf(address: Address): Promise<HttpTonAction[]> {
    const { body } = await request(network.app)
      .get(`/actions/${friendly(address)}?limit=100`)
      .expect(200);
    return (body as { actions: HttpTonAction[] }).actions;
  }

  async function row(address: Address, lt: string): Promise<StoredTransaction> {
    const { body } = await request(network.app)
      .get(`/transactions/${friendly(address)}?lt=${lt}&limit=1`)
      .expect(200);
    return (body as { transactions: StoredTransaction[] }).transactions[0]!;
  }

  async function act(...messages: MessageRelaxed[]): Promise<Acted> {
    const before = await state(owner);
    await transfer(client, alice, messages);
    const known = BigInt(before.last!.lt);
    const [action] = await until(
      async () => {
        const newest = (await state(owner)).last!.lt;
        const actions = (await actionsOf(owner)).filter(({ lt }) => BigInt(lt) > known);
        const lts = actions.flatMap(({ lt, members }) => [lt, ...members.map(member => member.lt)]);
        return lts.includes(newest) ? actions : [];
      },
      actions => actions.length > 0 && actions.every(({ status }) => status !== 'pending'),
    );
    const spent = BigInt(before.balance.coins) - BigInt((await state(owner)).balance.coins);
    const lts = action!.members.map(({ lt }) => lt).sort((a, b) => Number(BigInt(a) - BigInt(b)));
    const returned = await Promise.all(lts.map(lt => row(owner, lt)));
    return { action: action!, row: await row(owner, action!.lt), returned, spent };
  }

  const send = (to: Address, value: bigint, body: Cell, bounce = true): Promise<Acted> =>
    act(internal({ to, value, body, bounce }));

  async function asSeenBy(contract: Address): Promise<Seen> {
    const { last } = await state(contract);
    const actions = await until(
      () => actionsOf(contract),
      page => page.some(({ lt }) => BigInt(lt) >= BigInt(last!.lt)),
    );
    const action = actions.find(({ sender }) => sender === friendly(owner))!;
    return { action, row: await row(contract, action.lt) };
  }

  for (const contract of [POOL, LIQUID, VAULT, STAKED]) await network.watch(contract.toRawString());
  const issuer = createActors('testnet')[0]!;
  for (const each of [rawOf(alice), rawOf(issuer)]) await network.devnet.faucet(each, toNano(5_000));
  const response = issuer.contract.address;
  const body = jettonTransferBody({ to: owner, amount: 1_000_000_000n, response, forwardValue: 1n });
  const to = jettonWalletAddress(USDE, issuer.contract.address);
  await transfer(client, issuer, [internal({ to, value: USDE_VALUE, body })]);
  // What arrives later would be taken for a part of what she does.
  await until(
    () => actionsOf(owner),
    actions => actions.some(({ kind }) => kind === 'jetton_transfer'),
  );
  return { network, client, owner, act, send, asSeenBy };
}
