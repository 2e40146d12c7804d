import request from 'supertest';
import type { Engines } from '../../infra/engines/engines';
import type { Feature } from '../../infra/program/feature';
import { history } from '../../infra/program/features/history';
import { solana, solanaReadDeps } from '../../infra/program/features/solana';
import { tonContracts } from '../../infra/program/features/ton-contracts';
import { watch } from '../../infra/program/features/watch';
import type { Views } from '../../projections/views';
import type { SolanaReadDeps } from '../../services/solana/deps';
import { startTestProgram, type TestProgram, type TestProgramOptions } from '../program';
import type { LocalNetwork } from './local-network';

/** A program that serves one network of Solana, and the history over both chains without TON. */
export interface Program extends TestProgram {
  readonly engines: Engines;
  readonly views: Views;
  readonly reads: SolanaReadDeps;
  post(path: string, body: object): Promise<request.Response>;
}

interface ProgramOptions extends Pick<TestProgramOptions, 'settings' | 'clock'> {
  /** Further ones. */
  readonly features?: readonly Feature[];
  /** Of another program, which does everything but to serve the API. */
  readonly folder?: string;
  /** How long reads of lists wait, in milliseconds; default 2,000. */
  readonly listWaitMs?: number;
}

export async function startProgram(
  { devnet, client }: Pick<LocalNetwork, 'devnet' | 'client'>,
  { features = [], settings, folder, listWaitMs = 2_000, ...options }: ProgramOptions = {},
): Promise<Program> {
  const program = await startTestProgram({
    ...options,
    features: [watch, solana, history, ...features],
    // The history has contracts of TON observed.
    beside: [tonContracts],
    settings: { SOLANA_RPC_URL_MAINNET: devnet.url, ...settings },
    clients: { solana: () => client },
    readWait: { waitMs: 2_000, listWaitMs },
    ...(folder !== undefined && { folder, roles: ['api'] }),
  });
  const { engines, engine } = program.deps;
  return {
    ...program,
    engines,
    views: engine.views,
    reads: solanaReadDeps(program.deps),
    post: (path, body) => request(program.app).post(path).send(body),
  };
}
