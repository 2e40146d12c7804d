import type { Logger } from 'pino';
import type { AccountRef, TonNetwork } from '../../contracts/network/network';
import type { Views } from '../../projections/views';
import type { Handle } from '../commands/handle';
import type { PersonalTexts } from '../personal-texts/personal-text';
import type { Watch } from '../watch-account';
import type { CardCallerDeps } from './tokens/caller';

/** What the endpoints of accounts and cards need. */
export interface CardMoneyRoutesDeps extends CardCallerDeps {
  readonly views: CardCallerDeps['views'] & Pick<Views, 'find' | 'get' | 'waitForPosition'>;
  readonly handle: Handle;
  readonly texts: Pick<PersonalTexts, 'encrypt' | 'decryptAll'>;
  /** The addresses where accounts are topped up, while their holders read them. */
  readonly watch: Watch;
  readonly logger: Pick<Logger, 'debug' | 'warn'>;
  /** What a card costs, in units of the currency of its account. */
  priceOf(chain: AccountRef['chain']): string;
  /** Whether nothing of the network is real. */
  isSandbox(network: TonNetwork): boolean;
  /** How long a command waits until reads include it. */
  readonly waitMs: number;
}
