import { useEffect, useRef, useState } from 'preact/hooks';
import { Form, TokenField } from './elements/form';
import { currentTokenRequest, onTokenRequest, type TokenRequest } from './token-requests';

/** Asks for a new token over what is shown, which stays as it is; the call that was refused then continues. */
export function TokenDialog() {
  const [request, setRequest] = useState(currentTokenRequest);
  useEffect(() => onTokenRequest(() => setRequest(currentTokenRequest())), []);
  return request && <Dialog key={request.account} request={request} />;
}

function Dialog({ request }: { readonly request: TokenRequest }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const { title, detail } = request.refusal.problem;
  return (
    <dialog ref={dialog} aria-labelledby="token-dialog-title" onCancel={() => request.cancel()}>
      <h2 id="token-dialog-title">{title}</h2>
      <p>{detail}</p>
      <p class="muted">What you have typed stays, and the call continues with the new token.</p>
      <Form submit="Continue" send={({ token = '' }) => request.answer(token)}>
        <TokenField label="New token" />
      </Form>
      <button type="button" onClick={() => request.cancel()}>
        Cancel
      </button>
    </dialog>
  );
}
