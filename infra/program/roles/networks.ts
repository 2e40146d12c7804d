import type { Request, RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { startLocalTraffic } from '../../devnet/traffic';
import { devnetPage } from '../../devnet/page';
import type { Component } from '../component';
import type { ProgramDeps } from '../feature';

/** Seeds the local networks and describes their accounts. The networks themselves run before any role starts. */
export function seedNetworks({ config, networks, logger, signal }: ProgramDeps): Component {
  const traffic = startLocalTraffic(config, networks, logger, signal);
  const page = devnetPage(networks, traffic);
  return {
    done: traffic.stopped,
    routers: [isLoopback(config.LOCAL_NETWORK_HOST) ? forThisMachine(page) : page],
  };
}

/** A page that shows keys and controls the networks is for those who can reach the networks. */
function forThisMachine(page: RequestHandler): RequestHandler {
  return (request, response, next) => (isFromThisMachine(request) ? page(request, response, next) : next());
}

function isFromThisMachine({ socket, headers }: Request): boolean {
  const forwarded = headers['x-forwarded-for'] ?? headers.forwarded;
  return forwarded === undefined && isLoopback(socket.remoteAddress ?? '');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}
