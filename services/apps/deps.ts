import type { Views } from '../../projections/views';
import type { Handle } from '../handle';
import type { PersonalTexts } from '../personal-text';
import type { FindWalletKey } from '../wallet-key';

export interface AppDeps {
  readonly views: Pick<Views, 'cached' | 'find' | 'get' | 'waitForPosition'>;
  readonly handle: Handle;
  readonly texts: PersonalTexts;
  readonly findKey: FindWalletKey;
  readonly clock: () => Date;
  /** How long a command waits until reads include it. */
  readonly waitMs: number;
}
