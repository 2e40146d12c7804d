/** Status and parsed body of a JSON call: a POST where there is a body. */
export async function callJson<Body>(
  url: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly body: Body }> {
  const response = await fetch(url, {
    ...(body !== undefined && {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  return { status: response.status, body: (await response.json()) as Body };
}
