import { expect, test } from 'vitest'
import { describeReconstruction } from '../../../../server/hub/xet/describe.ts'

test('chunks that several parts of a file share are listed once', () => {
  const xorb = 'a'.repeat(64)
  const part = (start: number, end: number) => ({
    xorb,
    start,
    end,
    bytes: end - start,
    sent: { first: start * 10, last: end * 10 - 1 },
  })
  const terms = [part(0, 1), part(0, 2), part(5, 7), part(6, 9), part(5, 6)]
  const { fetch_info: places } = describeReconstruction(
    { terms, skipped: 0 },
    (_, { first, last }) => `${first}-${last}`,
  )
  expect(places).toEqual({
    [xorb]: [
      { range: { start: 0, end: 2 }, url: '0-19', url_range: { start: 0, end: 19 } },
      { range: { start: 5, end: 9 }, url: '50-89', url_range: { start: 50, end: 89 } },
    ],
  })
})
