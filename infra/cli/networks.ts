import { Command, Option } from 'commander';
import {
  NETWORKS,
  type NetworkRef,
  type SolanaNetwork,
  type TonNetwork,
} from '../../contracts/network/network';
import { describeIdentity, loadIdentity } from '../../indexers/network-identity';
import { PROJECTIONS } from '../program/features';
import { networkMode, networkSetting } from '../config/network-settings';
import { findNetworks } from '../program/sources/networks';
import type { Config } from '../config/settings';
import { createAgreedIdentity } from './networks/agreed-identity';
import { isSound, reportLines, type NetworkReport } from './networks/report';
import { verifySolana } from './networks/solana';
import { verifyTon } from './networks/ton';
import { print } from '../program/commands/output';
import { withProgress } from '../config/progress';
import { withReads } from '../program/commands/reading';
import { UsageError } from '../program/commands/usage-error';
import type { Tools } from '../program/commands/with-engines';
import type { ProjectionEngine } from '../../projections/engine/engine';

interface VerifyFlags {
  readonly network: readonly string[];
  readonly fix: boolean;
  readonly identity?: string;
}

const keyOf = ({ chain, network }: NetworkRef): string => `${chain}:${network}`;
const KEYS = NETWORKS.map(keyOf);

export function networksCommand(config: () => Config): Command {
  return new Command('networks').description('stored data of the TON and Solana networks').addCommand(
    new Command('verify')
      .description(
        'compare stored data with the configured sources, and report what belongs to another network',
      )
      .addOption(new Option('--network <network...>', 'only these').choices(KEYS).default(KEYS, 'all'))
      .option('--fix', 'retract what belongs to another network, and read the true history again', false)
      .option(
        '--identity <identity>',
        'with --fix: confirm the identity of the source (printed without --fix) if another one is stored',
      )
      .addHelpText(
        'after',
        '\nSafe while the program runs. Data that the source no longer has cannot be\ncompared, and stays.\n\nExit codes:\n  0  all data belongs to the network, or was fixed\n  1  the sources cannot be used\n  2  some data belongs to another network',
      )
      .action(async (flags: VerifyFlags, command: Command) => {
        const settings = config();
        const output = command.optsWithGlobals<{ json: boolean }>();
        const asked = NETWORKS.filter(at => flags.network.includes(keyOf(at)));
        const off = asked.filter(at => networkMode(settings, at) === 'off');
        if (off[0] && command.getOptionValueSource('network') === 'cli')
          throw new UsageError(
            `${keyOf(off[0])} is off (${networkSetting(off[0])}=off): there is nothing to compare with`,
          );
        const reports = await withReads(settings, PROJECTIONS, async tools => {
          const done: NetworkReport[] = [];
          for (const at of asked)
            if (!off.includes(at)) done.push(await verify(settings, tools, keyOf(at), flags, output));
          return done;
        });
        print(
          [...reports, ...off.map(at => ({ network: keyOf(at), off: true }))],
          [...reports.flatMap(reportLines), ...off.map(at => `${keyOf(at)}: off`)],
          command,
        );
        if (reports.some(report => !isSound(report) && !report.fixed)) process.exitCode = 2;
      }),
  );
}

type VerifyTools = Tools & { readonly engine: ProjectionEngine };

async function verify(
  config: Config,
  { engines, engine, logger, signal }: VerifyTools,
  network: string,
  { fix, identity: confirmed }: VerifyFlags,
  output: { readonly json: boolean },
): Promise<NetworkReport> {
  const [chain, name] = network.split(':') as ['ton', TonNetwork] | ['solana', SolanaNetwork];
  const urls = await findNetworks(config);
  const sources = chain === 'ton' ? urls.ton[name] : urls.solana[name].map(({ url }) => url);
  const identity = createAgreedIdentity(network, pinnedIdentity(config, network), sources);
  const done = new AbortController();
  const ending = AbortSignal.any([signal, done.signal]);
  const shared = { ...engines, views: engine.views, fix, signal };
  const confirm = async (): Promise<string> => {
    const found = identity.agreed();
    const stored = await loadIdentity({ chain, network: name, documents: engines.documents });
    if (fix && stored !== null && stored !== found && confirmed !== found)
      throw new Error(
        `${network} was indexed from ${describeIdentity(stored)}, and its sources are ${describeIdentity(found)}. Everything of the former would be taken back. If the sources are right, confirm it with --identity ${found}`,
      );
    return found;
  };
  try {
    if (chain === 'ton') {
      const { createV4Source } = await import('../../indexers/ton/v4-source/v4-source.js');
      const source = createV4Source({ endpoints: urls.ton[name], identity });
      ending.addEventListener('abort', () => void source.close(), { once: true });
      await source.verifySources();
      const found = await confirm();
      return await withProgress(network, output, ({ at: onProgress }) =>
        verifyTon({ ...shared, onProgress, network: name, source, identity: found }),
      );
    }
    const { createSolanaClient } = await import('../engines/solana-client/solana-client.js');
    const { rpcSource } = await import('../../indexers/solana/rpc-source.js');
    const client = createSolanaClient({ urls: urls.solana[name], identity, logger, signal: ending });
    await client.verifySources();
    const source = rpcSource(client);
    const found = await confirm();
    return await withProgress(network, output, ({ at: onProgress }) =>
      verifySolana({ ...shared, onProgress, network: name, source, identity: found }),
    );
  } finally {
    done.abort();
  }
}

function pinnedIdentity(config: Config, network: string): string | undefined {
  const pinned: Readonly<Record<string, string | undefined>> = {
    'ton:mainnet': config.TON_ZEROSTATE_MAINNET,
    'ton:testnet': config.TON_ZEROSTATE_TESTNET,
    'solana:mainnet': config.SOLANA_GENESIS_MAINNET,
    'solana:devnet': config.SOLANA_GENESIS_DEVNET,
  };
  return pinned[network];
}
