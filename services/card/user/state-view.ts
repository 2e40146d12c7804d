import type { CardUserStateView } from '../../../contracts/http/card/user';
import { cardUserState, type CardUser } from '../../../projections/card/fold-user';

/** What the app shows of a card holder. */
export function stateView(user: CardUser): CardUserStateView {
  const standing = { notificationSettings: { enabled: true }, suspended: user.suspended };
  const state = cardUserState(user);
  return state === 'need-kyc'
    ? { state, kycStatus: kycStatusOf(user.kyc), ...standing }
    : { state, ...standing };
}

type KycStatus = Extract<CardUserStateView, { state: 'need-kyc' }>['kycStatus'];

/** Null before the first start. */
function kycStatusOf({ startedAt, result }: CardUser['kyc']): KycStatus {
  if (startedAt !== null) return kycStatus('pending', false, null);
  return result && kycStatus('completed', true, result);
}

const kycStatus = (
  reviewStatus: string,
  completed: boolean,
  result: NonNullable<KycStatus>['result'],
): KycStatus => ({ applicantStatus: { review: { reviewStatus } }, completed, result });
