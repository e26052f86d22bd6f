import type { AccessRequestResponse } from '../../contract/hub-gates.ts'
import type { AccessStatus } from '../../contract/words/hub-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { isoTime } from '../../core/time.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { avatarAddress } from '../access/account-facts.ts'
import type { HubDeps } from '../hub-deps.ts'
import { requestIdOf } from './access-requests.ts'

/** Describes the access requests of a repo, the oldest first, without users that are gone. */
export function describeAccessRequests(
  { state }: Pick<HubDeps, 'state'>,
  repo: Repo,
  status?: AccessStatus,
): AccessRequestResponse[] {
  return repo.accessRequests
    .filter((request) => status === undefined || request.status === status)
    .toSorted((one, other) => one.at - other.at)
    .flatMap((request) => {
      const user = state.users.get(request.userId)
      if (user === undefined) return []
      const { id, username, fullname, isPro } = user
      const { at, fields, grantedBy, rejectionReason } = request
      return {
        requestId: requestIdOf(repo, id),
        user: {
          _id: id,
          user: username,
          fullname,
          avatarUrl: avatarAddress(username, user.avatarUrl),
          type: 'user' as const,
          isPro,
          // A user without a request has not agreed to share it.
          ...(grantedBy === undefined && { email: user.email }),
        },
        status: request.status,
        timestamp: isoTime(at),
        ...omitUndefined({ fields, grantedBy, rejectionReason }),
      }
    })
}
