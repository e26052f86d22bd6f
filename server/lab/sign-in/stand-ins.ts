import type { OutgoingHttpHeaders } from 'node:http'
import type { Deps } from '../../hub/deps.ts'
import { nameKey } from '../../store/state.ts'

// The control API answers for a user without the pages. In the log, in its flow and to the rules that break answers
// it is what a browser would have sent. Bodies are read as they came: their checks are still to come.

type Told = { status: number; headers: OutgoingHttpHeaders }

/** Builds the authorization request that a call stands for. */
export function authorizationStandIn(deps: Pick<Deps, 'state'>, body: unknown) {
  const { user, decision: _decision, organizations: _organizations, ...parameters } = members(body)
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (['string', 'number', 'boolean'].includes(typeof one)) query.append(name, String(one))
    }
  }
  return {
    method: 'GET',
    url: `/oauth/authorize?${query.toString()}`,
    clientId: query.get('client_id') ?? undefined,
    userId: findUserId(deps, user),
    answer(payload: unknown, status: number): Told {
      const { redirectTo } = status === 200 ? members(parse(payload)) : {}
      return typeof redirectTo === 'string'
        ? { status: 303, headers: { location: redirectTo } }
        : { status, headers: {} }
    },
  }
}

/** Builds the decision for a device that a call stands for. */
export function deviceStandIn(deps: Pick<Deps, 'state'>, params: unknown, body: unknown) {
  const { userCode } = members(params)
  const query = new URLSearchParams({ user_code: String(userCode) })
  return {
    method: 'POST',
    url: `/oauth/device/verify?${query.toString()}`,
    userId: findUserId(deps, members(body)['user']),
    answer: (_payload: unknown, status: number): Told => ({ status, headers: {} }),
  }
}

function findUserId({ state }: Pick<Deps, 'state'>, name: unknown): string | undefined {
  return typeof name === 'string' ? state.users.find('name', nameKey(name))?.id : undefined
}

function members(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function parse(payload: unknown): unknown {
  try {
    return typeof payload === 'string' ? JSON.parse(payload) : undefined
  } catch {
    // A fault may have changed the response.
    return undefined
  }
}
