import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, LAMPORTS_PER_SOL, SystemProgram } from '@solana/web3.js';
import type { Logger } from 'pino';
import type { SolanaNetwork } from '../../../../contracts/network';
import { type AccountDescription, type Actor, createActors, describeActor, localKeypair } from './actors';
import { memo, send } from './send';
import { loadSpl, type Spl } from './spl';
import { type DevnetToken, devnetTokens, seedTokens, tokenTransfer } from './tokens';

export interface SolanaTrafficOptions {
  readonly network: SolanaNetwork;
  /** Of the local network. */
  readonly url: string;
  readonly wsUrl: string;
  /** Milliseconds before the n-th transfer, from 0; default: fast for a minute, then slow. */
  readonly pace?: (step: number) => number;
  readonly logger: Logger;
}

/** For manual use of the local network. */
export interface SolanaDevnetDescription {
  readonly network: SolanaNetwork;
  readonly endpoint: string;
  readonly websocket: string;
  readonly accounts: readonly AccountDescription[];
  readonly mints: readonly DevnetToken[];
  readonly faucet: {
    readonly sol: string;
    readonly tokens: string;
    /** The payer and authority of all mints. */
    readonly account: AccountDescription;
  };
}

export interface SolanaTraffic {
  readonly description: SolanaDevnetDescription;
  /** Resolves after the signal, when the last transfer has ended. */
  readonly running: Promise<void>;
}

const FAST_STEPS = 20;
const FAST_MS = 3_000;
const SLOW_MS = 30_000;

/** Fast for the first minute, so that there is something to see; then slow, so that history stays small. */
const defaultPace = (step: number): number => (step < FAST_STEPS ? FAST_MS : SLOW_MS);

const REFILL = 20 * LAMPORTS_PER_SOL;
const MIN_BALANCE = LAMPORTS_PER_SOL;

const MEMOS = ['Coffee', 'Rent', 'Thanks!', 'Half of the taxi', 'Invoice 1042', 'Happy birthday 🎂'] as const;

const describe = ({ network, url, wsUrl }: SolanaTrafficOptions, actors: readonly Actor[]) => ({
  network,
  endpoint: url,
  websocket: wsUrl,
  accounts: actors.map(describeActor),
  mints: devnetTokens(network),
  faucet: {
    sol: 'Call requestAirdrop(address, lamports) of the endpoint: up to 1,000 SOL a call.',
    tokens: 'The account below is the mint authority of all mints: mint with its key.',
    account: describeActor({ name: 'faucet', keypair: localKeypair('faucet') }),
  },
});

const fundActor = async (connection: Connection, { keypair }: Actor): Promise<void> => {
  if ((await connection.getBalance(keypair.publicKey)) >= MIN_BALANCE) return;
  await connection.requestAirdrop(keypair.publicKey, REFILL);
};

/** The n-th transfer: the number determines actors, asset, amount and memo. */
const transfer = async (
  connection: Connection,
  spl: Spl,
  network: SolanaNetwork,
  actors: readonly Actor[],
  number: number,
): Promise<void> => {
  const from = actors[number % actors.length]!;
  const to = actors[(number + 1 + (number % (actors.length - 1))) % actors.length]!;
  await fundActor(connection, from);
  const assets = [null, ...devnetTokens(network)];
  const token = assets[Math.floor(number / 7) % assets.length] ?? null;
  const hundredths = 1 + (number % 5);
  const [sender, receiver] = [from.keypair.publicKey, to.keypair.publicKey];
  const instruction = token
    ? await tokenTransfer(connection, spl, token, sender, receiver, hundredths)
    : SystemProgram.transfer({
        fromPubkey: sender,
        toPubkey: receiver,
        lamports: (LAMPORTS_PER_SOL / 100) * hundredths + (number % 1000),
      });
  await send(connection, [instruction, memo(MEMOS[number % MEMOS.length]!)], [from.keypair]);
};

/**
 * Actors send each other SOL and tokens with memos, until the signal. The first run creates the accounts; later runs
 * continue with them. Resolves when they exist.
 */
export async function startSolanaTraffic(
  options: SolanaTrafficOptions,
  signal: AbortSignal,
): Promise<SolanaTraffic> {
  const { network, url, pace = defaultPace, logger } = options;
  const connection = new Connection(url, 'processed');
  const spl = await loadSpl();
  const actors = createActors();
  for (const actor of actors) await fundActor(connection, actor);
  await seedTokens(connection, spl, network, actors);

  const run = async (): Promise<void> => {
    for (let done = 0; !signal.aborted; done += 1) {
      await sleep(pace(done), undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await transfer(connection, spl, network, actors, (await connection.getSlot()) + done);
      } catch (error) {
        logger.warn({ err: error, network }, 'local transfer failed');
      }
    }
  };
  return { description: describe(options, actors), running: run() };
}
