import {
  CARD_CALLS,
  CARD_DEAD_TOKENS,
  CARD_ENROLMENTS,
  CARD_INVITATION_CHECKS,
} from '../../../contracts/http/card/mount';
import { CARD_CONTACT_CODES, CARD_STEPS } from '../../../contracts/http/card/own-user';
import {
  CARD_CHALLENGE_RESULTS,
  CARD_CHALLENGES,
  cardChallengesProjection,
} from '../../../projections/card/challenges';
import { CARD_ACCOUNT_CHANGES, cardAccountsProjection } from '../../../projections/card/accounts';
import { CARD_CHANGES, cardsProjection } from '../../../projections/card/cards';
import { cardTokensProjection } from '../../../projections/card/tokens';
import { CARD_VESTING_CHANGES, cardVestingsProjection } from '../../../projections/card/vestings';
import { cardUsersProjection } from '../../../projections/card/users';
import { CARD_PROOF_RETENTION } from '../../../services/card/enrolment/retention';
import { cardUserRoutes } from '../../../services/card/routes';
import { CARD_TOKEN_RETENTION } from '../../../services/card/tokens/retention';
import type { CardUpdateSource } from '../../../services/card/user/updates';
import { createContactCodes } from '../../../services/card/user/contact-codes';
import type { Feature, OwnHost, ProgramDeps } from '../feature';
import { masterKey, personalTexts } from '../personal-texts';
import { callerSource } from '../requests/caller-source';
import { CARD_BOUNDS } from './card/bounds';
import { cardCallerDeps } from './card/caller';
import { cardCommands } from './card/commands';
import { localCardHolders } from './card/local-holders';
import { CARD_SETTINGS, cardWebUrl } from './card/settings';

const CONNECT_TIMEOUT_MS = 10_000;

/** What has the application read again, beside the state of the user. */
const SOURCES: readonly CardUpdateSource[] = [
  { collection: CARD_ACCOUNT_CHANGES.name, update: 'accounts_changed' },
  { collection: CARD_CHANGES.name, update: 'accounts_changed' },
  { collection: CARD_VESTING_CHANGES.name, update: 'accounts_changed' },
  { collection: CARD_CHALLENGES.name, update: 'inapp_otp' },
  { collection: CARD_CHALLENGE_RESULTS.name, update: 'inapp_otp_confirmation' },
];

/** The card service: enrolment of wallets, and their owners as card holders. */
export const card: Feature = {
  name: 'card',
  settings: CARD_SETTINGS,
  settingPrefixes: ['CARD_'],
  quotas: [
    CARD_ENROLMENTS,
    CARD_STEPS,
    CARD_CONTACT_CODES,
    CARD_CALLS,
    CARD_DEAD_TOKENS,
    CARD_INVITATION_CHECKS,
  ],
  bounds: CARD_BOUNDS,
  retentions: [CARD_TOKEN_RETENTION, CARD_PROOF_RETENTION],
  projections: [
    cardUsersProjection,
    cardTokensProjection,
    cardChallengesProjection,
    cardAccountsProjection,
    cardsProjection,
    cardVestingsProjection,
  ],
  commands: cardCommands,
  workers: [localCardHolders],
  routes: async deps =>
    cardUserRoutes(await cardDeps(deps), { sources: SOURCES, connectTimeoutMs: CONNECT_TIMEOUT_MS }),
  hosts(config) {
    const { CARD_PORT, CARD_TESTNET_PORT } = config.of(CARD_SETTINGS);
    const host = (basePath: string, setting: string, port: number | undefined): OwnHost[] =>
      port === undefined ? [] : [{ role: 'api', basePath, port, setting }];
    return [
      ...host('/card', 'CARD_PORT', CARD_PORT),
      ...host('/card/testnet', 'CARD_TESTNET_PORT', CARD_TESTNET_PORT),
    ];
  },
};

/** What the endpoints of card holders need. */
async function cardDeps(deps: ProgramDeps) {
  const { config, handle, logger, use, readWait } = deps;
  const { CARD_INVITATIONS, MAX_CARD_USERS, MAX_CARD_TOKENS } = config.of(CARD_SETTINGS);
  return {
    ...cardCallerDeps(deps),
    handle,
    logger,
    texts: await use(personalTexts),
    sourceOf: await use(callerSource),
    codes: createContactCodes(await masterKey(config)),
    webUrl: (network: 'mainnet' | 'testnet') => cardWebUrl(config, network),
    instanceId: config.INSTANCE_ID,
    invitations: CARD_INVITATIONS,
    maxUsers: MAX_CARD_USERS,
    maxTokens: MAX_CARD_TOKENS,
    waitMs: readWait.waitMs,
  };
}
