import type { Caller, Received } from './cast.ts'

const mostRedirects = 3

/** Requests a file as clients do, which follow the redirects of `resolve` and keep method and headers. */
export async function download(
  user: Caller,
  path: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
): Promise<Received> {
  let answer = await user.send(method, path, undefined, headers)
  for (let count = 0; count < mostRedirects && isRedirect(answer); count++) {
    answer = await user.send(method, String(answer.headers['location']), undefined, headers)
  }
  return answer
}

function isRedirect({ status }: Received): boolean {
  return status === 302 || status === 307
}
