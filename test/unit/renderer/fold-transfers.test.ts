import { describe, expect, test } from 'vitest'
import { foldTransfers } from '../../../renderer/features/requests/model/fold-transfers.ts'
import type { RequestItem } from '../../../server/contract/control-requests.ts'

const second = (count: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, count)).toISOString()

function requestAt(
  at: number,
  transfer?: RequestItem['transfer'],
  more: Partial<RequestItem> = {},
): RequestItem {
  return {
    id: `request-${at}`,
    at: second(at),
    endedAt: second(at + 1),
    method: 'GET',
    path: '/api/x',
    status: 200,
    durationMs: 1000,
    ...(transfer && { transfer }),
    ...more,
  }
}

const part = (id: string, bytes = 0) => ({ id, right: 'write' as const, bytes })
const ids = (rows: readonly RequestItem[]) => rows.map(({ id }) => id)
const closed = () => false

describe('requests of a transfer', () => {
  const others = requestAt(2)
  const listed = [
    requestAt(4, part('a', 50)),
    requestAt(3, part('b')),
    others,
    requestAt(1, part('a', 10)),
  ]

  test('are one row at the place of the newest, with their bytes and whole time', () => {
    const { rows, transfers } = foldTransfers(listed, closed)
    expect(ids(rows)).toEqual(['transfer:a', 'request-3', 'request-2'])
    expect(rows[0]?.durationMs).toBe(4000)
    expect(transfers).toEqual(
      new Map([
        ['transfer:a', { isUpload: true, requests: 2, bytes: 60, failed: 0, isOpen: false }],
      ]),
    )
  })

  test('follow the row while it is open', () => {
    const { rows } = foldTransfers(listed, (id) => id === 'a')
    expect(ids(rows)).toEqual(['transfer:a', 'request-4', 'request-1', 'request-3', 'request-2'])
  })

  test('give it the status of the one that failed', () => {
    const failed = requestAt(1, part('a'), { status: 400, error: 'invalid' })
    const expected = requestAt(2, part('a'), { status: 404, error: 'not_found', expected: true })
    const { rows, transfers } = foldTransfers([requestAt(3, part('a')), expected, failed], closed)
    expect(rows).toMatchObject([{ status: 400, error: 'invalid' }])
    expect(transfers.get('transfer:a')?.failed).toBe(1)
  })
})
