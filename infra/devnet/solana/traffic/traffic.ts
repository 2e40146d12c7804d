import { setTimeout as sleep } from 'node:timers/promises';
import { type AddressLookupTableAccount, Connection, LAMPORTS_PER_SOL, SystemProgram } from '@solana/web3.js';
import type { Logger } from 'pino';
import type { SolanaNetwork } from '../../../../contracts/network/network';
import { type AccountDescription, type Actor, createActors, describeActor, localKeypair } from './actors';
import { seedLookupTable } from './lookup-table';
import { memo, send, sendVersioned } from './send';
import { loadSpl, type Spl } from './spl';
import { type DevnetToken, devnetTokens, seedTokens, tokenTransfer } from './tokens';
import { seedStake, voteWithdrawal } from './validator';

export interface SolanaTrafficOptions {
  readonly network: SolanaNetwork;
  /** Of the local network. */
  readonly url: string;
  readonly wsUrl: string;
  /** Milliseconds before the n-th transfer, from 0; default: fast for a minute, then slow. */
  readonly pace?: (step: number) => number;
  /** Asked before each transfer: whether the network may store more; default: always. */
  readonly mayGrow?: () => boolean;
  readonly logger: Logger;
}

/** For manual use of the local network. */
export interface SolanaDevnetDescription {
  readonly network: SolanaNetwork;
  readonly endpoint: string;
  readonly websocket: string;
  readonly accounts: readonly AccountDescription[];
  readonly mints: readonly DevnetToken[];
  /** With the addresses of the accounts. */
  readonly lookupTable: string;
  readonly faucet: {
    readonly sol: string;
    readonly tokens: string;
    /** The payer and authority of all mints. */
    readonly account: AccountDescription;
  };
}

export interface SolanaTraffic {
  readonly description: SolanaDevnetDescription;
  /** Resolves after the signal, when nothing is sent any more. */
  readonly running: Promise<void>;
}

const FAST_STEPS = 20;
const FAST_MS = 3_000;
const SLOW_MS = 120_000;

/** Fast for the first minute, so that there is something to see; then slow, so that history stays small. */
const defaultPace = (step: number): number => (step < FAST_STEPS ? FAST_MS : SLOW_MS);

const REFILL = 20 * LAMPORTS_PER_SOL;
const MIN_BALANCE = LAMPORTS_PER_SOL;

const MEMOS = ['Coffee', 'Rent', 'Thanks!', 'Half of the taxi', 'Invoice 1042', 'Happy birthday 🎂'] as const;

const describe = (
  { network, url, wsUrl }: SolanaTrafficOptions,
  actors: readonly Actor[],
  table: AddressLookupTableAccount,
) => ({
  network,
  endpoint: url,
  websocket: wsUrl,
  accounts: actors.map(describeActor),
  mints: devnetTokens(network),
  lookupTable: table.key.toBase58(),
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

/** Of so many transactions one uses the lookup table, and one is a withdrawal from the vote account. */
const VERSIONED_EVERY = 3;
const VOTE_WITHDRAWAL_EVERY = 13;

/** The n-th transaction: the number determines actors, asset, amount, memo and version. */
const transfer = async (
  connection: Connection,
  spl: Spl,
  network: SolanaNetwork,
  actors: readonly Actor[],
  table: AddressLookupTableAccount,
  number: number,
): Promise<void> => {
  const from = actors[number % actors.length]!;
  const to = actors[(number + 1 + (number % (actors.length - 1))) % actors.length]!;
  await fundActor(connection, from);
  const assets = [null, ...devnetTokens(network)];
  const token = assets[Math.floor(number / 7) % assets.length] ?? null;
  const hundredths = 1 + (number % 5);
  const [sender, receiver] = [from.keypair.publicKey, to.keypair.publicKey];
  if (number % VOTE_WITHDRAWAL_EVERY === 0) {
    const withdrawal = voteWithdrawal(receiver, (LAMPORTS_PER_SOL / 1_000) * hundredths);
    return void (await send(connection, withdrawal, [localKeypair('faucet')]));
  }
  const instruction = token
    ? await tokenTransfer(connection, spl, token, sender, receiver, hundredths)
    : SystemProgram.transfer({
        fromPubkey: sender,
        toPubkey: receiver,
        lamports: (LAMPORTS_PER_SOL / 100) * hundredths + (number % 1000),
      });
  const instructions = [instruction, memo(MEMOS[number % MEMOS.length]!)];
  if (number % VERSIONED_EVERY === 0) await sendVersioned(connection, instructions, [from.keypair], table);
  else await send(connection, instructions, [from.keypair]);
};

/**
 * Actors send each other SOL and tokens with memos, until the signal. The first run creates the accounts; later runs
 * continue with them. Resolves when they exist.
 * @throws at the signal; the next run creates what is missing
 */
export async function startSolanaTraffic(
  options: SolanaTrafficOptions,
  signal: AbortSignal,
): Promise<SolanaTraffic> {
  const { network, url, pace = defaultPace, mayGrow = () => true, logger } = options;
  const connection = new Connection(url, {
    commitment: 'processed',
    fetchMiddleware(request, init, fetch) {
      if (signal.aborted) throw new Error('the local traffic is stopping');
      fetch(request, init);
    },
  });
  const spl = await loadSpl();
  const actors = createActors();
  for (const actor of actors) await fundActor(connection, actor);
  await seedTokens(connection, spl, network, actors);
  await seedStake(connection, actors[0]!);
  const addresses = actors.map(({ keypair }) => keypair.publicKey);
  const table = await seedLookupTable(connection, addresses);

  const run = async (): Promise<void> => {
    for (let done = 0; !signal.aborted; done += 1) {
      await sleep(pace(done), undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      if (!mayGrow()) continue;
      try {
        await transfer(connection, spl, network, actors, table, (await connection.getSlot()) + done);
      } catch (error) {
        if (!signal.aborted) logger.warn({ err: error, network }, 'local transfer failed');
      }
    }
  };
  return { description: describe(options, actors, table), running: run() };
}
