import type { CardUserStateView } from '../../../../contracts/http/card/user';
import { ActionButton } from '../elements/action-button';
import { Facts } from '../elements/facts';
import { Problem } from '../elements/problem';
import { ask } from './calls';
import { Sandbox } from './sandbox';
import { useChanged, useLive } from './changes';
import { ContactStep } from './contact-step';

/** What a card holder has to do next, and what is known of it. */
export function State() {
  const { value, error } = useLive(async () => ({
    ...(await ask('/account/state', {})),
    profile: (await ask('/v2/profile/get', {})).data,
  }));
  if (!value) return <Problem error={error} />;
  const { state, sandbox, profile } = value;
  return (
    <section aria-labelledby="state">
      <h2 id="state">Card holder {sandbox && <Sandbox />}</h2>
      <Problem error={error} />
      {state.suspended && <p class="notice bad">The card service has suspended this card holder.</p>}
      <Facts
        of={[
          ['State', <code>{state.state}</code>],
          [
            'Name',
            [profile.firstName, profile.middleName, profile.lastName].filter(Boolean).join(' ') || null,
          ],
          ['Phone', profile.phone || null],
          ['E-mail', profile.email || null],
          ['Country', profile.country || null],
          ['Document', [profile.documentKind, profile.documentNumber].filter(Boolean).join(' ') || null],
          ['User', <code>{profile.userId}</code>],
        ]}
      />
      <NextStep state={state} />
    </section>
  );
}

function NextStep({ state }: { readonly state: CardUserStateView }) {
  const changed = useChanged();
  switch (state.state) {
    case 'no-ref':
      return <p>This card holder has not been invited.</p>;
    case 'need-phone':
      return (
        <ContactStep
          key="phone"
          label="Phone number"
          name="phone"
          type="tel"
          hint="+4930123456"
          start={phone => ask('/v2/user/phone/start', { phone })}
          confirm={code => ask('/v2/user/phone/confirm', { code })}
        />
      );
    case 'need-email':
      return (
        <ContactStep
          key="email"
          label="E-mail address"
          name="email"
          type="text"
          hint="alice@example.com"
          start={email => ask('/v2/user/email/start', { email })}
          confirm={code => ask('/v2/user/email/confirm', { code })}
        />
      );
    case 'need-kyc':
      return (
        <fieldset>
          <legend>Identification</legend>
          <p>{kycText(state.kycStatus)}</p>
          <ActionButton
            label="Start the identification"
            send={() => ask('/v2/user/kyc/start', {})}
            done={changed}
          />
        </fieldset>
      );
    case 'ok':
      return null;
  }
}

function kycText(status: Extract<CardUserStateView, { state: 'need-kyc' }>['kycStatus']): string {
  if (status === null) return 'Not begun.';
  const { applicantStatus, result } = status;
  return [`The issuer says: ${applicantStatus.review.reviewStatus}`, result].filter(Boolean).join(', ');
}
