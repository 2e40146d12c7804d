/**
 * For the help of a command that only shows what people make, each with their role and a secure session.
 * @param actions of the API that make it
 */
export function madeBy(actions: string): string {
  return `The running program makes them, for callers with a role and a secure session:
in the console (/console), or by POST /api/instance-admin with the action
${actions}.`;
}
