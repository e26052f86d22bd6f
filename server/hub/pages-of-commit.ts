import { Refusal } from '../core/refusal.ts'

/** Where a page begins of a list that a commit fixes: the pages belong together wherever its branch is by then. */
export interface PageStart {
  readonly commitId: string
  readonly offset: number
}

export function formatPageStart({ commitId, offset }: PageStart): string {
  return `${commitId}.${offset}`
}

/** @throws {Refusal} `invalid` for what {@link formatPageStart} did not make */
export function parsePageStart(cursor: string): PageStart {
  const [, commitId, offset] = /^([0-9a-f]{40})\.(\d{1,9})$/.exec(cursor) ?? []
  if (commitId === undefined) {
    throw new Refusal('invalid', 'Invalid cursor', {
      detail: `it is not one that a Link header gave: ${JSON.stringify(cursor.slice(0, 100))}`,
    })
  }
  return { commitId, offset: Number(offset) }
}
