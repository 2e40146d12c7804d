import type { CommandMetadata } from '../../contracts/decider';

/**
 * Of a command that the local networks give once in each stream: it has an id, so that it is not decided again at the next start,
 * and an operator who has decided otherwise since is not overruled.
 */
export function localNetworkMetadata(now: Date): CommandMetadata & { readonly commandId: string } {
  return { now: now.toISOString(), actor: 'local network', commandId: 'local network' };
}
