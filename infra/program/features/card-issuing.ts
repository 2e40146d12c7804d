import { cardIssuer, servesIssuerDouble } from './card/issuer';
import { cardIssuingWith } from './card/issuing';

/** The issuer of cards: its webhooks, what it is told, and what it asks card holders. */
export const cardIssuing = cardIssuingWith(cardIssuer, [servesIssuerDouble]);
