import type { FastifyRequest } from 'fastify'

export interface Attribution {
  clientId?: string | undefined
  userId?: string | undefined
  grantType?: string | undefined
}

/** Whose request it is, as far as it says so itself. */
export function attribute({ principal, headers, body, query }: FastifyRequest): Attribution {
  const known = principal as FastifyRequest['principal'] | undefined
  if (known?.kind === 'token') {
    return { userId: known.user.id, clientId: known.token.clientId }
  }
  if (known?.kind === 'session') return { userId: known.user.id }
  const form = body instanceof URLSearchParams ? body : undefined
  const clientId =
    form?.get('client_id') ??
    (query as Record<string, unknown>)['client_id'] ??
    basicUser(headers.authorization)
  const grantType = form?.get('grant_type')
  return {
    clientId: typeof clientId === 'string' ? clientId : undefined,
    grantType: grantType ?? undefined,
  }
}

function basicUser(authorization: string | undefined): string | undefined {
  const encoded = /^Basic +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  return Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)[0]
}
