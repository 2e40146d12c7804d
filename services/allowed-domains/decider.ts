import type { CommandMetadata } from '../../contracts/decider';
import { allowedDomainEvents, type AllowedDomainEvent } from '../../contracts/events/allowed-domain';
import type { StreamKind } from '../commands/stream-kind';
import { EMBEDDED_DOMAINS } from './embedded';

export interface DomainCommand {
  readonly type: 'allow' | 'revoke';
  /** As `webDomain` spells it. */
  readonly domain: string;
  readonly reason: string | null;
  readonly metadata: CommandMetadata;
}

/** Whether operators allow a domain; null while they have not decided, so that it is allowed when it is embedded. */
export const allowedDomainKind: StreamKind<boolean | null, DomainCommand, AllowedDomainEvent> = {
  events: allowedDomainEvents,
  decider: {
    initial: () => null,
    evolve: (_, { type }) => type === 'DomainAllowed',
    decide(decided, { type, domain, reason, metadata: { now: at, actor: by } }) {
      const isAllowed = decided ?? EMBEDDED_DOMAINS.includes(domain);
      if (isAllowed === (type === 'allow')) return [];
      return [
        { type: type === 'allow' ? 'DomainAllowed' : 'DomainRevoked', data: { domain, reason, at, by } },
      ];
    },
  },
};
