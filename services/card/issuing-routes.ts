import type { CardIssuer } from '../../contracts/card-issuer/issuer';
import { confirmCardOtpRequest, getCardOtpRequest } from '../../contracts/http/card/otp';
import {
  getAppleProvisioning,
  getGoogleProvisioning,
  listCardProvisioning,
} from '../../contracts/http/card/provisioning';
import { loadPrepaidCard, unloadPrepaidCard } from '../../contracts/http/card/own-cards';
import { CARD_ACCOUNTS } from '../../projections/card/accounts';
import { bind, type Binding } from '../http/binding';
import { answerOtpRequest, otpRequestOf, type OtpDeps } from './challenge/otp';
import {
  appleProvisioning,
  googleProvisioning,
  listProvisionable,
  type ProvisioningDeps,
} from './provisioning/provisioning';
import { answerWithCard } from './list/card-answer';
import { createAskIssuer } from './issuer/ask-issuer';
import { transferPrepaid, type PrepaidDeps } from './prepaid/transfer';
import { cardCaller, type CardCallerDeps } from './tokens/caller';

/** What the issuer asks card holders, and what it gives the wallets of their phones. */
export function cardIssuingRoutes(
  given: Omit<CardCallerDeps & OtpDeps & ProvisioningDeps & PrepaidDeps, 'askIssuer'> & {
    readonly issuer: () => Promise<CardIssuer>;
  },
): Binding[] {
  const deps = { ...given, askIssuer: createAskIssuer(given.issuer) };
  const moving = (endpoint: typeof loadPrepaidCard | typeof unloadPrepaidCard, to: 'load' | 'unload') =>
    bind(endpoint, async call => {
      const caller = await cardCaller(deps, call, call.body.token);
      const position = await transferPrepaid(deps, caller, to, call.body);
      await deps.views.waitForPosition(CARD_ACCOUNTS.name, position, deps.waitMs);
      return answerWithCard(deps, caller, call.body.id, null);
    });
  return [
    moving(loadPrepaidCard, 'load'),
    moving(unloadPrepaidCard, 'unload'),
    bind(getCardOtpRequest, async call => {
      const data = await otpRequestOf(deps, await cardCaller(deps, call, call.body.token));
      return { ok: true as const, ...(data && { data }) };
    }),
    bind(confirmCardOtpRequest, async call => {
      const caller = await cardCaller(deps, call, call.body.token);
      const error = await answerOtpRequest(deps, call, caller, call.body.data);
      return error === null ? { ok: true as const } : { ok: false as const, error };
    }),
    bind(listCardProvisioning, async call => {
      const caller = await cardCaller(deps, call, call.body.token);
      return { ok: true as const, cards: await listProvisionable(deps, caller) };
    }),
    bind(getAppleProvisioning, async call => {
      const { token, id, params } = call.body;
      return { data: await appleProvisioning(deps, await cardCaller(deps, call, token), id, params) };
    }),
    bind(getGoogleProvisioning, async call => {
      const { token, id, params } = call.body;
      return { data: await googleProvisioning(deps, await cardCaller(deps, call, token), id, params) };
    }),
  ];
}
