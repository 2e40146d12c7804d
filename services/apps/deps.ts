import type { Views } from '../../projections/views';
import type { EventStore } from '../../contracts/ports/event-store';
import type { Handle } from '../commands/handle';
import type { PersonalTexts } from '../personal-texts/personal-text';
import type { CallerSource } from '../http/caller-source';
import type { FindWalletKey } from '../signing/wallet-key';
import type { AppReader } from './metadata/reader';

export interface AppDeps {
  readonly views: Pick<Views, 'count' | 'cached' | 'expectReadable' | 'find' | 'get' | 'waitForPosition'>;
  readonly handle: Handle;
  readonly store: Pick<EventStore, 'readStream'>;
  readonly texts: PersonalTexts;
  readonly findKey: FindWalletKey;
  readonly apps: AppReader;
  readonly sourceOf: CallerSource;
  /** Where the API is reached, such as `https://api.example.com`; null: where a call was sent to. */
  readonly publicUrl: string | null;
  readonly clock: () => Date;
  /** How long a command waits until reads include it. */
  readonly waitMs: number;
}
