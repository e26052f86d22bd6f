import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openCallback } from '../../../../server/lab/demos/callback.ts'

/** `fetch` would tidy the target up. */
function ask(url: string, target: string): Promise<{ status: number | undefined; body: string }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path: target }, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode, body }), reject)
    })
      .on('error', reject)
      .end()
  })
}

test('waits for the answer of its own request, whatever else comes (RFC 6749 §10.12)', async () => {
  const callback = await openCallback('localhost', '/callback', 'xyz')
  try {
    for (const target of ['/', '//', '//[]', '//%', '*', '/callback?code=c&state=other']) {
      expect([target, (await ask(callback.url, target)).status]).toEqual([target, 404])
    }
    const { status, body } = await ask(callback.url, '/callback?code=c&state=xyz')
    expect(status).toBe(200)
    expect(body).toContain('Close this page')
    expect((await callback.arrived).href).toBe('http://localhost/callback?code=c&state=xyz')
  } finally {
    callback.close()
  }
})
