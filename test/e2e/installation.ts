import { join } from 'node:path';
import { COMMANDS } from '../../infra/cli/commands';
import { readConfig } from '../../infra/program/settings/config';
import { runCommand } from '../command-line';
import { temporaryFolder } from '../temporary-folder';
import { call, callUntilReady, send, type Answer, type CallOptions } from './client';
import { startTidemark, type ExitStatus, type Tidemark } from './tidemark';

/** The local networks of `GET /devnet`. */
export interface LocalNetworks {
  readonly ton: readonly {
    readonly network: string;
    readonly endpoint: string;
    /** Absent until the network is seeded. */
    readonly accounts?: readonly {
      readonly name: string;
      readonly address: string;
      readonly rawAddress: string;
      readonly walletVersion: 'v4r2' | 'v5r1';
      readonly mnemonic: string;
    }[];
    readonly jettons?: readonly { readonly master: string }[];
    readonly mintless?: string;
    readonly nfts?: readonly { readonly collection: string; readonly items: readonly string[] }[];
    readonly extraCurrency?: number;
  }[];
  readonly solana: readonly {
    readonly network: string;
    readonly endpoint: string;
    readonly websocket: string;
    /** Absent until the network is seeded. */
    readonly accounts?: readonly { readonly address: string }[];
  }[];
}

/** A running program with its own data folder, for the tests of one file. */
export interface Installation {
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
  /** The current process. */
  readonly program: Tidemark;
  /** An access token of an admin in a secure session. */
  readonly token: string;
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  /** An action of `/api/instance-admin`, once documents have folded what it is to come `after`. */
  act(body: object, asking?: CallOptions): Promise<Answer>;
  /** Posts new fees. @returns the ledger position after them */
  record(fees: readonly object[]): Promise<string>;
  places(): Promise<LocalNetworks>;
  /**
   * The result of a command of `tidemark` with `--json`, beside the running program. It runs in this process: to start another
   * one takes a second of the processor.
   */
  command<Result>(...words: readonly string[]): Promise<Result>;
  start(): Promise<void>;
  stop(): Promise<ExitStatus>;
}

const TOKEN_SECONDS = 86_400;

export function installation({ traffic = false, settings: more = {} } = {}): Installation {
  const folder = temporaryFolder();
  const settings = {
    DATA_DIR: join(folder, 'data'),
    LOCAL_TRAFFIC: String(traffic),
    // Without one the wallet app refuses the configuration of a wallet.
    STAKING_POOLS_MAINNET: `0:${'5a'.repeat(32)}`,
    STAKING_POOLS_TESTNET: `0:${'5b'.repeat(32)}`,
    // Of tests, which may take hours on a busy machine.
    SECURE_SESSION_MAX_AGE: String(TOKEN_SECONDS),
    ...more,
  };
  let program: Tidemark;
  let token: string;

  const command = async <Result>(...words: readonly string[]): Promise<Result> => {
    const entry = COMMANDS.find(({ name }) => name === words[0]);
    const config = () => readConfig({ ...settings, LOG_LEVEL: 'fatal' });
    return JSON.parse(await runCommand([await entry!.load()], config, ['--json', ...words])) as Result;
  };
  const start = async (): Promise<void> => {
    program = await startTidemark(settings);
  };
  beforeAll(async () => {
    await start();
    const issue = ['token', '--role', 'admin', '--secure', '--ttl', String(TOKEN_SECONDS)];
    ({ token } = await command<{ token: string }>(...issue));
  });
  afterAll(() => program?.kill('SIGTERM'));

  return {
    folder,
    settings,
    get program() {
      return program;
    },
    get token() {
      return token;
    },
    get: path => call(program.url, 'GET', path),
    post: (path, body) => call(program.url, 'POST', path, { body }),
    act: (body, asking = {}) =>
      callUntilReady(program.url, 'POST', '/api/instance-admin', { token, ...asking, body }),
    async record(fees) {
      const answer = await call(program.url, 'POST', '/api/fees', { token, body: { fees } });
      expect(answer.status).toBe(200);
      const { results } = answer.body as { results: { result: string }[] };
      expect(new Set(results.map(({ result }) => result))).toEqual(new Set(['recorded']));
      return answer.headers.get('x-ledger-position')!;
    },
    places: async () => (await send(program.url, 'GET', '/devnet')).body as LocalNetworks,
    command,
    start,
    stop: () => program.kill('SIGTERM'),
  };
}

export function fee(id: string, more: object = {}) {
  return {
    id,
    fee_type: 'creation',
    fee_amount: '1.50',
    gross_amount: '100.00',
    collection_status: 'collected',
    created_at: '2026-01-20T11:00:00.000Z',
    merchant_id: 'm-1',
    merchant_name: 'Espresso, "Co" & Söhne',
    merchant_slug: 'espresso',
    ...more,
  };
}
