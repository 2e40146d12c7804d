import { type Address, type Cell, type Message, beginCell } from '@ton/core';
import { internal } from '@ton/sandbox';
import { ROUND } from '../../infra/devnet/ton/elections/schedule';
import { onChainContent } from '../../infra/devnet/ton/token-content';
import { LIQUID_POOL_CODE } from '../../infra/devnet/ton/staking/liquid/code';
import { LiquidPool, LiquidWallet } from '../../infra/devnet/ton/staking/liquid/liquid-contracts';
import {
  type ProxyIndex,
  liquidPoolData,
  liquidStakeSendBody,
  liquidWalletAddress,
  recoverStakeBody,
  startRoundBody,
} from '../../infra/devnet/ton/staking/liquid/liquid';
import { OP } from '../../infra/devnet/ton/staking/staking';
import { masterchainProxy } from '../../infra/devnet/ton/staking/staking';
import { CONTROLLER, OWNER, addressOf, contractOnTvm } from './nominator-pool';
import { toNano } from '@ton/core';

/** Who may have a wallet. */
export const MEMBERS = ['alice', 'bob', 'carol', 'dave'].map(addressOf);

/** For the elector: the pool does not ask who it is. */
const KEY = Buffer.alloc(32, 7);
const STAKE_QUERY = 5n;

/** A transaction of the pool or of a wallet. */
export interface Step {
  readonly to: Address;
  readonly exitCode: number;
}

export interface LiquidOutcome {
  /** In their order, the first one is that of the message that was sent. */
  readonly steps: readonly Step[];
  /** To others than the pool and its wallets. */
  readonly sent: readonly Message[];
}

/** Every pool has another address, so that no wallet exists yet. */
let pools = 0;

/**
 * A liquid pool with the wallets of `MEMBERS` and of its owner, on the real virtual machine at the instants that a test chooses.
 * Messages between them are delivered, what they send to others goes nowhere.
 */
export async function liquidPoolOnTvm() {
  const address = addressOf(`the liquid pool ${++pools}`);
  const proxies = [
    masterchainProxy(address).address,
    masterchainProxy(addressOf(`the other proxy of ${pools}`)).address,
  ] as const;
  const content = onChainContent({ name: 'Test Liquid', symbol: 'wsTEST', decimals: 9 });
  const data = liquidPoolData({ owner: OWNER, controller: CONTROLLER, proxies, content });
  const on = await contractOnTvm(address, LIQUID_POOL_CODE, data, toNano(1));
  const walletOf = (owner: Address): Address => liquidWalletAddress({ pool: address, owner });
  const inhabited = new Set([address, ...[OWNER, ...MEMBERS].map(walletOf)].map(String));

  async function sendTo(to: Address, message: Message): Promise<LiquidOutcome> {
    const queue: [Address, Message][] = [[to, message]];
    const steps: Step[] = [];
    const sent: Message[] = [];
    for (let next = queue.shift(); next; next = queue.shift()) {
      const outcome = await on.deliver(...next);
      steps.push({ to: next[0], exitCode: outcome.exitCode });
      for (const each of outcome.sent) {
        const dest = each.info.type === 'internal' ? each.info.dest : null;
        if (dest && inhabited.has(dest.toString())) queue.push([dest, each]);
        else sent.push(each);
      }
    }
    return { steps, sent };
  }

  interface Sending {
    readonly from: Address;
    readonly value: bigint;
    readonly body: Cell;
    /** Default: the pool. */
    readonly to?: Address;
    readonly bounced?: boolean;
  }
  const send = ({ from, value, body, to = address, bounced = false }: Sending): Promise<LiquidOutcome> =>
    sendTo(to, internal({ from, to, value, body, bounce: !bounced, bounced }));

  const nextRound = (): number => on.elections.startOf(on.elections.phaseAt(on.now()).round + 1);
  const elector = (proxy: ProxyIndex, op: number, queryId: bigint, value: bigint) =>
    send({
      from: proxies[proxy],
      value,
      body: beginCell().storeUint(op, 32).storeUint(queryId, 64).storeUint(0, 32).endCell(),
    });

  return {
    ...on,
    address,
    proxies,
    walletOf,
    send,
    nextRound,
    pool: on.open(new LiquidPool(address)),
    walletFor: (owner: Address) => on.open(new LiquidWallet(walletOf(owner))),
    /** When the stake of a round can be recovered. */
    recoverableAt: (stakeAt: number): number => stakeAt + ROUND.electedFor + ROUND.heldFor + 300,
    startRound: (electAt = nextRound()) =>
      send({ from: CONTROLLER, value: toNano('0.2'), body: startRoundBody(electAt) }),
    stake(stake: bigint, stakeAt = nextRound(), value = toNano(2)) {
      const candidate = { publicKey: KEY, stakeAt, maxFactor: 3 << 16, adnl: KEY };
      const body = liquidStakeSendBody(stake, candidate, Buffer.alloc(64), STAKE_QUERY);
      return send({ from: CONTROLLER, value, body });
    },
    /** What the elector says of a stake. */
    answerStake: (
      proxy: ProxyIndex,
      op: number = OP.stakeAccepted,
      queryId = STAKE_QUERY,
      value = toNano(1),
    ) => elector(proxy, op, queryId, value),
    recover: (proxy: ProxyIndex, value = toNano(2)) =>
      send({ from: CONTROLLER, value, body: recoverStakeBody(proxy) }),
    /** @param coins nanotons that the elector gives back, beside the coins that the pool has sent with its query */
    giveBack: (proxy: ProxyIndex, coins: bigint) => elector(proxy, OP.stakeRecovered, 1n, coins + toNano(2)),
  };
}

export type LiquidPoolOnTvm = Awaited<ReturnType<typeof liquidPoolOnTvm>>;
