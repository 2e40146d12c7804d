/** What a server of the tests is: the published program, something else that speaks its protocol, or our imitation. */
export type Kind = 'real' | 'stand-in' | 'double';

export interface RunningServer {
  /** The value of the setting that aims Tidemark at it. */
  readonly url: string;
  /** Name and version, as it reports them. */
  readonly version: string;
  /** Stops it as an operator would, and removes its data. */
  stop(): Promise<void>;
  /** SIGKILL. What it has made durable stays. */
  kill(): Promise<void>;
  /** Starts it again at the same address with its data; resolves once it answers. */
  restart(): Promise<void>;
}

export interface TestServer {
  readonly name: string;
  readonly kind: Kind;
  readonly setting: 'EVENTSTORE_URL' | 'KAFKA_BROKERS' | 'MONGODB_URL' | 'REDIS_URL';
  /** Fetches what is missing, starts, and resolves once a real request was answered. @throws when it takes too long */
  start(folder: string): Promise<RunningServer>;
}
