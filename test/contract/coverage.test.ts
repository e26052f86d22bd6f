import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { covered, gaps } from '../../server/tools/docs/coverage.ts'
import { readComparison } from '../../server/tools/docs/hub-comparison.ts'
import { hubRoutes } from '../../server/tools/docs/hub-routes.ts'
import { renderHubCount } from '../../server/tools/docs/tables.ts'
import { buildTestApp, type TestApp } from '../helpers/app.ts'

const testFile = (path: string) => new URL(`../${path}`, import.meta.url)

let world: TestApp
let registered: string[]
beforeAll(async () => {
  world = await buildTestApp()
  const { paths } = (await world.server.inject('/_sandbox/openapi.json')).json<{
    paths: Record<string, object>
  }>()
  registered = Object.entries(paths)
    .filter(([path]) => path !== '/_sandbox' && !path.startsWith('/_sandbox/'))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
})

describe('the list of what is emulated', () => {
  const listed = hubRoutes.map(({ route }) => route)

  test('has a row in the tables for every route of the hub, and none for others', () => {
    expect(listed.toSorted()).toEqual(registered.toSorted())
  })

  test('describes the feature of every row once', () => {
    const features = new Set(hubRoutes.map(({ feature }) => feature))
    expect(covered.map(({ feature }) => feature).toSorted()).toEqual([...features].toSorted())
  })

  test('has the counts of a comparison with the Hub’s document', () => {
    const { month, operations, emulated, onPurpose } = readComparison()
    expect(month).toMatch(/^20\d\d-\d\d$/)
    expect(operations).toBeGreaterThan(emulated)
    // Most routes of the sandbox are in no other document, and each operation is one of its routes.
    expect(emulated).toBeGreaterThan(150)
    expect(emulated).toBeLessThan(3 * listed.length)
    expect(onPurpose).toBeGreaterThan(0)
    expect(
      renderHubCount({ month: '2026-08', operations: 5, emulated: 4, onPurpose: 3 }),
    ).toContain(
      "4 of the 5 operations in the Hub's own OpenAPI document (2026-08), and others that its clients call; 3 of their",
    )
  })

  // That each route is called and answers as described: `described-responses.test.ts`.
  test.each(covered)('names existing tests for: $name', ({ tests }) => {
    expect(tests.length).toBeGreaterThan(0)
    expect(tests.filter((path) => !existsSync(testFile(path)))).toEqual([])
  })
})

describe('the list of what is not emulated', () => {
  const requests = gaps.flatMap((gap) => Object.entries(gap.requests))

  test.each(requests)('%s is refused with %i', async (request, status) => {
    const [method = '', url = ''] = request.split(' ')
    const answer = await world.server.inject({ method: method as 'GET', url })
    expect(answer.statusCode).toBe(status)
  })
})
