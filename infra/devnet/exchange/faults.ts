/** What goes wrong on the way of a call; true when the call takes effect all the same. */
export const FAULTS = {
  'commit-then-drop': true,
  'commit-then-502': true,
  'wrong-id': true,
  truncated: true,
  huge: true,
  slow: true,
  'drop-before-commit': false,
  'http-502': false,
  'http-429': false,
  'requests-limit': false,
  'internal-error': false,
  html: false,
} as const satisfies Record<string, boolean>;

export type Fault = keyof typeof FAULTS;
