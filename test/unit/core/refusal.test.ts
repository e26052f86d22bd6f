import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../server/core/refusal.ts'
import { isRouteFile } from '../../helpers/route-files.ts'

const server = fileURLToPath(new URL('../../../server/', import.meta.url))
const domain = ['fixtures', 'hub', 'lab/faults', 'lab/triggers']
const speaksHttp = (path: string) => isRouteFile(path) || /^hub\/(http|pages|mcp)\//.test(path)

/** The ways in which a refusal could be given a status. A receiver's or a rule's may be compared and passed on. */
const statuses = [
  /\bstatus(?:Code)?\s*[:=](?!=)\s*[45]\d\d\b/,
  /\bnew \w+\(\s*[45]\d\d\b/,
  /\b(?:refuse|fail|reject|forbid)\w*\(\s*[45]\d\d\b/i,
  /@throws[^\n]*[^,\d][45]\d\d\b/,
]

const saysStatus = (source: string) => statuses.some((pattern) => pattern.test(source))

describe('a refusal', () => {
  test('is an error with a cause', () => {
    const cause = new Error('why')
    const refusal = new Refusal('conflict', 'It is there already.', { cause })
    expect(refusal).toBeInstanceOf(Error)
    expect(refusal).toMatchObject({ name: 'Refusal', message: 'It is there already.', cause })
    expect(String(refusal)).toBe('Refusal: It is there already.')
  })

  test.each([
    "throw new Refusal(404, 'Repository not found')",
    'return { status: 403, message }',
    'this.status = 409',
    "throw new Refusal(\n  412,\n  'outdated')",
    'refuse(401, message)',
    '/** @throws {Refusal} `not_found` (404) */',
  ])('is seen by this test to say a status: %s', (source) => {
    expect(saysStatus(source)).toBe(true)
  })

  test.each(domain)('says no HTTP status in %s: that is for the routes to tell', (room) => {
    const files = readdirSync(server + room, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${room}/${name}`)
      .filter((path) => !speaksHttp(path.replaceAll('\\', '/')))
    expect(files).not.toEqual([])
    const talkative = files.filter((file) => saysStatus(readFileSync(server + file, 'utf8')))
    expect(talkative).toEqual([])
  })
})
