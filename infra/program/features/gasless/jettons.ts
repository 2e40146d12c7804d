import type { CommandMetadata } from '../../../../contracts/decider';
import { gaslessJettonStream, type GaslessJettonPlace } from '../../../../contracts/events/gasless-jetton';
import { networkName, type TonNetwork } from '../../../../contracts/network/network';
import type { Handle } from '../../../../services/commands/handle';
import {
  gaslessJettonKind,
  shortestPrice,
  type ListedJetton,
  type NamedJetton,
} from '../../../../services/gasless/jettons/decider';
import { networkMode } from '../../../config/network-settings';
import type { Config } from '../../../config/settings';

export function jettonPlace(config: Config, network: TonNetwork): GaslessJettonPlace {
  const isLocal = networkMode(config, { chain: 'ton', network }) === 'local';
  return { realm: isLocal ? 'local' : 'live', network };
}

/** Such as `TON testnet (local)`: a local network and a real one may have the same name. */
export function placeName({ realm, network }: GaslessJettonPlace): string {
  return `${networkName({ chain: 'ton', network })} (${realm === 'local' ? 'local' : 'real'})`;
}

/** Records the jettons that settings name as the list of a network that has none yet; returns the list that it has then. */
export async function importJettons(
  handle: Handle,
  place: GaslessJettonPlace,
  jettons: readonly NamedJetton[],
  metadata: CommandMetadata,
): Promise<readonly ListedJetton[]> {
  const stream = gaslessJettonStream(place);
  const outcome = await handle(gaslessJettonKind, stream, { type: 'import', place, jettons, metadata });
  return outcome.refusal ? [] : [...(outcome.state?.values() ?? [])];
}

/** Whether settings name the jettons that are listed, with the same decimals and prices. */
export function isSameList(named: readonly NamedJetton[], listed: readonly NamedJetton[]): boolean {
  const textOf = (jettons: readonly NamedJetton[]): string =>
    jettons
      .map(({ master, decimals, perTon }) => [master, decimals, shortestPrice(perTon)].join(' '))
      .sort()
      .join('\n');
  return textOf(named) === textOf(listed);
}
