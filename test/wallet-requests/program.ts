import { internal, toNano } from '@ton/core';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { openSubjectKeysOf } from '../../infra/program/personal-texts';
import { tonContracts } from '../../infra/program/features/ton-contracts';
import { walletRequests } from '../../infra/program/features/wallet-requests';
import type { SubjectKeys } from '../../services/personal-texts/keys';
import { clientOf, quietDevnet } from '../devnet/ton';
import { startTestProgram, type TestProgram, type TestProgramOptions } from '../program';
import { temporaryFolder } from '../temporary-folder';

const NETWORK = 'testnet';

/** A local network with two wallets that are deployed and one that is not, and the folder of programs that read it. */
export interface WalletNetwork {
  readonly folder: string;
  readonly url: string;
  readonly alice: LocalWallet;
  readonly bob: LocalWallet;
  readonly undeployed: LocalWallet;
  /** Deploys a wallet. */
  deploy(wallet: LocalWallet): Promise<void>;
  close(): Promise<void>;
}

export async function startWalletNetwork(): Promise<WalletNetwork> {
  const folder = temporaryFolder();
  const devnet = await quietDevnet({ network: NETWORK });
  const client = clientOf(devnet.url);
  const deploy = async (wallet: LocalWallet): Promise<void> => {
    const { address } = wallet.contract;
    await devnet.faucet(address.toRawString(), toNano(10));
    await transfer(client, wallet, [internal({ to: address, value: 1n, bounce: false })]);
  };
  const [alice, bob, undeployed] = [
    localWallet('requestor', 'v5r1', NETWORK),
    localWallet('confirmant', 'v4r2', NETWORK),
    localWallet('undeployed', 'v5r1', NETWORK),
  ] as const;
  for (const wallet of [alice, bob]) await deploy(wallet);
  return {
    folder,
    url: devnet.url,
    alice,
    bob,
    undeployed,
    deploy,
    close: () => devnet.close(),
  };
}

/** A program that serves wallet requests. */
export interface RequestProgram extends TestProgram {
  readonly url: string;
  readonly keys: SubjectKeys;
  /** Of the clock of the program. */
  advance(ms: number): void;
}

/** @param options of a program that is not the first of the folder: it serves the API alone */
export async function startRequestProgram(
  { folder, url }: WalletNetwork,
  options: Pick<TestProgramOptions, 'roles' | 'settings'> = {},
): Promise<RequestProgram> {
  let aheadMs = 0;
  const program = await startTestProgram({
    ...options,
    features: [walletRequests],
    beside: [tonContracts],
    folder,
    settings: {
      TON_RPC_URL_TESTNET: url,
      // A client that is slow on a busy machine is not cut.
      STREAM_HEARTBEAT_SECONDS: '60',
      ...options.settings,
    },
    clock: () => new Date(Date.now() + aheadMs),
  });
  const { config, engines } = program.deps;
  return {
    ...program,
    url: await program.listen(),
    keys: await openSubjectKeysOf(config, engines),
    advance: ms => void (aheadMs += ms),
  };
}
