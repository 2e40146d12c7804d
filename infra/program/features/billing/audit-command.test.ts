import { auditEvents, auditStream, type AuditEvent } from '../../../../contracts/events/audit';
import { commandLine } from '../../../../test/command-line';
import { openPersonalTexts } from '../../personal-texts';
import { auditCommand } from './audit-command';
import { withEngines } from '../../commands/with-engines';

const { config, run } = commandLine(auditCommand);

beforeAll(async () => {
  const settings = config();
  await withEngines(settings, async ({ engines }) => {
    const address = await (await openPersonalTexts(settings, engines)).encrypt('ann', '203.0.113.9');
    const call = {
      at: '2026-11-30T10:00:00.000Z',
      requestId: 'r-1',
      action: 'void_invoice',
      actor: 'ann',
      address,
      issuer: 'instance',
      role: 'admin',
      session: { id: 'session-1', age: 5 },
      about: { invoiceId: 'i-1' },
      outcome: 'refused',
      status: 404,
      code: 'invoice_not_found',
      replayed: true,
    } as const;
    const refusals = { action: null, actor: null, address, status: 401, code: 'unauthenticated', count: 1 };
    const nothingRecorded = {
      ...call,
      requestId: 'r-2',
      action: 'record_fees',
      about: { rows: '1', recorded: '0', refused: '1' },
      status: 200,
      code: null,
      replayed: false,
    };
    const events: AuditEvent[] = [
      { type: 'CallAudited', data: call },
      { type: 'CallAudited', data: nothingRecorded },
      {
        type: 'RefusalsCounted',
        data: { from: call.at, to: '2026-11-30T10:01:00.000Z', counts: [refusals], others: 2 },
      },
    ];
    const written = events.map((event, i) =>
      auditEvents.write(event, `00000000-0000-4000-8000-00000000000${i}`, {}),
    );
    await engines.store.append(auditStream(settings.INSTANCE_ID, '2026-11-30'), 'no_stream', written);
  });
});

test('the trail is a table of calls, and of refusals that were counted', async () => {
  const [header, call, nothingRecorded, refused, others] = (await run('audit')).split('\n');
  expect(header).toMatch(/^AT +OUTCOME +ACTION +BY +FROM +SECURE SESSION +ABOUT +REQUEST$/);
  expect(call).toMatch(
    /^2026-11-30T10:00:00\.000Z +404 invoice_not_found \(replayed\) +void_invoice +ann +203\.0\.113\.9 +5 s +invoiceId=i-1 +r-1$/,
  );
  expect(nothingRecorded).toMatch(/Z +200 refused +record_fees +ann .* rows=1 recorded=0 refused=1 +r-2$/);
  expect(refused).toMatch(/^2026-11-30T10:01:00\.000Z +401 unauthenticated, 1 time +203\.0\.113\.9$/);
  expect(others).toMatch(/Z +refused, 2 times +erased$/);
});

test('with --json it is a line each, without a header', async () => {
  const lines = (await run('--json', 'audit')).trim().split('\n');
  expect(lines.map(line => (JSON.parse(line) as { kind: string }).kind)).toEqual([
    'call',
    'call',
    'counted',
    'counted',
  ]);
});
