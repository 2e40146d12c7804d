import { openLocalEconomy } from '../../devnet/economy';
import { devnetPage } from '../../devnet/page';
import type { Part, RoleDeps } from './role';

/** Peoples the local networks and shows who lives there. The networks themselves are up before any role. */
export function peopleNetworks({ config, networks, logger, signal }: RoleDeps): Part {
  const economy = openLocalEconomy(config, networks, logger, signal);
  return { done: economy.stopped, pages: [devnetPage(networks, economy)] };
}
