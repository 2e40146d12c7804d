import '../../starts-programs';
import { DEMO } from '../../../contracts/http/billing/demonstration';
import { exampleCard } from '../../../contracts/http/card/example-cards';
import { EXAMPLE_CARD_TOKEN } from '../../../contracts/http/card/mount';
import { demoFees } from '../../../infra/program/features/billing/demo/fees';
import { LOCAL_MAINNETS } from '../../local-networks';
import { temporaryFolder } from '../../temporary-folder';
import { until } from '../../until';
import { startTidemark, tidemark, tidemarkJson, type Tidemark } from '../tidemark';
import { openConsole, type ConsolePage } from './browser';

const folder = temporaryFolder();
let program: Tidemark;
let page: ConsolePage;

beforeAll(async () => {
  program = await startTidemark({ DATA_DIR: folder, ...LOCAL_MAINNETS });
});
afterAll(async () => {
  await program?.kill('SIGTERM');
});

const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
  const response = await fetch(program.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return response.json();
};

const tokenOf = async (...flags: readonly string[]): Promise<string> =>
  (await tidemark(['token', '--role', 'admin', ...flags], { DATA_DIR: folder })).stdout.trim();

const HOSTILE = `<script>document.title = 'taken'</script><img src=x onerror="document.title = 'taken'">`;

describe('an admin of billing', () => {
  let token: string;
  beforeAll(async () => {
    token = await tokenOf('--secure');
    page = await openConsole(program.url, '');
  });
  afterAll(() => page.close());

  it.each([
    ['what is no token', async () => 'hello', 'unauthenticated'],
    [
      'a token that may not read',
      async () => (await tidemark(['token', '--role', 'viewer'], { DATA_DIR: folder })).stdout.trim(),
      'insufficient_role',
    ],
  ])('is told at once why %s is not taken', async (_, other, code) => {
    await page.type('Token', await other());
    await page.press('Sign in');
    await page.shows(code);
    expect(page.window.sessionStorage).toHaveLength(0);
  });

  it('signs in with a token, which is in no URL and not on the page', async () => {
    await page.shows('npm run -s tidemark -- token --role admin --secure');
    await page.type('Token', token);
    await page.press('Sign in');
    await page.shows('The ledger has no fees yet.');
    expect(page.text()).toContain('Audit trailadminSign out');
    const { document, location, localStorage } = page.window;
    expect(document.documentElement.outerHTML).not.toContain(token);
    expect(location.href).not.toContain(token);
    expect([localStorage.length, document.cookie]).toEqual([0, '']);
  });

  it('sees a fee that was recorded, and what a merchant is called as text, whatever it is', async () => {
    const fee = {
      id: 'fee-1',
      fee_type: 'swap',
      fee_amount: '1.25',
      gross_amount: '100',
      collection_status: 'collected',
      created_at: '2025-01-03T10:00:00.000Z',
      merchant_id: 'mallory',
      merchant_name: HOSTILE,
      merchant_slug: 'mallory-shop',
    };
    const recorded = await post('/api/fees', { fees: [fee] }, { Authorization: `Bearer ${token}` });
    expect(recorded).toEqual({ results: [{ id: 'fee-1', result: 'recorded' }] });
    await page.press('Fees');
    await page.press('Show');
    await page.shows('fee-1');
    expect(page.text()).toContain(`${HOSTILE} (mallory)`);
    expect(page.elements('#console script, #console img')).toBe(0);
    expect(page.window.document.title).toBe('Console · Tidemark');
  });

  it('sees the revenue of the newest month that has any, and gets back there from another one', async () => {
    await page.press('Revenue');
    await page.shows('By merchant');
    expect(page.text()).toContain('MerchantIdCountCollectedPending');
    expect(page.elements('h3 + table > caption.unseen')).toBe(2);
    expect(await page.typed('Month')).toBe('2025-01');
    await page.type('Month', '2025-02');
    await page.press('Show');
    await page.shows('There are no fees then.');
    await page.press('Show 2025-01');
    await page.shows('By merchant');
    expect(await page.typed('Month')).toBe('2025-01');
    await page.press('Invoices');
    await page.shows('Month of the invoice');
    expect(await page.typed('Month of the invoice')).toBe('2025-01');
    await page.press('Fees');
    await page.shows('fee-1');
  });

  it('opens what has happened to a fee above the others', async () => {
    await page.press('fee-1');
    await page.shows('What has happened');
    expect(page.elements('section:has(> #fee-history) ~ table')).toBe(1);
    await page.press('Close');
    await until(() => page.elements('#fee-history') === 0);
  });

  it('downloads the fees that are shown', async () => {
    await page.press('Download CSV');
    await page.shows('1 file saved');
    const [file] = await until(
      () => page.saved,
      ({ length }) => length === 1,
    );
    expect(file!.name).toBe('fees.csv');
    expect(file!.bytes.toString()).toMatch(/^id,.*\r\nfee-1,/);
  });

  it('has an invoice of the month drafted and finalized, sees each at once, and downloads it', async () => {
    await page.press('Invoices');
    await page.press('Preview');
    await page.press('Generate the draft of 2025-01');
    await page.shows('Draft of 2025-01');
    await page.press('Finalize');
    await page.press('Yes: finalize');
    await page.shows('Invoice INV-');
    await page.press('Download PDF');
    const { name, bytes } = (
      await until(
        () => page.saved,
        ({ length }) => length === 2,
      )
    )[1]!;
    expect(name).toMatch(/^invoice-INV-.*\.pdf$/);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('is told which field is wrong, and where that is explained', async () => {
    await page.press('Void it');
    await page.type('Reason', 'x'.repeat(501));
    await page.press('Void for good');
    await page.shows('Invalid request');
    expect(page.elements('[name=reason][aria-invalid=true]')).toBe(1);
    expect(page.elements('a[href="/problems/invalid_request"]')).toBe(1);
  });

  it('is asked for another token when the secure session is over, loses nothing typed, and the call goes on', async () => {
    await page.type('Reason', 'the wrong month');
    page.window.sessionStorage.setItem('tidemark-console-billing', await tokenOf());
    await page.press('Void for good');
    await page.shows('Secure session required');
    expect(await page.typed('Reason')).toBe('the wrong month');
    await page.type('New token', token);
    await page.press('Continue');
    await page.shows('voided');
    expect(page.text()).toContain('the wrong month');
    expect(page.text()).not.toContain('Secure session required');
  });

  it('is told which line of a rule is wrong', async () => {
    await page.press('Rebates');
    await page.press('Set the rule');
    await page.type('Tiers', '0.00 0.05\n\n1000.00 two');
    await page.press('Set');
    await page.shows('line 3, rate: ');
    expect(page.elements('[name=tiers][aria-invalid=true]')).toBe(1);
    expect(page.text()).not.toContain('tiers/1');
  });

  it('sees who has done what, to the second', async () => {
    await page.press('Audit trail');
    await page.shows('void_invoice');
    expect(page.text()).toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/);
    expect(page.text()).not.toMatch(/:\d\d\.\d+Z/);
  });

  it('begins with a month that has begun, although a later one has a fee', async () => {
    const future = {
      id: 'fee-2',
      fee_type: 'swap',
      fee_amount: '1',
      gross_amount: '100',
      created_at: '2930-01-03T10:00:00.000Z',
      merchant_id: 'ann',
      merchant_name: 'Ann',
      merchant_slug: 'ann',
    };
    const recorded = await post('/api/fees', { fees: [future] }, { Authorization: `Bearer ${token}` });
    expect(recorded).toEqual({ results: [{ id: 'fee-2', result: 'recorded' }] });
    await page.press('Fees');
    await page.shows('2930-01');
    await page.press('Revenue');
    await page.shows('By merchant');
    expect(await page.typed('Month')).toBe('2025-01');
  });

  it('is told what is a demonstration, and how to begin without it', async () => {
    expect(page.text()).not.toContain('nobody owes any of it');
    const authorized = { Authorization: `Bearer ${token}` };
    await post('/api/fees', { fees: demoFees('2025-03') }, authorized);
    const ofBakery = { action: 'list_fee_ledger', merchantSlug: DEMO.merchant.slug };
    await until(
      () => post('/api/instance-admin', ofBakery, authorized),
      answer => (answer as { total: number }).total > 0,
    );
    await page.press('Sign out');
    await page.type('Token', token);
    await page.press('Sign in');
    await page.shows('nobody owes any of it');
    expect(page.text()).toContain('run npm run -s tidemark -- reset --yes');
  });
});

it('somebody of finance sees no link to what finance may not read', async () => {
  const finance = await openConsole(program.url, '');
  await finance.shows('reads all but the audit trail');
  const args = ['token', '--role', 'finance'];
  await finance.type('Token', (await tidemark(args, { DATA_DIR: folder })).stdout.trim());
  await finance.press('Sign in');
  await finance.shows('finance: reads all but the audit trail');
  expect(finance.elements('nav a[href$="settlements"]')).toBe(1);
  expect(finance.elements('nav a[href$="audit-trail"]')).toBe(0);
  for (const address of ['#/billing/nonsense', '#/nonsense']) {
    finance.window.location.hash = '#/billing/fees';
    await finance.shows('Fees, newest first');
    finance.window.location.hash = address;
    await finance.shows('There is no such page');
    expect(finance.text()).not.toContain('newest first');
  }
  await finance.close();
});

const MILLISECONDS = /:\d\d\.\d+Z/;

describe('a card holder', () => {
  const cards = async (): Promise<{ id: string; status: string }[]> => {
    const { list = [] } = (await post('/card/v2/account/list', { token: EXAMPLE_CARD_TOKEN })) as {
      list?: { cards?: { id: string; status: string }[] }[];
    };
    return list.flatMap(account => account.cards ?? []);
  };
  beforeAll(async () => {
    // Those of the local network are made after the start.
    await until(cards, made => made.some(({ id }) => id === exampleCard('to-close')));
    page = await openConsole(program.url, '#/card');
  });
  afterAll(() => page.close());

  it('is told at once that a token is of nobody', async () => {
    await page.type('Token of the card holder', 'hello');
    await page.press('Sign in');
    await page.shows('card_token_invalid');
    expect(page.window.sessionStorage.getItem('tidemark-console-card')).toBeNull();
  });

  it('who has only enrolled confirms a phone number and an e-mail address, and is identified', async () => {
    await page.press('Bob');
    for (const [label, contact] of [
      ['Phone number', '+4930123457'],
      ['E-mail address', 'bob@example.com'],
    ] as const) {
      await page.type(label, contact);
      await page.press('Ask for a code');
      await page.shows('Nothing is sent');
      await page.type('Code', /the code is (\d{6})/.exec(page.text())![1]!);
      await page.press('Confirm');
      await until(() => !page.text().includes('Nothing is sent'));
    }
    await page.press('Start the identification');
    await page.shows('Stateok');
    await page.press('Sign out');
    await page.shows('as a card holder sees it');
    expect(page.window.sessionStorage.getItem('tidemark-console-card')).toBeNull();
  });

  it('orders a card and pays for it, in a sandbox', async () => {
    await page.press('Alice');
    await page.shows('Alice Example');
    expect(page.text()).toContain('Sandbox');
    await page.press('Order a card');
    await page.press('Order');
    await page.press('Pay for it');
    await page.shows('StatusACTIVE');
    await page.shows('card_paid0.5 TON');
  });

  it('is asked about a purchase while the page is open, and confirms it', async () => {
    await page.press('Overview');
    const cardId = exampleCard('to-freeze');
    await page.shows(cardId);
    // Nothing is sent by post, and no two cards have the same digits.
    expect(page.text()).toContain('CardDigitsKindStatusBalance');
    expect(page.text()).toContain(`${cardId}4245`);
    expect(page.text()).toContain(`${exampleCard('used')}4242`);
    await page.press(cardId);
    await page.shows('Freeze');
    await tidemarkJson(['card', 'scenario', 'three-d-secure', '--card', cardId, '--amount', '900'], {
      DATA_DIR: folder,
    });
    await page.shows('9.00 USD at Coffee (sandbox): is it you?');
    expect(page.text()).not.toMatch(MILLISECONDS);
    await page.press('Confirm');
    await page.shows('The purchase was confirmed');
    await page.shows('9.00 USD at Coffee (sandbox) (9.00 USD, 3 TON)');
  });

  it('freezes a card, sees when it is frozen, and unfreezes it', async () => {
    await page.press('Freeze');
    await page.press('Unfreeze');
    await page.shows('StatusACTIVE');
    expect(page.text()).toContain('card_unfreezeby the holder');
    expect(page.text()).toContain('accounts_changed');
    expect(page.text()).toMatch(/\d\d:\d\d:\d\dZ/);
    expect(page.text()).not.toMatch(MILLISECONDS);
  });
});
