import type { CommandMetadata } from '../../../../contracts/decider';
import { gaslessJettonStream, type GaslessJettonPlace } from '../../../../contracts/events/gasless-jetton';
import type { TonNetwork } from '../../../../contracts/network/network';
import type { TonClient } from '../../../../contracts/ports/ton-client';
import { readJettonCode } from '../../../../indexers/ton/jetton-code';
import type { Handle } from '../../../../services/commands/handle';
import type { Relayer } from '../../../../services/gasless/deps';
import {
  gaslessJettonKind,
  type ListedJetton,
  type NamedJetton,
} from '../../../../services/gasless/jettons/decider';
import { networkMode } from '../../../config/network-settings';
import type { Config } from '../../../config/settings';

export function jettonPlace(config: Config, network: TonNetwork): GaslessJettonPlace {
  const isLocal = networkMode(config, { chain: 'ton', network }) === 'local';
  return { realm: isLocal ? 'local' : 'live', network };
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
      .map(({ master, decimals, perTon }) => [master, decimals, perTon].join(' '))
      .sort()
      .join('\n');
  return textOf(named) === textOf(listed);
}

interface CodeReading {
  readonly client: Pick<TonClient, 'getLastBlock' | 'getAccount' | 'runMethod'>;
  readonly handle: Handle;
  readonly place: GaslessJettonPlace;
  readonly clock: () => Date;
}

/** Reads the code of what a setting has listed when it is first needed, and records it. */
export function codeReader({ client, handle, place, clock }: CodeReading): Relayer['codeOf'] {
  return async ({ code, master }) => {
    if (code) return code;
    const { seqno } = await client.getLastBlock();
    const found = await readJettonCode(client, seqno, master);
    if (!found) return null;
    const outcome = await handle(gaslessJettonKind, gaslessJettonStream(place), {
      type: 'recordCode',
      place,
      master,
      code: found,
      metadata: { now: clock().toISOString(), actor: 'gasless' },
    });
    // Another process may have recorded it before.
    return (outcome.refusal ? null : outcome.state?.get(master)?.code) ?? found;
  };
}
