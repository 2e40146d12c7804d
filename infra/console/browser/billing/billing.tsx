import type { ComponentChildren } from 'preact';
import { NoSuchPage } from '../elements/no-such-page';
import { linkTo, type Route } from '../route';
import { signOut } from '../session';
import { useToken } from '../use-token';
import { AuditTrail } from './audit-trail';
import { DemonstrationNotice } from './demonstration';
import { Fees } from './fees';
import { Invoice } from './invoice';
import { Invoices } from './invoices';
import { Merchants } from './merchants';
import { Rebates } from './rebates';
import { Revenue } from './revenue';
import { describeRole, readsAuditTrail, roleOf } from './role-of';
import { Settlement } from './settlement';
import { Settlements } from './settlements';
import { SignIn } from './sign-in';

interface Page {
  readonly title: string;
  list(): ComponentChildren;
  /** One of what is listed. */
  one?(id: string): ComponentChildren;
}

const PAGES: Readonly<Record<string, Page>> = {
  revenue: { title: 'Revenue', list: () => <Revenue /> },
  fees: { title: 'Fees', list: () => <Fees /> },
  invoices: { title: 'Invoices', list: () => <Invoices />, one: id => <Invoice key={id} invoiceId={id} /> },
  settlements: {
    title: 'Settlements',
    list: () => <Settlements />,
    one: id => <Settlement key={id} settlementId={id} />,
  },
  rebates: { title: 'Rebates', list: () => <Rebates /> },
  merchants: { title: 'Merchants', list: () => <Merchants /> },
  'audit-trail': { title: 'Audit trail', list: () => <AuditTrail /> },
};

/** The administration of billing, for who has a token of the instance. */
export function Billing({ route: [name = 'revenue', id] }: { readonly route: Route }) {
  const token = useToken('billing');
  if (token === null) return <SignIn />;
  const page = Object.hasOwn(PAGES, name) ? PAGES[name]! : null;
  const role = roleOf(token);
  const shown = Object.entries(PAGES).filter(([each]) => each !== 'audit-trail' || readsAuditTrail(role));
  return (
    <>
      <nav aria-label="Billing">
        {shown.map(([each, { title }]) => (
          <a key={each} href={linkTo('billing', each)} aria-current={each === name ? 'page' : undefined}>
            {title}
          </a>
        ))}
        <span class="muted">{describeRole(role)}</span>
        <button type="button" onClick={() => signOut('billing')}>
          Sign out
        </button>
      </nav>
      <DemonstrationNotice />
      {page === null ? (
        <NoSuchPage />
      ) : (
        <>
          <h2>{page.title}</h2>
          {id !== undefined && page.one ? page.one(id) : page.list()}
        </>
      )}
    </>
  );
}
