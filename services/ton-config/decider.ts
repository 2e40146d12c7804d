import type { CommandMetadata } from '../../contracts/decider';
import {
  addressWarningEvents,
  type AddressWarning,
  type AddressWarningEvent,
} from '../../contracts/events/address-warning';
import type { TonNetwork } from '../../contracts/network/network';
import type { StreamKind } from '../commands/stream-kind';

export interface WarningCommand {
  readonly type: 'add' | 'remove';
  readonly network: TonNetwork;
  /** Raw. */
  readonly address: string;
  readonly warning: AddressWarning;
  readonly metadata: CommandMetadata;
}

/** The warnings about an address. One that is there is not added again, and one that is not there is not removed. */
export const addressWarningKind: StreamKind<readonly AddressWarning[], WarningCommand, AddressWarningEvent> =
  {
    events: addressWarningEvents,
    decider: {
      initial: () => [],
      evolve: (warnings, { type, data: { warning } }) => {
        const others = warnings.filter(each => each !== warning);
        return type === 'AddressWarningAdded' ? [...others, warning] : others;
      },
      decide(warnings, { type, network, address, warning, metadata: { now: at, actor: by } }) {
        const adds = type === 'add';
        if (warnings.includes(warning) === adds) return [];
        const data = { network, address, warning, at, by };
        return [{ type: adds ? 'AddressWarningAdded' : 'AddressWarningRemoved', data }];
      },
    },
  };
