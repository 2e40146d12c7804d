import type { z } from 'zod';
import type { listCardAccounts, listCardEvents } from '../../../../contracts/http/card/accounts';
import type { confirmCardOtpRequest, getCardOtpRequest } from '../../../../contracts/http/card/otp';
import type {
  blockCard,
  changeCardLimits,
  closeCard,
  closeCardAccount,
  freezeCard,
  loadPrepaidCard,
  orderCard,
  payForCard,
  unfreezeCard,
  unloadPrepaidCard,
} from '../../../../contracts/http/card/own-cards';
import type {
  confirmCardEmail,
  confirmCardPhone,
  startCardEmail,
  startCardKyc,
  startCardPhone,
} from '../../../../contracts/http/card/own-user';
import type { getCardAccountState, getCardProfile } from '../../../../contracts/http/card/user';
import type { createCardVesting, depositToCardVesting } from '../../../../contracts/http/card/vesting';
import { call, callWith } from '../client';
import { cardNetwork, type CardNetwork } from '../session';

/** The endpoints of card holders, by path. */
interface Endpoints {
  readonly '/account/state': typeof getCardAccountState;
  readonly '/v2/profile/get': typeof getCardProfile;
  readonly '/v2/account/list': typeof listCardAccounts;
  readonly '/v2/card/events': typeof listCardEvents;
  readonly '/v2/user/otp/requests': typeof getCardOtpRequest;
  readonly '/v2/user/otp/requests/confirm': typeof confirmCardOtpRequest;
  readonly '/v2/user/phone/start': typeof startCardPhone;
  readonly '/v2/user/phone/confirm': typeof confirmCardPhone;
  readonly '/v2/user/email/start': typeof startCardEmail;
  readonly '/v2/user/email/confirm': typeof confirmCardEmail;
  readonly '/v2/user/kyc/start': typeof startCardKyc;
  readonly '/v2/card/order': typeof orderCard;
  readonly '/v2/card/pay': typeof payForCard;
  readonly '/v2/card/freeze': typeof freezeCard;
  readonly '/v2/card/unfreeze': typeof unfreezeCard;
  readonly '/v2/card/block': typeof blockCard;
  readonly '/v2/card/close': typeof closeCard;
  readonly '/v2/card/prepaid/load': typeof loadPrepaidCard;
  readonly '/v2/card/prepaid/unload': typeof unloadPrepaidCard;
  readonly '/v2/account/limits': typeof changeCardLimits;
  readonly '/v2/account/close': typeof closeCardAccount;
  readonly '/v2/account/vesting/create': typeof createCardVesting;
  readonly '/v2/account/vesting/deposit': typeof depositToCardVesting;
}

type Path = keyof Endpoints;
type Body<At extends Path> = Omit<z.input<NonNullable<Endpoints[At]['body']>>, 'token'>;
type Answer<At extends Path> = z.output<NonNullable<Endpoints[At]['response']>>;

/** The path of the card service of a network. */
export function mountOf(network: CardNetwork): string {
  return network === 'mainnet' ? '/card' : '/card/testnet';
}

/** Makes one call that every card holder can make. @throws Refusal when the token is none of one, Unanswered */
export async function checkToken(token: string, network: CardNetwork): Promise<void> {
  const path: Path = '/account/state';
  await callWith(token, { path: mountOf(network) + path, account: 'card', body: () => ({ token }) });
}

/** Calls the card service in the name of the holder. @throws Refusal, Unanswered */
export async function ask<At extends Path>(path: At, body: Body<At>): Promise<Answer<At>> {
  const response = await call({
    path: mountOf(cardNetwork()) + path,
    account: 'card',
    body: token => ({ token, ...body }),
  });
  return (await response.json()) as Answer<At>;
}
