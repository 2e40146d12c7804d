/** What a server of the tests is: the published program, something else that speaks its protocol, or our imitation. */
export type Kind = 'real' | 'stand-in' | 'double';

export interface RunningServer {
  /** The value of the setting that aims Tidemark at it. */
  readonly url: string;
  /** As it tells itself: name and version. */
  readonly version: string;
  /** Ends it as an operator would, and removes what it wrote. */
  stop(): Promise<void>;
  /** SIGKILL. What it has made durable stays. */
  kill(): Promise<void>;
  /** Starts it again at the same address with what it kept; resolves once it answers. */
  restart(): Promise<void>;
}

export interface TestServer {
  readonly name: string;
  readonly kind: Kind;
  readonly setting: 'EVENTSTORE_URL' | 'KAFKA_BROKERS' | 'MONGODB_URL' | 'REDIS_URL';
  /** Fetches what is missing, starts, and resolves once a real request was answered. @throws when it was not in time */
  start(folder: string): Promise<RunningServer>;
}
