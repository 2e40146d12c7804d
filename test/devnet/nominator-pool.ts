import { type Address, Cell, type ContractProvider, type Message, external, toNano } from '@ton/core';
import { Blockchain, type SmartContract, createShardAccount, internal } from '@ton/sandbox';
import { chainConfig } from '../../infra/devnet/ton/chain/config';
import { ROUND, electionSchedule, phaseKey } from '../../infra/devnet/ton/elections/schedule';
import { POOL_CODE } from '../../infra/devnet/ton/staking/code';
import { NominatorPool } from '../../infra/devnet/ton/staking/pool-contract';
import { masterchainProxy, poolData } from '../../infra/devnet/ton/staking/staking';
import { localWallet } from '../../infra/devnet/ton/wallets';

/** An address of the basechain; the same for the same name. */
export function addressOf(name: string): Address {
  return localWallet(name, 'v5r1', 'mainnet').contract.address;
}

export interface Outcome {
  readonly exitCode: number;
  /** Logical time of the transaction. */
  readonly lt: bigint;
  readonly sent: readonly Message[];
}

export interface Incoming {
  readonly from: Address;
  readonly value: bigint;
  readonly body?: Cell;
  readonly bounced?: boolean;
}

/** The exit code of a contract that does not exist. */
export const NOT_THERE = -1;

/** Unix seconds: any start of the first round. */
const ZERO_TIME = 1_750_000_000;

/** One for all contracts of a file: it loads a virtual machine. */
let opened: Promise<Blockchain> | undefined;

/** A contract alone on the real virtual machine, at the instants that a test chooses. What it sends goes nowhere. */
export async function contractOnTvm(address: Address, code: Cell, data: Cell, balance: bigint) {
  const elections = electionSchedule(ZERO_TIME);
  const configs = chainConfig('mainnet', elections);
  const chain = await (opened ??= Blockchain.create());
  let phase = '';
  const moveTo = (utime: number): void => {
    chain.now = utime;
    const next = phaseKey(elections.phaseAt(utime));
    if (next !== phase) chain.setConfig(Cell.fromBase64(configs.at(utime).boc));
    phase = next;
  };
  moveTo(ZERO_TIME);
  await chain.setShardAccount(address, createShardAccount({ address, code, data, balance }));
  const contract = await chain.getContract(address);

  return {
    elections,
    moveTo,
    now: () => chain.now!,
    balance: () => contract.balance,
    provider: (): ContractProvider => chain.provider(address),
    open: chain.openContract.bind(chain),
    /** @throws when the contract does not accept it */
    sendExternal: async (): Promise<void> => void (await contract.receiveMessage(external({ to: address }))),
    send: ({ from, value, body = Cell.EMPTY, bounced = false }: Incoming): Promise<Outcome> =>
      receive(contract, internal({ from, to: address, value, body, bounce: !bounced, bounced })),
    /** To another contract than this one, which need not exist. */
    deliver: async (to: Address, message: Message): Promise<Outcome> =>
      receive(await chain.getContract(to), message),
    balanceOf: async (of: Address): Promise<bigint> => (await chain.getContract(of)).balance,
  };
}

async function receive(contract: SmartContract, message: Message): Promise<Outcome> {
  const { description, outMessages, lt } = await contract.receiveMessage(message);
  if (description.type !== 'generic') throw new Error('the contract did not run');
  const { computePhase } = description;
  return {
    exitCode: computePhase.type === 'vm' ? computePhase.exitCode : NOT_THERE,
    lt,
    sent: [...outMessages.values()],
  };
}

export const OWNER = addressOf('owner of the pool');
export const CONTROLLER = addressOf('controller of the pool');
export const POOL = addressOf('the pool');
export const PROXY = masterchainProxy(POOL).address;

/** A pool alone, whose owner and controller are `OWNER` and `CONTROLLER`. */
export async function poolOnTvm({ ownStake = 0n, code = POOL_CODE } = {}) {
  const data = poolData({ owner: OWNER, controller: CONTROLLER, proxy: PROXY }, ownStake);
  const contract = await contractOnTvm(POOL, code, data, ownStake + toNano(1));
  return {
    ...contract,
    pool: contract.open(new NominatorPool(POOL)),
    /** The start of the next round. */
    nextRound: (): number => contract.elections.startOf(contract.elections.phaseAt(contract.now()).round + 1),
    /** When the stake of a round can be recovered. */
    recoverableAt: (stakeAt: number): number => stakeAt + ROUND.electedFor + ROUND.heldFor + 300,
  };
}

export type PoolOnTvm = Awaited<ReturnType<typeof poolOnTvm>>;
