import { WrongNetwork } from '../../contracts/network/wrong-network';
import type { TonNetwork } from '../../contracts/network/network';
import { GetMethodFailed } from '../../contracts/ports/ton-client';
import { Problem } from '../../contracts/problem/problem';

const RETRY_AFTER_SECONDS = 5;

/**
 * A client whose calls fail with a problem where no node has answered: what a wallet asks for is then not known yet. What a
 * contract answers stays as it is.
 */
export function withNodeProblems<Client extends object>(client: Client, network: TonNetwork): Client {
  const problemOf = (error: unknown): unknown => {
    if (error instanceof GetMethodFailed || error instanceof Problem) return error;
    if (error instanceof WrongNetwork)
      return new Problem('source_wrong_network', `The nodes of ${network} serve another network.`, {
        retryAfter: RETRY_AFTER_SECONDS,
      });
    return Problem.unavailable(`No node of ${network} answers; try again.`, RETRY_AFTER_SECONDS);
  };
  const guarded = Object.entries(client).map(([name, call]) => [
    name,
    typeof call !== 'function'
      ? call
      : (...parameters: unknown[]): unknown => {
          const answer: unknown = (call as (...given: unknown[]) => unknown)(...parameters);
          if (!(answer instanceof Promise)) return answer;
          return answer.catch((error: unknown) => {
            throw problemOf(error);
          });
        },
  ]);
  return Object.fromEntries(guarded) as Client;
}
