import { useState } from 'preact/hooks';
import type { OtpRequest } from '../../../../contracts/http/card/otp';
import { ActionButton } from '../elements/action-button';
import { toSecond } from '../elements/instant';
import { ask } from './calls';
import { useChanged, useLive } from './changes';

/** What the issuer asks about a purchase (3-D Secure), to be confirmed or rejected. */
export function Challenge() {
  // Asked only of who has done all steps: until then the program refuses, which is no news here.
  const { value } = useLive(() => ask('/v2/user/otp/requests', {}));
  const changed = useChanged();
  const [answer, setAnswer] = useState('');
  const asked = value?.data;
  return (
    <>
      {answer !== '' && <p role="status">{answer}</p>}
      {asked && (
        <section class="notice" aria-labelledby="challenge">
          <h2 id="challenge">The issuer asks</h2>
          <p>{question(asked)}</p>
          <p class="muted">Until {toSecond(asked.expiresAt)}</p>
          {asked.type === 'confirmation_request' && (
            <div class="actions">
              {(['CONFIRMED', 'REJECTED'] as const).map(status => (
                <ActionButton
                  key={status}
                  label={status === 'CONFIRMED' ? 'Confirm' : 'Reject'}
                  send={() => ask('/v2/user/otp/requests/confirm', { data: { id: asked.txnId, status } })}
                  done={result => {
                    setAnswer(
                      result.ok ? `The purchase was ${status.toLowerCase()}.` : `Refused: ${result.error}`,
                    );
                    changed();
                  }}
                />
              ))}
            </div>
          )}
        </section>
      )}
    </>
  );
}

function question(asked: OtpRequest): string {
  if (asked.type === 'activation_code') return `Activate the card with the code ${asked.code}.`;
  const purchase = `${asked.amount} ${asked.currency} at ${asked.merchant?.cleanName ?? asked.merchant?.dirtyName ?? 'a merchant'}`;
  return asked.type === 'otp_code' ? `${purchase}: the code is ${asked.code}.` : `${purchase}: is it you?`;
}
