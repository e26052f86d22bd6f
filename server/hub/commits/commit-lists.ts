import type { CommitEntryResponse } from '../../contract/hub-files.ts'
import { escapeHtml } from '../../core/escape-html.ts'
import { isoTime } from '../../core/time.ts'
import { avatarAddress } from '../access/account-facts.ts'
import type { Commit } from '../files/git-objects.ts'
import type { HubDeps } from '../hub-deps.ts'

/**
 * Describes a commit as the hub lists it.
 * @param formatted also with its texts as HTML
 */
export function listedCommit(
  { state }: Pick<HubDeps, 'state'>,
  commit: Commit,
  formatted: boolean,
): CommitEntryResponse {
  const { id, title, message, authorId, authorName, date } = commit
  const user = authorId === undefined ? undefined : state.users.get(authorId)
  return {
    id,
    title,
    message,
    authors: [{ user: authorName, avatar: avatarAddress(authorName, user?.avatarUrl) }],
    date: isoTime(date),
    ...(formatted ? { formatted: { title: escapeHtml(title), message: escapeHtml(message) } } : {}),
  }
}
