import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, LAMPORTS_PER_SOL, SystemProgram } from '@solana/web3.js';
import type { Logger } from 'pino';
import type { SolanaNetwork } from '../../../../contracts/network';
import { type AccountDescription, type Actor, cast, describeActor, localKeypair } from './cast';
import { memo, send } from './send';
import { loadSpl, type Spl } from './spl';
import { type EconomyToken, economyTokens, provideTokens, tokenTransfer } from './tokens';

export interface SolanaEconomyOptions {
  readonly network: SolanaNetwork;
  /** Of the local network, as its handle has them. */
  readonly url: string;
  readonly wsUrl: string;
  /** Milliseconds before a step, counted from 0; default: lively for a minute, then slow. */
  readonly pace?: (step: number) => number;
  readonly logger: Logger;
}

/** For whoever wants to use the local network by hand. */
export interface SolanaEconomyDescription {
  readonly network: SolanaNetwork;
  readonly endpoint: string;
  readonly websocket: string;
  readonly accounts: readonly AccountDescription[];
  readonly mints: readonly EconomyToken[];
  readonly faucet: {
    readonly sol: string;
    readonly tokens: string;
    /** Pays and mints: the authority of all mints. */
    readonly account: AccountDescription;
  };
}

export interface SolanaEconomy {
  readonly description: SolanaEconomyDescription;
  /** Resolves when the signal has fired and nothing is under way. */
  readonly running: Promise<void>;
}

const BUSY_STEPS = 20;
const BUSY_MS = 3_000;
const CALM_MS = 30_000;

/** Lively for the first minute, so that there is something to see; then slow, so that history stays small. */
const defaultPace = (step: number): number => (step < BUSY_STEPS ? BUSY_MS : CALM_MS);

const ALLOWANCE = 20 * LAMPORTS_PER_SOL;
const POOR = LAMPORTS_PER_SOL;

const NOTES = ['Coffee', 'Rent', 'Thanks!', 'Half of the taxi', 'Invoice 1042', 'Happy birthday 🎂'] as const;

const describe = ({ network, url, wsUrl }: SolanaEconomyOptions, actors: readonly Actor[]) => ({
  network,
  endpoint: url,
  websocket: wsUrl,
  accounts: actors.map(describeActor),
  mints: economyTokens(network),
  faucet: {
    sol: 'Call requestAirdrop(address, lamports) of the endpoint: up to 1,000 SOL a call.',
    tokens: 'The account below is the mint authority of all mints: mint with its key.',
    account: describeActor({ name: 'faucet', keypair: localKeypair('faucet') }),
  },
});

const provideSol = async (connection: Connection, { keypair }: Actor): Promise<void> => {
  if ((await connection.getBalance(keypair.publicKey)) >= POOR) return;
  await connection.requestAirdrop(keypair.publicKey, ALLOWANCE);
};

/** What happens in a slot: the same number names the same people, asset, share and note. */
const step = async (
  connection: Connection,
  spl: Spl,
  network: SolanaNetwork,
  actors: readonly Actor[],
  number: number,
): Promise<void> => {
  const from = actors[number % actors.length]!;
  const to = actors[(number + 1 + (number % (actors.length - 1))) % actors.length]!;
  await provideSol(connection, from);
  const assets = [null, ...economyTokens(network)];
  const token = assets[Math.floor(number / 7) % assets.length] ?? null;
  const hundredths = 1 + (number % 5);
  const [sender, receiver] = [from.keypair.publicKey, to.keypair.publicKey];
  const transfer = token
    ? await tokenTransfer(connection, spl, token, sender, receiver, hundredths)
    : SystemProgram.transfer({
        fromPubkey: sender,
        toPubkey: receiver,
        lamports: (LAMPORTS_PER_SOL / 100) * hundredths + (number % 1000),
      });
  await send(connection, [transfer, memo(NOTES[number % NOTES.length]!)], [from.keypair]);
};

/**
 * People who send each other SOL and tokens with notes, until the signal fires. The first run makes the accounts; a
 * later one finds them and goes on. Resolves when they are there.
 */
export async function solanaEconomy(
  options: SolanaEconomyOptions,
  signal: AbortSignal,
): Promise<SolanaEconomy> {
  const { network, url, pace = defaultPace, logger } = options;
  const connection = new Connection(url, 'processed');
  const spl = await loadSpl();
  const actors = cast();
  for (const actor of actors) await provideSol(connection, actor);
  await provideTokens(connection, spl, network, actors);

  const live = async (): Promise<void> => {
    for (let done = 0; !signal.aborted; done += 1) {
      await sleep(pace(done), undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await step(connection, spl, network, actors, (await connection.getSlot()) + done);
      } catch (error) {
        logger.warn({ err: error, network }, 'the local economy missed a step');
      }
    }
  };
  return { description: describe(options, actors), running: live() };
}
