import { Form, Select, TokenField } from '../elements/form';
import { useCommand } from '../elements/use-command';
import { useRead } from '../elements/use-read';
import { checkToken } from './calls';
import { localNetworks } from './local-networks';
import { chooseCardNetwork, signIn, type CardNetwork } from '../session';

/** Card holders of the local networks: their tokens are known to everybody, and issued to nobody elsewhere. */
const LOCAL_HOLDERS = [
  { name: 'Alice, who has accounts and cards', token: `local-alice-${'A'.repeat(31)}` },
  { name: 'Bob, who has only enrolled', token: `local-bob-${'B'.repeat(33)}` },
] as const;

const NETWORKS = [
  ['mainnet', 'main network'],
  ['testnet', 'test network'],
] as const;

/** For a card holder with a token, or one of the local networks. */
export function SignIn() {
  const local = useRead(localNetworks, []);
  const signingIn = useCommand(checked, signInOn);
  return (
    <>
      <h2>The card service, as a card holder sees it</h2>
      <p>
        A wallet is given a token when it enrols, by <code>POST /card/v2/user/wallet/connect</code> with
        proofs that it signs. Paste one.
      </p>
      <Form
        submit="Sign in"
        error={signingIn.error}
        isRunning={signingIn.isRunning}
        send={({ token = '', network }) => signingIn.run({ token, network: network as CardNetwork })}
      >
        <TokenField label="Token of the card holder" />
        <Select name="network" label="Network" options={NETWORKS} />
      </Form>
      <p class="muted">It stays in this tab alone, until you sign out or close it.</p>
      {local.value?.seeded && <LocalHolders />}
    </>
  );
}

interface Holder {
  readonly token: string;
  readonly network: CardNetwork;
}

async function checked(holder: Holder): Promise<Holder> {
  await checkToken(holder.token, holder.network);
  return holder;
}

function signInOn({ token, network }: Holder): void {
  chooseCardNetwork(network);
  signIn('card', token);
}

function LocalHolders() {
  return (
    <fieldset>
      <legend>On the local networks</legend>
      <div class="actions">
        {LOCAL_HOLDERS.map(({ name, token }) => (
          <button key={token} type="button" onClick={() => signInOn({ token, network: 'mainnet' })}>
            {name}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
