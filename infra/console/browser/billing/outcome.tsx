import type { FeeResult } from '../../../../contracts/http/billing/responses';

/** What became of a fee that was sent. */
export function Outcome({ of }: { readonly of: FeeResult | null }) {
  if (of === null) return null;
  const { id, result, problem } = of;
  if (problem)
    return (
      <div class="notice bad" role="alert">
        <p>
          <a href={`/problems/${encodeURIComponent(problem.code)}`} target="_blank" rel="noreferrer">
            {problem.code}
          </a>
        </p>
        <p>{problem.detail}</p>
      </div>
    );
  return (
    <div class="notice good" role="status">
      <p>
        <code>{id}</code>: {result}
      </p>
    </div>
  );
}
