import type { Request, RequestHandler } from 'express';
import { parseTonAddress } from '../../../contracts/account/address';
import { tokenStream } from '../../../contracts/events/token';
import { tokenKind } from '../../../services/tokens/verification/decider';
import {
  devnetPage,
  localNetworkMetadata,
  startLocalTraffic,
  type TonDevnetDescription,
} from '../../devnet/devnet';
import { allowHosts, isThisMachine, type IsAllowed } from '../../config/allowed-hosts';
import { Problem } from '../../../contracts/problem/problem';
import type { Component } from '../component';
import type { ProgramDeps } from '../feature';
import { allowedHosts } from '../sources/networks';

/** Seeds the local networks and describes their accounts. The networks themselves run before any role starts. */
export function seedNetworks(deps: ProgramDeps): Component {
  const { config, networks, logger, signal } = deps;
  const traffic = startLocalTraffic(config, networks.local, logger, signal, seeded =>
    trustMintless(deps, seeded),
  );
  const page = forItsHosts(allowHosts(allowedHosts(config)), devnetPage(networks.local, traffic));
  return {
    done: traffic.stopped,
    routers: [isThisMachine(config.LOCAL_NETWORK_HOST) ? forThisMachine(page) : page],
  };
}

/** Mintless jettons are listed where an operator trusts them. One who does not trust this one any more is not overruled. */
async function trustMintless(
  { handle, clock, logger }: Pick<ProgramDeps, 'handle' | 'clock' | 'logger'>,
  { network, mintless }: Pick<TonDevnetDescription, 'network' | 'mintless'>,
): Promise<void> {
  const address = parseTonAddress(mintless)!.raw;
  try {
    await handle(tokenKind, tokenStream(network, address), {
      type: 'set',
      network,
      address,
      verification: 'whitelist',
      metadata: localNetworkMetadata(clock()),
    });
  } catch (error) {
    logger.warn({ err: error, network, address }, 'local token could not be trusted');
  }
}

/** A page that shows keys and controls the networks is for those who can reach the networks. */
function forThisMachine(page: RequestHandler): RequestHandler {
  return (request, response, next) => (isFromThisMachine(request) ? page(request, response, next) : next());
}

/** For no page of another origin in the browser of a developer: it could have the networks fork. */
function forItsHosts(isAllowed: IsAllowed, page: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (!request.path.startsWith('/devnet')) return next();
    response.vary('Origin');
    if (isAllowed(request.headers)) return page(request, response, next);
    next(
      new Problem(
        'not_found',
        'Local networks are shown under the names of this machine, of PUBLIC_URL and of LOCAL_NETWORK_ALLOWED_HOSTS.',
      ),
    );
  };
}

function isFromThisMachine({ socket, headers }: Request): boolean {
  const forwarded = headers['x-forwarded-for'] ?? headers.forwarded;
  return forwarded === undefined && isThisMachine(socket.remoteAddress ?? '');
}
