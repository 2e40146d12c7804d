import { startExpoDouble } from '../../doubles/expo';

/** What the double of Expo was sent, when it is asked. */
export interface ExpoSent {
  readonly devices: number;
  readonly messages: number;
  /** With the number of messages of each. */
  readonly calls: readonly number[];
}

/** Program: the double of Expo's push service; reports its URL, and what it was sent since it was asked before. */
async function main(): Promise<void> {
  const double = await startExpoDouble();
  process.on('message', () => {
    const counts = [...double.sent.values()].map(({ length }) => length);
    const answer: ExpoSent = {
      devices: counts.length,
      messages: counts.reduce((sum, count) => sum + count, 0),
      calls: double.calls.splice(0).map(({ messages }) => messages),
    };
    double.sent.clear();
    process.send!(answer);
  });
  process.once('SIGTERM', () => void double.close().then(() => process.exit(0)));
  process.send!(double.url);
}

void main();
