import { run, type Child } from '../child';
import { figure, once } from '../figure';
import { withoutNetworks } from '../ports';
import type { Row, Setting } from '../row';

const MIB = 2 ** 20;
/** As often all wallets close their streams and open them again: the application does so at each change of its screen. */
const ROUNDS = 3;

interface Measured {
  /** MiB of the server with all streams open, at last. */
  readonly memory: number;
  /** Seconds until all that were closed are open again, in the slowest round. */
  readonly reopened: number;
}

async function measure(
  server: Child,
  path: string,
  tokens: readonly string[],
  say: Setting['say'],
): Promise<Measured> {
  const url = await server.next<string>();
  const wallets = run('programs/card-stream-clients', [`${url}${path}`]);
  try {
    say(`connected in ${Math.round(await wallets.ask<number>(tokens))} ms`);
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round++) took.push(await wallets.ask<number>('again'));
    const memory = (await server.ask<number>('memory')) / MIB;
    return { memory, reopened: Math.max(...took) / 1_000 };
  } finally {
    await wallets.stop();
    await server.stop();
  }
}

/** As `npm start` sets them: memory that garbage only waits in is given back. */
const LEAN = {
  execArgv: ['--max-semi-space-size=8', '--heap-growing-percent=25'],
  env: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '32768' },
};

/**
 * Streams of updates, each of a card holder with a token of its own, in a process that does everything else too. The floor is a server
 * that only says that they are connected.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const clients = sized({ full: 10_000, quick: 1_000, smallest: 20 });
  const env = {
    ...process.env,
    ...(await withoutNetworks()),
    DATA_DIR: folder,
    PORT: '0',
    HOST: '127.0.0.1',
    CARD_SANDBOX: 'true',
    MAX_STREAMS: '0',
    MAX_STREAMS_PER_CALLER: '0',
    MAX_CONNECTIONS_PER_CALLER: '0',
  };
  say(`enrolling ${clients} card holders`);
  const prepared = run('programs/prepare-cards', ['tokens', String(clients)], { env });
  const tokens = await prepared.next<string[]>();
  await prepared.ended();
  say('streams');
  const ours = await measure(
    run('programs/serve', [], { env: { ...env, ...LEAN.env }, execArgv: LEAN.execArgv }),
    '/card/v2/updates',
    tokens,
    say,
  );
  say('the floor');
  const floor = await measure(run('programs/bare-websockets', []), '/', tokens, say);
  const what = `${clients.toLocaleString('en')} streams of card updates`;
  return [
    figure({ what: `${what}: memory, to bare ws`, unit: 'MiB' }, once(ours.memory, floor.memory), {
      of: 'value',
      atMost: 380,
    }),
    figure(
      { what: `${what}: all closed and open again, to bare ws`, unit: 's' },
      once(ours.reopened, floor.reopened),
      { of: 'value', atMost: 10 },
    ),
  ];
};
