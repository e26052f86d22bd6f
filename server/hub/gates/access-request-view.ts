import type { AccessRequestItem } from '../../contract/control-repo-contents.ts'
import type { AccessRequestResponse, AccessRequestsQuery } from '../../contract/hub-gates.ts'
import type { AccessStatus } from '../../contract/words/hub-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { isoTime, parseTime } from '../../core/time.ts'
import type { User } from '../../store/entities/account-entities.ts'
import type { AccessRequest, Repo } from '../../store/entities/hub-entities.ts'
import { nameKey } from '../../store/state.ts'
import type { HubDeps } from '../hub-deps.ts'
import { describePerson } from '../people/person-view.ts'
import { requestIdOf } from './access-requests.ts'

type ViewDeps = Pick<HubDeps, 'state'>

interface RequestFilter extends Pick<AccessRequestsQuery, 'after' | 'before'> {
  status?: AccessStatus
}

/** Lists the access requests of a repo with their users, the oldest first, without users that are gone. */
export function listAccessRequests(
  { state }: ViewDeps,
  { accessRequests }: Repo,
  { status, after, before }: RequestFilter = {},
): { request: AccessRequest; user: User }[] {
  return accessRequests
    .filter(
      (request) =>
        (status === undefined || request.status === status) &&
        request.at > (parseTime(after ?? '') ?? -Infinity) &&
        request.at < (parseTime(before ?? '') ?? Infinity),
    )
    .toSorted((one, other) => one.at - other.at)
    .flatMap((request) => {
      const user = state.users.get(request.userId)
      return user === undefined ? [] : { request, user }
    })
}

/** Describes the access requests of a repo as the hub's API does. */
export function describeAccessRequests(
  deps: ViewDeps,
  repo: Repo,
  filter: RequestFilter,
): AccessRequestResponse[] {
  return listAccessRequests(deps, repo, filter).map(({ request, user }) => {
    const { at, fields, status, grantedBy } = request
    const granter = grantedBy && deps.state.users.find('name', nameKey(grantedBy))
    return {
      requestId: requestIdOf(repo, user.id),
      user: {
        ...describePerson(user),
        ...shownEmail(request, user),
        verifiedOrgNames: [],
      },
      status,
      timestamp: isoTime(at),
      ...omitUndefined({ fields }),
      ...(grantedBy !== undefined && { grantedBy: granter ? describePerson(granter) : {} }),
    }
  })
}

/** Describes the access requests of a repo as the control API does. */
export function accessRequestItems(deps: ViewDeps, repo: Repo): AccessRequestItem[] {
  return listAccessRequests(deps, repo).map(({ request, user }) => {
    const { at, fields, status, grantedBy, rejectionReason } = request
    return {
      requestId: requestIdOf(repo, user.id),
      username: user.username,
      status,
      at: isoTime(at),
      ...omitUndefined({ fields, grantedBy, rejectionReason }),
    }
  })
}

/** A user without a request has not agreed to share it. */
export function shownEmail({ grantedBy }: AccessRequest, { email }: User): { email?: string } {
  return grantedBy === undefined ? { email } : {}
}
