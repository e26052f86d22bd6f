import { isoTime } from '../../core/time.ts'
import type { TokenHistory, TokenItem, TokenRights } from '../../contract/control-tokens.ts'
import { isScope, scopes } from '../../contract/scopes.ts'
import { maskSecret } from '../../core/secrets.ts'
import { listTokenRights } from '../../hub/access/token-rights.ts'
import { readReveal } from '../../inspect/details/reveal.ts'
import { answeredTokens } from '../../inspect/details/token-details.ts'
import type { RequestRecord } from '../../inspect/log/request-log.ts'
import { readTokenStory } from '../../inspect/flows/token-history.ts'
import { findActor } from '../../store/system-user.ts'
import type { AccessToken } from '../../store/entities/oauth-entities.ts'
import { accountName, present, type ViewDeps } from '../../hub/access/refs.ts'
import { describeRequest, type LogViewDeps } from '../requests/view.ts'
import { tokenState } from '../../hub/oauth/token-view.ts'

const mostUses = 50
const mostOrganizations = 50

export function describeTokenHistory(deps: LogViewDeps, token: AccessToken): TokenHistory {
  const { issuedBy, refreshedFrom, refreshedInto, refreshToken, uses } = readTokenStory(deps, token)
  const issued =
    issuedBy === undefined
      ? []
      : answeredTokens(deps, deps.requests.flows.ofRequest(issuedBy.id), issuedBy, readReveal())
  const idToken = issued.find(({ name }) => name === 'id_token')
  const flowIdOf = ({ id }: RequestRecord) => deps.requests.flows.ofRequest(id)?.id
  return {
    ...(issuedBy === undefined
      ? {}
      : {
          issuedBy: {
            requestId: issuedBy.id,
            ...present({ flowId: flowIdOf(issuedBy) }, 'flowId'),
          },
        }),
    ...(refreshedFrom === undefined ? {} : { refreshedFrom: tokenRef(deps, refreshedFrom) }),
    ...(refreshedInto === undefined ? {} : { refreshedInto: tokenRef(deps, refreshedInto) }),
    ...(idToken === undefined ? {} : { idToken }),
    refreshToken,
    uses: uses.length,
    latestUses: uses
      .slice(-mostUses)
      .toReversed()
      .map((record) => describeRequest(deps, record, flowIdOf(record))),
  }
}

function tokenRef(
  deps: ViewDeps,
  token: AccessToken,
): Pick<TokenItem, 'id' | 'preview' | 'createdAt' | 'state'> {
  return {
    id: token.id,
    preview: maskSecret(token.token),
    createdAt: isoTime(token.createdAt),
    state: tokenState(deps, token),
  }
}

export function describeTokenRights(deps: ViewDeps, token: AccessToken): TokenRights {
  const { state } = deps
  const user = findActor(state, token.userId)
  const refused = reasonOfRefusal(deps, token)
  const granted = token.scopes.map((scope) => ({
    scope,
    ...(isScope(scope) ? { allows: scopes[scope].allows } : {}),
  }))
  const base = { ...(refused === undefined ? {} : { refused }), scopes: granted }
  if (user === undefined) return { ...base, owners: [], ownersLeftOut: 0, rows: [] }
  const organizations = state.organizations.group('member', user.id)
  const shown = organizations.slice(0, mostOrganizations)
  const rights = listTokenRights(
    deps,
    { user, token },
    shown.map(({ id }) => id),
  )
  return {
    ...base,
    owners: [
      { kind: 'user', name: user.username },
      ...shown.map(({ name, members }) => ({
        kind: 'organization' as const,
        name,
        ...present({ role: members.find(({ userId }) => userId === user.id)?.role }, 'role'),
      })),
    ],
    ownersLeftOut: organizations.length - shown.length,
    rows: rights.map(({ what, scopes: needed, verdicts }) => ({
      what,
      scopes: needed,
      cells: verdicts.map(({ ownerId, ...verdict }) => ({
        owner: accountName(deps, ownerId),
        ...verdict,
      })),
    })),
  }
}

function reasonOfRefusal(deps: ViewDeps, token: AccessToken): string | undefined {
  if (findActor(deps.state, token.userId) === undefined) return 'Its user no longer exists.'
  const state = tokenState(deps, token)
  if (state === 'expired') return `It ended at ${isoTime(token.expiresAt ?? 0)}.`
  if (state !== 'revoked') return undefined
  return `It was revoked at ${isoTime(token.revokedAt ?? 0)}: ${token.revokedBecause ?? 'by its user'}.`
}
