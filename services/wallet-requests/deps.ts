import type { Logger } from 'pino';
import type { Views } from '../../projections/views';
import type { Handle } from '../commands/handle';
import type { PersonalTexts } from '../personal-texts/personal-text';
import type { KeyedMutex } from '../commands/keyed-mutex';
import type { CallerSource } from '../http/caller-source';
import type { FindWalletKey } from '../signing/wallet-key';

export interface WalletRequestDeps {
  readonly views: Pick<Views, 'expectReadable' | 'find' | 'subscribe' | 'waitForPosition'>;
  readonly handle: Handle;
  readonly texts: PersonalTexts;
  readonly findKey: FindWalletKey;
  /** By wallet that is asked; its callers are sources. */
  readonly exclusive: KeyedMutex;
  readonly sourceOf: CallerSource;
  readonly clock: () => Date;
  readonly logger: Logger;
  /** How long a command waits until reads include it. */
  readonly waitMs: number;
}
