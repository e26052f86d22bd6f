import { useMemo } from 'react'
import { compileQuery, type QueryIssue } from '../../../../server/contract/query/compile-query.ts'
import { extentOf } from '../../../../server/contract/query/delivery-extent.ts'
import {
  bookmarkedMark,
  deliveryMarks,
  findKey,
} from '../../../../server/contract/query/query-keys.ts'
import { deliverySubject, type QueriedWebhook } from '../../../../server/contract/query/subjects.ts'
import { statusWordsOf } from '../../../../server/contract/delivery-result.ts'
import {
  deliveryStatusWords,
  listedDeliveryStates,
} from '../../../../server/contract/words/webhook-words.ts'
import type { DeliveryListFilters } from '../../../api/delivery-cache.ts'
import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import { useWebhookNames } from '../../../api/webhooks.ts'
import { useQueryNames } from '../../../shared/query/use-query-names.ts'
import { sandboxNow } from '../../../lib/sandbox-clock.ts'
import { decidedOf, succeededAtFirst } from './state-look.ts'

/** Values of `is:` with the mark of this browser. */
const queryMarks: ReadonlyMap<string, readonly string[]> = new Map([
  ['is', [...deliveryMarks, bookmarkedMark]],
])

/** Prepares a row for the query. */
export function subjectOfRow(
  row: DeliveryRow,
  webhook: QueriedWebhook | undefined,
  isBookmarked: boolean,
) {
  const at = Date.parse(row.createdAt)
  const decided = { ...decidedOf(row), at, atFirst: succeededAtFirst(row) }
  return deliverySubject({ ...row, ...decided }, webhook, isBookmarked ? [bookmarkedMark] : [])
}

/** Keys whose names are loaded: before that, every name would seem to exist. */
const namedKeys = ['user', 'webhook']
/** Query that no delivery matches. */
const nothing = 'id:"-"'
/** Skipped deliveries are returned only if asked for, together with every other state. */
const everyState = listedDeliveryStates.join(',')
/** Most bookmarks that a query searches: they are part of a URL. */
const mostBookmarks = 700

export interface DeliverySelection {
  text: string
  state: string
  skipped: boolean
  audited: boolean
  webhookId: string | undefined
  bookmarks: readonly string[]
}

function unknownState(state: string): QueryIssue {
  const known = deliveryStatusWords.join(', ')
  return { start: 0, end: 0, message: `Unknown state "${state}": use ${known}.` }
}

/** Filters for the control API, and the same test for a row that the live feed reports. */
export function useDeliveryFilter(selection: DeliverySelection) {
  const { text, state, skipped, audited, webhookId, bookmarks } = selection
  const known = useQueryNames(queryMarks)
  const webhooks = useWebhookNames()
  return useMemo(() => {
    const query = compileQuery('deliveries', text, { now: sandboxNow(), known })
    const isKnownState = state === '' || deliveryStatusWords.includes(state)
    const withSkipped = state === '' ? skipped || extentOf(query).skipped : state === 'skipped'
    const keys = query.terms.flatMap(({ key = '' }) => findKey('deliveries', key)?.[0] ?? [])
    const filters: DeliveryListFilters = {
      webhookId,
      q: (isKnownState ? query.valid : undefined) ?? nothing,
      state: isKnownState && state !== '' ? state : skipped ? everyState : undefined,
      audits: audited ? '1' : undefined,
      bookmarks: keys.includes('is') ? bookmarks.slice(-mostBookmarks).join(',') : undefined,
    }
    /** Checks what is listed without query and state. */
    const isListed = (row: DeliveryRow) =>
      (webhookId === undefined || row.webhookId === webhookId) &&
      (row.state !== 'skipped' || withSkipped)
    const isMatch = (row: DeliveryRow) => {
      if (!isListed(row)) return false
      if (state !== '' && !statusWordsOf(decidedOf(row)).includes(state)) return false
      const webhook = webhooks.get(row.webhookId)
      const names = webhook && { ...webhook, owner: webhook.owner.username }
      return query.test(subjectOfRow(row, names, bookmarks.includes(row.id)))
    }
    return {
      filters,
      isReady: namedKeys.every((key) => !keys.includes(key) || known(key) !== undefined),
      isListed,
      isMatch,
      known,
      issues: isKnownState ? query.issues : [unknownState(state), ...query.issues],
    }
  }, [text, state, skipped, audited, webhookId, bookmarks, known, webhooks])
}
