import type { Logger } from 'pino';
import type { EventStore } from '../../contracts/ports/event-store';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import type { TonNetwork } from '../../contracts/network/network';
import type { Views } from '../../projections/views';
import type { Handle } from '../commands/handle';
import type { CallerSource } from '../http/caller-source';
import type { PersonalTexts } from '../personal-texts/personal-text';
import type { ContactCodes } from './user/contact-codes';

/** What the endpoints of card holders need. */
export interface CardDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly views: Pick<
    Views,
    'cached' | 'count' | 'expectReadable' | 'find' | 'get' | 'isOutdated' | 'subscribe' | 'waitForPosition'
  >;
  readonly handle: Handle;
  readonly texts: PersonalTexts;
  /** Opened at the first call. */
  readonly limits: () => Promise<RateLimits>;
  readonly sourceOf: CallerSource;
  readonly codes: ContactCodes;
  readonly clock: () => Date;
  readonly logger: Pick<Logger, 'debug' | 'warn'>;
  /** Whether the network has a card service. */
  isOn(network: TonNetwork): boolean;
  /** The web address of the card service; null: the address of this program that is called, where that is of this machine. */
  webUrl(network: TonNetwork): string | null;
  readonly instanceId: string;
  /** Ids of invitations; none: nobody needs one. */
  readonly invitations: readonly string[];
  /** That there may be; 0: any number. */
  readonly maxUsers: number;
  readonly maxTokens: number;
  /** How long a command waits until reads include it. */
  readonly waitMs: number;
}
