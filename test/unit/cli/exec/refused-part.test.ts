import { describe, expect, test } from 'vitest'
import { joined, kindsOf, refusedLines } from '../../../../server/cli/exec/refused-part.ts'

const request = (path: string, detail: string, error = 'invalid_request', status = 400) => ({
  method: 'POST',
  path,
  status,
  error,
  detail,
})
const next = 'To see each request, …'

describe('the refused requests of a failed run', () => {
  test('have one line for each kind, with its number and the reason of the first', () => {
    const kinds = kindsOf([
      request('/oauth/token?a=1', 'The code oac_1 has expired.', 'invalid_grant'),
      request('/api/repos/create', 'Unknown namespace "carol".'),
      request('/oauth/token', 'The code oac_2 has expired.', 'invalid_grant'),
      request('/api/repos/create', 'Unknown namespace "dave".'),
      request('/oauth/revoke', 'The code oac_2 has expired.', 'invalid_grant'),
    ])
    expect(refusedLines(kinds, next)).toEqual([
      'Refused requests of this run, with their reasons:',
      '  2 × POST /oauth/token  400 invalid_grant: The code oac_1 has expired.',
      '  2 × POST /api/repos/create  400 invalid_request: Unknown namespace "carol".',
      '  1 × POST /oauth/revoke  400 invalid_grant: The code oac_2 has expired.',
      next,
    ])
  })

  test('of several segments are counted together', () => {
    const one = kindsOf([request('/oauth/token', 'Wrong code_verifier.')])
    expect(joined([...one, ...one])).toMatchObject([{ count: 2 }])
  })

  test('are cut to ten lines, and a long reason to one', () => {
    const kinds = kindsOf(
      Array.from({ length: 13 }, (_, index) =>
        request('/oauth/token', 'x\n'.repeat(200), `e${'e'.repeat(index)}`),
      ),
    )
    const lines = refusedLines(kinds, next)
    expect(lines).toHaveLength(13)
    expect(lines[11]).toBe('  and 3 more kinds')
    for (const line of lines) expect(line.length).toBeLessThan(400)
  })

  test('are not mentioned if there are none', () => {
    expect(refusedLines([], next)).toEqual([])
  })
})
