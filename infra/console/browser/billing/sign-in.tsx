import { Form, TokenField } from '../elements/form';
import { useCommand } from '../elements/use-command';
import { Refusal } from '../refusal';
import { signIn } from '../session';
import { checkToken } from './admin';

/** Takes a token once the program has accepted it. */
export function SignIn() {
  const { run, error, isRunning } = useCommand(
    (token: string) => checkToken(token).then(() => token),
    token => signIn('billing', token),
  );
  return (
    <>
      <h2>Billing administration</h2>
      <p>
        Paste a token of the instance. <code>tidemark token --role admin --secure</code> prints one that may
        do everything here for 15 minutes; one of <code>--role finance</code> reads all but the audit trail.
        In the folder that <code>npm start</code> runs in, the command is{' '}
        <code>npm run -s tidemark -- token --role admin --secure</code>.
      </p>
      <Form
        submit="Sign in"
        error={error}
        isRunning={isRunning}
        send={({ token = '' }) => run(token.replace(/^Bearer\s+/i, ''))}
      >
        <TokenField label="Token" />
      </Form>
      {error instanceof Refusal && <p>Nothing can be read with this token: paste another one.</p>}
      <p class="muted">It stays in this tab alone, until you sign out or close it.</p>
    </>
  );
}
