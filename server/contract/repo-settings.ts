import { Type } from 'typebox'
import { OneOf } from './one-of.ts'
import { flag } from './plain-fields.ts'
import { discussionOrders } from './words/hub-words.ts'

/** Settings of a git repo beside its visibility and gate: members of requests, responses, fixtures and the stored repo. */
export const repoSettings = {
  discussionsDisabled: Type.Optional(
    flag('Whether discussions and pull requests are refused; default false'),
  ),
  discussionsSorting: Type.Optional(
    OneOf(discussionOrders, 'Order of discussions where none is requested'),
  ),
  orgMembersGated: Type.Optional(
    flag('Whether members of the organization need access to a gated repo, too, except its admins'),
  ),
  gatedNotificationsEmail: Type.Optional(
    Type.String({
      pattern: String.raw`^[A-Za-z0-9_'+.-]+@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$`,
      description: 'Address for notifications of access requests: kept, never used',
    }),
  ),
  gatedNotificationsMode: Type.Optional(
    OneOf(['bulk', 'real-time'], 'When notifications would be sent'),
  ),
}
export const RepoSettings = Type.Object(repoSettings)
