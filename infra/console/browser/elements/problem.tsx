import { Refusal } from '../refusal';

/** What went wrong, in the words of the program, with the page that explains it. Nothing where nothing did. */
export function Problem({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null;
  if (!(error instanceof Refusal))
    return (
      <div class="notice bad" role="alert">
        <p>{error instanceof Error ? error.message : String(error)}</p>
      </div>
    );
  const { title, detail, type, code, errors = [], requestId } = error.problem;
  const isListed = errors.some(({ pointer, message }) => detail === `${pointer}: ${message}`);
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{title}</strong> (
        <a href={type} target="_blank" rel="noreferrer">
          {code}
        </a>
        )
      </p>
      {!isListed && <p>{detail}</p>}
      {errors.length > 0 && (
        <ul>
          {errors.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              <code>{pointer.replace(/^\/body\//, '')}</code>: {message}
            </li>
          ))}
        </ul>
      )}
      <p class="muted">
        Request <code>{requestId}</code>
      </p>
    </div>
  );
}
