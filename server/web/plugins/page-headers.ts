import type { FastifyReply, FastifyRequest } from 'fastify'

/** Checks whether a browser navigates to the page; a program asks for data. */
export function wantsPage({ method, headers }: FastifyRequest): boolean {
  const isReading = method === 'GET' || method === 'HEAD'
  return isReading && headers.accept?.includes('text/html') === true
}

/**
 * Headers of every page with a session. There is no `form-action`, because Chromium applies it to the redirect after the
 * post, too, and would block the redirect to the app. The Hub's Referrer-Policy stays: with `no-referrer` a browser posts
 * the page's own forms with `Origin: null`.
 * @param options `isFramed`: the page may be shown in a frame of the dashboard, and of nothing else
 */
export function sendPage(
  reply: FastifyReply,
  status: number,
  page: string,
  { isFramed = false }: { isFramed?: boolean } = {},
): FastifyReply {
  const ancestors = isFramed ? "'self'" : "'none'"
  return reply
    .code(status)
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors ${ancestors}`,
    )
    .header('x-frame-options', isFramed ? 'SAMEORIGIN' : 'DENY')
    .header('referrer-policy', 'strict-origin-when-cross-origin')
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(page)
}
