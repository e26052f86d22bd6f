import fastify, { type FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { registerControlErrors } from '../../../../server/web/plugins/control-errors.ts'
import { schemaController } from '../../../../server/web/plugins/schemas.ts'

describe('schemas of routes', () => {
  let app: FastifyInstance
  beforeEach(() => {
    app = fastify({ schemaController })
    registerControlErrors(app)
  })
  afterEach(() => app.close())

  test('drops undeclared members of responses, at any depth', async () => {
    const Item = Type.Object({ id: Type.String(), note: Type.Optional(Type.String()) })
    const schema = {
      response: {
        200: Type.Object({
          items: Type.Array(Item),
          map: Type.Record(Type.String(), Type.Number()),
          any: Type.Unknown(),
        }),
      },
    }
    app.get('/', { schema }, async () => ({
      items: [{ id: 'a', secret: 'x', note: undefined }],
      map: { b: 1 },
      any: { kept: [{ whole: true }] },
      token: 'y',
    }))
    expect((await app.inject('/')).json()).toEqual({
      items: [{ id: 'a' }],
      map: { b: 1 },
      any: { kept: [{ whole: true }] },
    })
  })

  test.each([
    ['query', '/1?limit=x', {}],
    ['path', '/x', {}],
    ['header', '/1', { 'x-count': 'x' }],
  ])('names the invalid part: %s', async (part, url, headers) => {
    const schema = {
      querystring: Type.Object({ limit: Type.Optional(Type.Integer()) }),
      params: Type.Object({ number: Type.Integer() }),
      headers: Type.Object({ 'x-count': Type.Optional(Type.Integer()) }),
    }
    app.get('/:number', { schema }, async () => ({}))
    const { message } = (await app.inject({ url, headers })).json<{ message: string }>()
    expect(message).toMatch(new RegExp(`^Invalid ${part}: `))
  })

  test('converts numbers and booleans of the query, and nothing else', async () => {
    const schema = {
      querystring: Type.Object({
        limit: Type.Optional(Type.Integer({ minimum: 1 })),
        deep: Type.Optional(Type.Boolean()),
        name: Type.Optional(Type.String()),
      }),
    }
    app.get('/', { schema }, async (request) => request.query)
    const query = async (text: string) => (await app.inject(`/?${text}`)).json() as unknown
    expect(await query('limit=5&deep=true&name=7')).toEqual({ limit: 5, deep: true, name: '7' })
    for (const wrong of [
      'limit=',
      'limit=1.5',
      'limit=x',
      'limit=0',
      'deep=yes',
      'limit=1&limit=2',
    ]) {
      expect(await query(wrong)).toMatchObject({ error: 'invalid_request' })
    }
  })

  test('refuses bodies with every mistake at once, and accepts a missing body if optional', async () => {
    const Body = Type.Object(
      {
        name: Type.String({ minLength: 1 }),
        at: Type.Optional(Type.String({ format: 'date-time' })),
      },
      { additionalProperties: false },
    )
    app.post('/', { schema: { body: Body } }, async () => ({}))
    app.post('/free', { schema: { body: Type.Optional(Body) } }, async () => ({ fine: true }))
    const post = async (url: string, payload?: object) =>
      (await app.inject({ method: 'POST', url, ...(payload && { payload }) })).json() as unknown
    expect(await post('/', { name: '', at: 'noon', nme: 1 })).toMatchObject({
      error: 'invalid_request',
      issues: [
        { path: 'name' },
        { path: 'at' },
        { path: 'nme', message: expect.stringContaining('did you mean') },
      ],
    })
    expect(await post('/')).toMatchObject({ error: 'invalid_request' })
    expect(await post('/free')).toEqual({ fine: true })
    expect(await post('/free', { name: 1 })).toMatchObject({ issues: [{ path: 'name' }] })
  })
})
