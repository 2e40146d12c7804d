import { startLocalTraffic } from '../../devnet/traffic';
import { devnetPage } from '../../devnet/page';
import type { Component } from '../component';
import type { ProgramDeps } from '../feature';

/** Seeds the local networks and describes their accounts. The networks themselves run before any role starts. */
export function seedNetworks({ config, networks, logger, signal }: ProgramDeps): Component {
  const traffic = startLocalTraffic(config, networks, logger, signal);
  return { done: traffic.stopped, routers: [devnetPage(networks, traffic)] };
}
