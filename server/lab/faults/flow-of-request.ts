import { own } from '../../core/own.ts'
import { readBasic } from '../../core/basic-credentials.ts'
import type { State } from '../../store/state.ts'

type FlowState = Pick<State, 'codes' | 'tokens' | 'refreshTokens' | 'deviceAuthorizations'>

/** Sign-in of an app: all tokens from one authorization have the same family. */
export interface AppFlow {
  clientId: string
  familyId: string
}

/**
 * Returns the sign-in that a request belongs to, by the code or token that it sends. Expired, used and revoked ones count:
 * their requests are refused, but an app still sends them.
 */
export function flowOfRequest(
  state: FlowState,
  { authorization, body }: { authorization: string | undefined; body: unknown },
): AppFlow | undefined {
  const form = body instanceof URLSearchParams ? body : undefined
  const value = (name: string) => form?.get(name) ?? ''
  const bearer =
    /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? readBasic(authorization)?.password
  return (
    whole(state.tokens.find('token', bearer ?? '')) ??
    whole(state.codes.get(value('code'))) ??
    whole(state.refreshTokens.get(value('refresh_token'))) ??
    whole(state.deviceAuthorizations.get(value('device_code'))) ??
    whole(state.tokens.find('token', value('token') || value('access_token')))
  )
}

/** Returns the sign-in that a response begins: a redirect with a code, or a device code. */
export function flowOfResponse(
  state: FlowState,
  { location, payload }: { location: string | undefined; payload: unknown },
): AppFlow | undefined {
  if (location !== undefined) {
    return whole(state.codes.get(new URL(location).searchParams.get('code') ?? ''))
  }
  const deviceCode = own(jsonObject(payload), 'device_code')
  return typeof deviceCode === 'string'
    ? whole(state.deviceAuthorizations.get(deviceCode))
    : undefined
}

function whole(found: { clientId?: string; familyId?: string } | undefined): AppFlow | undefined {
  const { clientId, familyId } = found ?? {}
  return clientId === undefined || familyId === undefined ? undefined : { clientId, familyId }
}

function jsonObject(payload: unknown): Readonly<Record<string, unknown>> {
  if (typeof payload !== 'string' || !payload.startsWith('{')) return {}
  return JSON.parse(payload) as Readonly<Record<string, unknown>>
}
