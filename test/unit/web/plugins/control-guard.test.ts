import fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import {
  controlCookieOf,
  registerControlGuard,
} from '../../../../server/web/plugins/control-guard.ts'

const port = 7420
const { name, value } = controlCookieOf({ port }, 'the-token')

async function guarded(controlToken?: string) {
  const app = fastify()
  registerControlGuard(app, {
    port,
    baseUrl: 'https://hub.example',
    ...(controlToken === undefined ? {} : { controlToken }),
  })
  app.get('/data', () => ({ secret: true }))
  app.post('/data', ({ body }) => ({ body }))
  return {
    get: (headers: Record<string, string> = {}) => app.inject({ url: '/data', headers }),
    post: (contentType: string | undefined, payload = '{}') =>
      app.inject({
        method: 'POST',
        url: '/data',
        headers: contentType === undefined ? {} : { 'content-type': contentType },
        payload,
      }),
  }
}

describe('the guard of the control API', () => {
  test.each([
    {},
    { origin: 'http://localhost:80' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://hub.example' },
    { origin: 'https://hub.example', 'sec-fetch-site': 'same-origin' },
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
  ])('allows programs and own pages: %j', async (headers) => {
    const { get } = await guarded()
    const answer = await get(headers)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  })

  test.each([
    { origin: 'https://evil.example' },
    { origin: 'http://localhost:3000' },
    { origin: 'http://127.0.0.1:80' },
    { origin: 'null' },
    { origin: '' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://localhost:80', 'sec-fetch-site': 'cross-site' },
    { origin: 'https://hub.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'http://hub.example' },
    { origin: 'https://hub.example.evil.example' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: 'null', 'sec-fetch-site': 'none' },
  ])('refuses pages of other origins, reads included: %j', async (headers) => {
    const { get } = await guarded()
    const answer = await get(headers)
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ error: 'forbidden_origin' })
  })

  test('requires the control token if there is one', async () => {
    const { get } = await guarded('the-token')
    for (const headers of [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: 'Basic the-token' },
      { authorization: 'Bearer the-token-and-more' },
      { cookie: `${name}=wrong` },
      { cookie: 'other=the-token' },
      // The token itself is for programs, and the cookie of another port is another sandbox's.
      { cookie: `${name}=the-token` },
      { cookie: `hub_sandbox_control_7421=${value}` },
      { cookie: `hub_sandbox_control=${value}` },
      { authorization: `Bearer ${value}` },
      { authorization: 'Bearer wrong', cookie: `${name}=${value}` },
    ]) {
      const answer = await get(headers)
      expect(answer.statusCode).toBe(401)
      expect(answer.json()).toMatchObject({ error: 'control_token_required' })
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm=/)
      expect(answer.body).not.toContain('secret')
    }
    expect((await get({ authorization: 'Bearer the-token' })).statusCode).toBe(200)
    expect((await get({ cookie: `a=b; ${name}=${value}` })).statusCode).toBe(200)
  })

  test('refuses several cookies of its name, in any order', async () => {
    const { get } = await guarded('the-token')
    for (const cookie of [
      `${name}=${value}; ${name}=planted`,
      `${name}=planted; a=b; ${name}=${value}`,
      `${name}=${value}; ${name}=${value}`,
    ]) {
      const answer = await get({ cookie })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({
        error: 'several_cookies',
        message: expect.stringMatching(/several cookies named hub_sandbox_control_7420.*Clear/),
      })
      expect((await get({ cookie, authorization: 'Bearer the-token' })).statusCode).toBe(200)
    }
  })

  test('gives browsers a cookie that does not contain the token', () => {
    expect(name).toBe('hub_sandbox_control_7420')
    expect(value).toMatch(/^[\w-]{43}$/)
    expect(controlCookieOf({ port }, 'another-token').value).not.toBe(value)
  })

  test('does not accept the token from a page of another origin', async () => {
    const { get } = await guarded('the-token')
    const headers = { authorization: 'Bearer the-token', origin: 'https://evil.example' }
    expect((await get(headers)).statusCode).toBe(403)
  })

  test('accepts bodies as JSON by their content type only', async () => {
    const { post } = await guarded()
    expect((await post('application/json')).statusCode).toBe(200)
    expect((await post('application/json; charset=utf-8')).statusCode).toBe(200)
    expect((await post('text/plain')).statusCode).toBe(415)
    expect((await post('application/jsonp')).statusCode).toBe(415)
    expect((await post(undefined, '')).statusCode).toBe(200)
  })
})
