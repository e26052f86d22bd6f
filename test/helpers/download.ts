import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import type { SandboxApp } from '../../server/web/front-door.ts'

const mostRedirects = 3

/** Asks for a file as clients do, which follow the redirects of `resolve` and keep method and headers. */
export async function download(
  { inject }: Pick<SandboxApp, 'inject'>,
  request: InjectOptions & { url: string },
): Promise<Response> {
  let answer = await inject(request)
  for (let count = 0; count < mostRedirects && isRedirect(answer); count++) {
    const { pathname, search } = new URL(String(answer.headers['location']), 'http://localhost')
    answer = await inject({ ...request, url: pathname + search })
  }
  return answer
}

function isRedirect({ statusCode }: Response): boolean {
  return statusCode === 302 || statusCode === 307
}
