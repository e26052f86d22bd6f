import { beforeAll, describe, expect, test } from 'vitest'
import { controlApi, type Endpoint } from '../../server/contract/control-api.ts'
import { buildTestApp } from '../helpers/app.ts'

const rows = Object.entries<Endpoint>(controlApi)

let registered: string[]
beforeAll(async () => {
  const { server } = await buildTestApp()
  const { paths } = (await server.inject('/_sandbox/openapi.json')).json<{
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
