import type { CommandMetadata } from '../../contracts/decider';
import {
  serviceAddressEvents,
  type Service,
  type ServiceAddressEvent,
} from '../../contracts/events/service-address';
import type { AccountRef } from '../../contracts/network/network';
import type { StreamKind } from '../commands/stream-kind';

export type ServiceAddressCommand = {
  readonly account: AccountRef;
  readonly metadata: CommandMetadata;
} & ({ readonly type: 'add'; readonly service: Service } | { readonly type: 'remove' });

/** The service that an address belongs to; null while it is of none. */
export const serviceAddressKind: StreamKind<Service | null, ServiceAddressCommand, ServiceAddressEvent> = {
  events: serviceAddressEvents,
  decider: {
    initial: () => null,
    evolve(_, event) {
      if (event.type === 'ServiceAddressRemoved') return null;
      const { service, type, icon } = event.data;
      return { service, type, icon };
    },
    decide(known, command) {
      const { account } = command;
      const { now: at, actor: by } = command.metadata;
      if (command.type === 'remove')
        return known ? [{ type: 'ServiceAddressRemoved', data: { account, at, by } }] : [];
      const { service, type, icon } = command.service;
      if (known?.service === service && known.type === type && known.icon === icon) return [];
      return [{ type: 'ServiceAddressAdded', data: { account, service, type, icon, at, by } }];
    },
  },
};
