import { card } from '../../infra/program/features/card';
import { cardIssuingWith } from '../../infra/program/features/card/issuing';
import { recordingIssuer } from '../card/issuer';
import { startTestProgram } from '../program';

/** A program with the card service, in a process of its own that its parent kills. Its parent is told the URL. */
async function run(folder: string, secret: string): Promise<void> {
  const opened = await recordingIssuer().resource.open();
  const secrets = [Buffer.from(secret, 'hex')];
  const program = await startTestProgram({
    features: [card, cardIssuingWith({ open: () => Promise.resolve({ ...opened, secrets }) })],
    settings: { CARD_SANDBOX: 'true' },
    folder,
  });
  process.send!(await program.listen());
}

void run(process.argv[2]!, process.argv[3]!);
