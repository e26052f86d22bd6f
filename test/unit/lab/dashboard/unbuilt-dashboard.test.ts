import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { dashboardRoutes } from '../../../../server/lab/dashboard/routes.ts'
import type { ServerDeps } from '../../../../server/lab/server-deps.ts'

// A clone without a build.
vi.mock('../../../../server/core/package-root.ts', () => ({ packageRoot: '/no-build-here' }))

test('the dashboard of an unbuilt clone names the fix and is not in the OpenAPI document', async () => {
  const app = Fastify()
  const routes: { url: string; schema?: { hide?: boolean } }[] = []
  app.addHook('onRoute', (route) => void routes.push(route as (typeof routes)[number]))
  await app.register(dashboardRoutes, { deps: {} as ServerDeps })
  expect(routes.map(({ url, schema }) => [url, schema?.hide])).toContainEqual(['/_sandbox/', true])
  expect(routes.filter(({ schema }) => schema?.hide !== true)).toEqual([])
  const response = await app.inject('/_sandbox/')
  expect(response.statusCode).toBe(404)
  expect(response.json()).toMatchObject({
    error: 'not_built',
    message: expect.stringContaining('npm run build'),
  })
  await app.close()
})
