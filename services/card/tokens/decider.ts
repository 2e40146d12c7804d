import { refuse, type CommandMetadata } from '../../../contracts/decider';
import { cardTokenEvents, type CardTokenEvent } from '../../../contracts/events/card-token';
import type { TonNetwork } from '../../../contracts/network/network';
import { foldCardToken, type CardToken } from '../../../projections/card/tokens';
import type { StreamKind } from '../../commands/stream-kind';
import type { Remove } from '../../retention/retention';

interface Issue {
  readonly type: 'issue';
  /** SHA-256 of the token, hex. */
  readonly digest: string;
  readonly userId: string;
  readonly network: TonNetwork;
  /** Times that all tokens of the user were revoked. */
  readonly epoch: number;
  readonly source: string;
  readonly metadata: CommandMetadata;
}

interface Revoke {
  readonly type: 'revoke';
  readonly metadata: CommandMetadata;
}

/** So long a token is valid; the app has the wallet sign again then. */
export const TOKEN_VALID_DAYS = 90;
const DAY_MS = 86_400_000;

type State = (CardToken & { readonly digest: string }) | null;

/** A token is issued once, to one user, and is valid until it expires or is revoked. */
export const cardTokenKind: StreamKind<State, Issue | Revoke | Remove, CardTokenEvent> = {
  events: cardTokenEvents,
  decider: {
    initial: () => null,
    evolve(token, event) {
      const next = foldCardToken(token, event);
      return next && { ...next, digest: event.data.digest };
    },
    decide(token, command) {
      const { now: at } = command.metadata;
      if (command.type === 'issue') {
        if (token) return refuse('version_conflict', 'The token was issued before.');
        const { digest, userId, network, epoch, source } = command;
        const expiresAt = new Date(Date.parse(at) + TOKEN_VALID_DAYS * DAY_MS).toISOString();
        return [{ type: 'CardTokenIssued', data: { digest, userId, network, expiresAt, epoch, source, at } }];
      }
      if (!token) return [];
      const { digest, userId, network } = token;
      const data = { digest, userId, network, at };
      if (command.type === 'remove') return [{ type: 'CardTokenRemoved', data }];
      return token.revoked ? [] : [{ type: 'CardTokenRevoked', data }];
    },
  },
};
