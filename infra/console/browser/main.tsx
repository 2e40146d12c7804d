import { render } from 'preact';
import { Billing } from './billing/billing';
import { Card } from './card/card';
import { NoSuchPage } from './elements/no-such-page';
import { linkTo, useRoute } from './route';
import { TokenDialog } from './token-dialog';

function Console() {
  const [account = 'billing', ...rest] = useRoute();
  const isCard = account === 'card';
  const isBilling = account === 'billing';
  return (
    <>
      <header>
        <h1>Console</h1>
        <span class="muted">
          <a href="/">Tidemark</a>
        </span>
        <a href={linkTo('billing')} aria-current={isBilling ? 'true' : undefined}>
          Billing
        </a>
        <a href={linkTo('card')} aria-current={isCard ? 'true' : undefined}>
          Card
        </a>
      </header>
      <main>{isCard ? <Card route={rest} /> : isBilling ? <Billing route={rest} /> : <NoSuchPage />}</main>
      <TokenDialog />
    </>
  );
}

render(<Console />, document.getElementById('console')!);
