import { describe, expect, test } from 'vitest'
import { testApp } from '../helpers/app.ts'

const world = testApp()

describe('calls of clients in the background', () => {
  test('the list of coding agents is empty', async () => {
    const answer = await world.server.inject('/api/agent-harnesses')
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ standardEnvVars: [], harnesses: {} })
  })

  test('usage reports are accepted and dropped', async () => {
    const url = '/api/telemetry/gradio/launch?a=b'
    const head = await world.server.inject({ method: 'HEAD', url })
    expect([head.statusCode, head.body]).toEqual([200, ''])
    const get = await world.server.inject(url)
    expect([get.statusCode, get.json()]).toEqual([200, {}])
  })
})

describe('unsupported features', () => {
  test.each(['/api/kernels/acme/b/xet-write-token'])(
    '%s redirects to a URL with the fix, which no client retries',
    async (url) => {
      const answer = await world.server.inject(url)
      const text = 'this Hub has no Xet storage for this: set HF_HUB_DISABLE_XET=1'
      // hf_xet shows the URL of an error and not its message.
      const hint = '/api/xet-is-not-emulated/set/HF_HUB_DISABLE_XET=1'
      expect([answer.statusCode, answer.headers['location']]).toEqual([302, hint])
      expect(world.requests.values().at(-1)?.detail).toBe(text)
      const refused = await world.server.inject(hint)
      expect([refused.statusCode, refused.json()]).toEqual([404, { error: text }])
      for (const { headers } of [answer, refused]) expect(headers['x-error-message']).toBe(text)
    },
  )

  test.each([
    '/tagger/resolve/main/config.json',
    '/tagger/raw/0123abc/README.md',
    '/kernels/acme/attention/resolve/main/build.toml',
    '/buckets/acme/b/resolve/main/a.csv',
  ])('the file %s is not found', async (url) => {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await world.server.inject({ method, url })
      expect(answer.statusCode).toBe(401)
      expect(answer.headers).toMatchObject({
        'x-error-code': 'RepoNotFound',
        'x-error-message': 'Invalid username or password.',
      })
      expect(answer.headers).not.toHaveProperty('x-repo-commit')
      expect(answer.headers).not.toHaveProperty('etag')
    }
  })

  test.each([
    [
      'GET',
      '/tagger.git/info/refs?service=git-upload-pack',
      401,
      'Invalid username or password.\n',
    ],
    [
      'POST',
      '/kernels/acme/attention.git/git-receive-pack',
      501,
      '/kernels/acme/attention.git/git-receive-pack is not emulated by this sandbox.\n',
    ],
  ] as const)('sends git the right content type: %s %s', async (method, url, status, body) => {
    const answer = await world.server.inject({ method, url })
    expect(answer.statusCode).toBe(status)
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.body).toBe(body)
  })

  test('errors of Git LFS have their own media type', async () => {
    const answer = await world.server.inject({
      method: 'POST',
      url: '/acme/tagger.git/info/lfs/nothing',
    })
    expect(answer.statusCode).toBe(501)
    expect(answer.headers['content-type']).toMatch(/^application\/vnd\.git-lfs\+json/)
    expect(answer.json()).toMatchObject({
      message: 'This part of Git LFS is not emulated by this sandbox.',
    })
  })

  test.each(['/acme/tagger/resolve', '/oauth/raw'])(
    '%s is neither a file nor a repo',
    async (url) => {
      const answer = await world.server.inject(url)
      expect(answer.statusCode).toBe(404)
      expect(answer.headers).not.toHaveProperty('x-error-code')
    },
  )
})
