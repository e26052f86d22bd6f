import { beforeAll, describe, expect, test } from 'vitest'
import { controlApi, type Endpoint } from '../../server/contract/control-api.ts'
import { buildTestApp, type TestApp } from '../helpers/app.ts'

const rows = Object.entries<Endpoint>(controlApi)

interface Operation {
  requestBody?: { required: boolean; content: object }
}

let world: TestApp
let paths: Record<string, Record<string, Operation>>
let registered: string[]
beforeAll(async () => {
  world = await buildTestApp()
  const document = await world.server.inject('/_sandbox/openapi.json')
  ;({ paths } = document.json<{ paths: typeof paths }>())
  const root = '/_sandbox/api/'
  registered = Object.entries(paths)
    .filter(([path]) => path.startsWith(root))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice(root.length)}`),
    )
})

describe('the table of the control API', () => {
  test('has exactly the routes below its root', () => {
    const listed = rows.map(([key]) => key.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}'))
    expect(listed.toSorted()).toEqual(registered.toSorted())
  })

  test.each(rows)('describes each part of the path of %s', (key, { params }) => {
    const named = [...key.matchAll(/:(\w+)|(\*)$/g)].map((match) => match[1] ?? '*')
    const { properties = {} } = (params ?? {}) as { properties?: object }
    expect(Object.keys(properties)).toEqual(named)
  })
})

describe('a body', () => {
  const withBody = rows.filter(([, { body }]) => body !== undefined)

  test.each(withBody)('is required for %s if the OpenAPI document says so', async (key) => {
    const [method = '', path = ''] = key.split(' ')
    const described = path.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}')
    const { requestBody } = paths[`/_sandbox/api/${described}`]?.[method.toLowerCase()] ?? {}
    const url = `/_sandbox/api/${path.replace(':type', 'dataset').replaceAll(/:\w+|\*$/g, '1')}`
    const answer = await world.server.inject({ method: method as 'POST', url })
    const { message = '' } = answer.json<{ message?: string }>()
    expect(message.startsWith('Invalid body:')).toBe(requestBody?.required)
  })

  test('is required by the hub unless it is a form without required parameters', () => {
    const bodies = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody }]) =>
        requestBody === undefined || path.startsWith('/_sandbox')
          ? []
          : [{ operation: `${method.toUpperCase()} ${path}`, ...requestBody }],
      ),
    )
    const needless = bodies.filter(({ required }) => !required)
    expect(needless.map(({ operation }) => operation)).toEqual([
      'POST /oauth/authorize',
      'POST /oauth/device',
      'POST /logout',
      'POST /{namespace}/{name}/ask-access',
      'POST /{types}/{namespace}/{name}/ask-access',
    ])
    const types = new Set(bodies.flatMap(({ content }) => Object.keys(content)))
    expect([...types].toSorted()).toEqual([
      'application/json',
      'application/octet-stream',
      'application/x-git-receive-pack-request',
      'application/x-git-upload-pack-request',
      'application/x-ndjson',
      'application/x-www-form-urlencoded',
    ])
  })
})

describe('a query', () => {
  const ask = async (path: string) => {
    const answer = await world.server.inject(`/_sandbox/api/${path}`)
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() }
  }

  test('an unknown query parameter is refused with a suggestion', async () => {
    const message = 'is an unknown key (did you mean "clientId"?)'
    expect(await ask('requests?client_ids=a&limit=1')).toEqual({
      status: 400,
      body: {
        error: 'invalid_request',
        message: `Invalid query: client_ids ${message}.`,
        issues: [{ path: 'client_ids', message }],
      },
    })
  })

  test('a query parameter without a suggestion is refused with the known names', async () => {
    const { status, body } = await ask('requests?way=/oauth/token')
    expect(status).toBe(400)
    expect(body['message']).toMatch(/way is an unknown key; known keys: clientId, user, path,/)
  })

  test('a query of an endpoint without parameters is refused, too', async () => {
    const { status, body } = await ask('overview?limit=1')
    expect(status).toBe(400)
    expect(body['message']).toBe(
      'Invalid query: limit is an unknown key; no keys are allowed here.',
    )
  })

  test('the emulated hub ignores unknown query parameters', async () => {
    const answer = await world.server.inject('/oauth/jwks?nonsense=1')
    expect(answer.statusCode).toBe(200)
  })
})
