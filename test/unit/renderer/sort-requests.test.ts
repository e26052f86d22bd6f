import { describe, expect, test } from 'vitest'
import {
  sortOfQuery,
  sortRequests,
} from '../../../renderer/features/requests/model/sort-requests.ts'
import { requestItem } from '../../helpers/query-items.ts'

describe('the order of the requests', () => {
  test.each([
    ['took:>1s', '-duration'],
    ['status:4xx took:>=100ms /api', '-duration'],
    ['took:<5ms', 'duration'],
    ['TOOK:<=5ms', 'duration'],
    ['-took:>1s', ''],
    ['took:', ''],
    ['"took:>1s"', ''],
    ['status:4xx', ''],
    ['', ''],
  ])('of the query %j is %j', (query, sort) => {
    expect(sortOfQuery(query)).toBe(sort)
  })

  const requests = [30, 5, 100].map((durationMs) =>
    requestItem({ id: `r${durationMs}`, durationMs }),
  )
  const ids = (text: string) => sortRequests(requests, text)?.map(({ id }) => id)

  test('follows a column, and is that of the log without one', () => {
    expect(ids('-duration')).toEqual(['r100', 'r30', 'r5'])
    expect(ids('duration')).toEqual(['r5', 'r30', 'r100'])
    expect(ids('')).toBeUndefined()
    expect(ids('constructor')).toBeUndefined()
  })
})
