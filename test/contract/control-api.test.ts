import { beforeAll, describe, expect, test } from 'vitest'
import { controlApi, type Endpoint } from '../../server/contract/control-api.ts'
import { buildTestApp, type TestApp } from '../helpers/app.ts'

const rows = Object.entries<Endpoint>(controlApi)

let world: TestApp
let registered: string[]
beforeAll(async () => {
  world = await buildTestApp()
  const { paths } = (await world.server.inject('/_sandbox/openapi.json')).json<{
    paths: Record<string, object>
  }>()
  const root = '/_sandbox/api/'
  registered = Object.entries(paths)
    .filter(([path]) => path.startsWith(root))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice(root.length)}`),
    )
})

describe('the table of the control API', () => {
  test('holds every route below its root, and none that is not there', () => {
    const listed = rows.map(([key]) => key.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}'))
    expect(listed.toSorted()).toEqual(registered.toSorted())
  })

  test.each(rows)('describes each part of the path of %s', (key, { params }) => {
    const named = [...key.matchAll(/:(\w+)|(\*)$/g)].map((match) => match[1] ?? '*')
    const { properties = {} } = (params ?? {}) as { properties?: object }
    expect(Object.keys(properties)).toEqual(named)
  })
})

describe('a query', () => {
  const ask = async (path: string) => {
    const answer = await world.server.inject(`/_sandbox/api/${path}`)
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() }
  }

  test('with a name that the endpoint does not have is refused, and told which was likely meant', async () => {
    const message = 'is not a known key (did you mean "clientId"?)'
    expect(await ask('requests?client_ids=a&limit=1')).toEqual({
      status: 400,
      body: {
        error: 'invalid_request',
        message: `The query does not fit: client_ids ${message}.`,
        issues: [{ path: 'client_ids', message }],
      },
    })
  })

  test('with a name that is near none is told those there are', async () => {
    const { status, body } = await ask('requests?way=/oauth/token')
    expect(status).toBe(400)
    expect(body['message']).toMatch(/way is not a known key; known here: clientId, user, path,/)
  })

  test('of an endpoint that takes none is refused, too', async () => {
    const { status, body } = await ask('overview?limit=1')
    expect(status).toBe(400)
    expect(body['message']).toBe(
      'The query does not fit: limit is not a known key; none is known here.',
    )
  })

  test('of the emulated hub may have any name, as there', async () => {
    const answer = await world.server.inject('/oauth/jwks?nonsense=1')
    expect(answer.statusCode).toBe(200)
  })
})
