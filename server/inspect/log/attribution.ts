import type { FastifyRequest } from 'fastify'
import { isObject } from '../../core/is-object.ts'
import { own } from '../../core/own.ts'
import { formDecode, readBasic } from '../../core/basic-credentials.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** User of the browser that requested a page. */
    signedInUserId?: string
  }
}

export interface Attribution {
  clientId?: string | undefined
  userId?: string | undefined
  grantType?: string | undefined
}

/** Client and user that a request names. */
export function attribute(request: FastifyRequest): Attribution {
  const { principal, headers, body, query, standIn } = request
  if (standIn !== undefined) return { clientId: standIn.clientId, userId: standIn.userId }
  const known = principal as FastifyRequest['principal'] | undefined
  if (known?.kind === 'token') {
    return { userId: known.user.id, clientId: known.token.clientId }
  }
  if (known?.kind === 'session') return { userId: known.user.id }
  const form = body instanceof URLSearchParams ? body : undefined
  const clientId =
    form?.get('client_id') ??
    (query as Record<string, unknown>)['client_id'] ??
    // Git sends any name beside its token.
    (known === undefined ? basicClient(headers.authorization) : undefined)
  // The ID token of a CI job may come as JSON.
  const grantType =
    form?.get('grant_type') ?? (isObject(body) ? own(body, 'grant_type') : undefined)
  return {
    clientId: typeof clientId === 'string' ? clientId : undefined,
    userId: request.signedInUserId,
    grantType: typeof grantType === 'string' ? grantType : undefined,
  }
}

function basicClient(authorization: string | undefined): string | undefined {
  const name = readBasic(authorization)?.name
  return name === undefined ? undefined : formDecode(name)
}
