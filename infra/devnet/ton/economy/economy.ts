import { setTimeout as sleep } from 'node:timers/promises';
import { TonClient4 } from '@ton/ton';
import type { Logger } from 'pino';
import { friendlyTonAddress } from '../../../../contracts/address';
import type { TonNetwork } from '../../../../contracts/network';
import type { JettonMaster } from '../jetton/jetton';
import { seqnoOf, transfer } from '../wallets';
import { type AccountDescription, type Actor, cast, describeActor } from './cast';
import { type Grant, LOCAL_JETTON, issueJetton, provision } from './setup';
import { step } from './steps';

export interface TonEconomyOptions {
  readonly network: TonNetwork;
  /** Base URL of the local network. */
  readonly url: string;
  readonly grant: Grant;
  /** The same seed finds the same accounts again. Default: `tidemark local economy`. */
  readonly seed?: string;
  /** Milliseconds between two transfers; default: see `defaultPace`. */
  readonly pace?: (step: number) => number;
  readonly logger: Logger;
}

/** For whoever wants to use the local network by hand. */
export interface TonEconomyDescription {
  readonly network: TonNetwork;
  readonly endpoint: string;
  readonly accounts: readonly AccountDescription[];
  readonly jettons: readonly {
    readonly master: string;
    readonly name: string;
    readonly symbol: string;
    readonly decimals: number;
  }[];
  /** `POST` here with `{"address": "...", "amount": "<nanotons>"}`. */
  readonly faucet: string;
}

export interface TonEconomy {
  readonly description: TonEconomyDescription;
  /** Resolves when the signal has fired and nothing is under way. */
  readonly running: Promise<void>;
}

const BUSY_STEPS = 20;
const BUSY_MS = 3_000;
const CALM_MS = 30_000;
const TIMEOUT_MS = 15_000;

/** Lively for the first minute, so that there is something to see; then slow, so that history stays small. */
const defaultPace = (step: number): number => (step < BUSY_STEPS ? BUSY_MS : CALM_MS);

async function stepsSoFar(client: TonClient4, actors: readonly Actor[]): Promise<number> {
  const seqnos = await Promise.all(actors.map(({ contract }) => seqnoOf(client, contract)));
  return seqnos.reduce((sum, seqno) => sum + seqno, 0);
}

/**
 * People with wallets who send each other coins and jettons with comments, until the signal fires. The first run
 * deploys everything; a later one finds it and goes on. Resolves when accounts and jetton are there.
 */
export async function tonEconomy(options: TonEconomyOptions, signal: AbortSignal): Promise<TonEconomy> {
  const { network, url, grant, seed = 'tidemark local economy', pace = defaultPace, logger } = options;
  const client = new TonClient4({ endpoint: url, timeout: TIMEOUT_MS });
  const actors = await cast(seed, network);
  await provision(client, actors, grant);
  const master = await issueJetton(client, actors);
  const first = await stepsSoFar(client, actors);

  async function live(): Promise<void> {
    for (let done = 0; !signal.aborted; done++) {
      await sleep(pace(done), undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const { from, message } = step(first + done, actors, master);
        await provision(client, [from], grant);
        await transfer(client, from, [message]);
      } catch (error) {
        logger.warn({ err: error, network }, 'the local economy missed a step');
      }
    }
  }

  return { description: describe(network, url, actors, master), running: live() };
}

const describe = (
  network: TonNetwork,
  url: string,
  actors: readonly Actor[],
  { address }: JettonMaster,
): TonEconomyDescription => {
  const { name, symbol, decimals } = LOCAL_JETTON;
  const master = friendlyTonAddress(address.toRawString(), network);
  return {
    network,
    endpoint: url,
    accounts: actors.map(actor => describeActor(actor, network)),
    jettons: [{ master, name, symbol, decimals }],
    faucet: `${url}/faucet`,
  };
};
