import { request } from 'node:http'
import { expect, test } from 'vitest'
import { withListener } from '../../../server/cli/demo-listener.ts'

/** `fetch` would tidy the target up. */
function send(url: string, path: string, body?: string): Promise<number | undefined> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method: body === undefined ? 'GET' : 'POST' }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end(body)
  })
}

test('reports the first callback, and outlives all other requests', async () => {
  await withListener('/callback', async ({ url, next }) => {
    for (const path of ['/', '//', '//[]', '//%', '*']) {
      expect([path, await send(url, path)]).toEqual([path, 404])
    }
    expect(await send(url, '/callback?code=c')).toBe(200)
    expect(await next).toBe(`${url}?code=c`)
  })
})

test.each([
  ['{"a":1}', '{\n  "a": 1\n}'],
  ['no JSON', 'no JSON'],
])('reports the body %s', async (body, told) => {
  await withListener('/webhook', async ({ url, next }) => {
    expect(await send(url, '/webhook', body)).toBe(200)
    expect((await next).split('\n\n')[1]).toBe(told)
  })
})
