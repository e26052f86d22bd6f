import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { covered, gaps } from '../../server/tools/docs/coverage.ts'
import { handledOperations, hubOperations } from '../../server/tools/docs/hub-paths.ts'
import { hubRoutes } from '../../server/tools/docs/hub-routes.ts'
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

  test('counts each operation of the Hub’s document once, by routes that exist', () => {
    expect(new Set(hubOperations).size).toBe(hubOperations.length)
    const handled = handledOperations(listed)
    expect(handled).toEqual(
      expect.arrayContaining([
        'GET /api/whoami-v2',
        'GET /api/spaces/{namespace}/{repo}/tree/{rev}/{path}',
        'POST /api/{repoType}/{namespace}/{repo}/discussions/{num}/merge',
        'POST /api/settings/webhooks/{webhookId}/{action}',
        'GET /datasets/{namespace}/{repo}/user-access-report',
      ]),
    )
    expect(handled).not.toContain('GET /api/models/{namespace}/{repo}/treesize/{rev}/{path}')
    expect(handledOperations([])).toEqual([])
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
