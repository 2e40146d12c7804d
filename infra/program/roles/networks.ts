import type { Request, RequestHandler } from 'express';
import { devnetPage, startLocalTraffic } from '../../devnet/devnet';
import { allowHosts, isThisMachine, type IsAllowed } from '../../config/allowed-hosts';
import { Problem } from '../../../contracts/problem/problem';
import type { Component } from '../component';
import type { ProgramDeps } from '../feature';
import { allowedHosts } from '../sources/networks';

/** Seeds the local networks and describes their accounts. The networks themselves run before any role starts. */
export function seedNetworks(deps: ProgramDeps): Component {
  const { config, features, networks, logger, signal } = deps;
  if (networks.local.ton.size + networks.local.solana.size === 0) return {};
  const traffic = startLocalTraffic(config, networks.local, logger, signal, async seeded => {
    await Promise.all(features.all.map(feature => feature.onLocalNetwork?.(deps, seeded)));
  });
  const page = forItsHosts(allowHosts(allowedHosts(config)), devnetPage(networks.local, traffic));
  return {
    done: traffic.stopped,
    routers: [isThisMachine(config.LOCAL_NETWORK_HOST) ? forThisMachine(page) : page],
  };
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
