import { beforeEach, describe, expect, test } from 'vitest'
import { type Sandbox } from '../../server/index.ts'
import { missingBuild } from '../helpers/missing-build.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

let sandbox: Sandbox
beforeEach(({ skip }) => {
  const reason = missingBuild('renderer/index.html')
  skip(reason !== undefined, reason)
})

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${sandbox.url}${path}`, { headers, redirect: 'manual' })

describe('dashboard', () => {
  test('is one page for all its URLs, with a strict policy', async () => {
    sandbox = await startTestSandbox()
    for (const path of [
      '/_sandbox/',
      '/_sandbox/tokens',
      '/_sandbox/organizations/a.b/audit-log',
    ]) {
      const page = await get(path)
      expect(page.status).toBe(200)
      expect(page.headers.get('content-security-policy')).not.toContain('unsafe')
      expect(page.headers.get('x-frame-options')).toBe('DENY')
      await expect(page.text()).resolves.toContain('<div id=')
    }
    expect((await get('/_sandbox/api/nothing')).status).toBe(404)
    expect((await get('/_sandbox/assets/nothing.js')).status).toBe(404)
  })

  test.each(['br', 'gzip'])(
    'takes less than 250 KB over the wire before its first view, packed with %s',
    async (encoding) => {
      sandbox = await startTestSandbox()
      const page = await (await get('/_sandbox/')).text()
      const files = [...page.matchAll(/"(\/_sandbox\/assets\/[^"]+\.(?:js|css))"/g)]
      expect(files.length).toBeGreaterThan(3)
      let bytes = 0
      for (const [, path = ''] of files) {
        const packed = await get(path, { 'accept-encoding': encoding })
        const size = Number(packed.headers.get('content-length'))
        bytes += size
        const plain = await get(path, { 'accept-encoding': 'identity' })
        expect(plain.headers.get('content-encoding')).toBeNull()
        // The client unpacks it.
        expect(await packed.text()).toBe(await plain.text())
        if (Number(plain.headers.get('content-length')) < 1000) continue
        expect(packed.headers.get('content-encoding')).toBe(encoding)
        expect(packed.headers.get('vary')).toContain('accept-encoding')
      }
      expect(bytes).toBeLessThan(250_000)
    },
  )

  test('pages of the hub link to it', async () => {
    sandbox = await startTestSandbox()
    const led = async (path: string) => (await get(path)).headers.get('location')
    expect(await led('/')).toBe('/_sandbox/')
    expect(await led('/settings/webhooks')).toBe('/_sandbox/webhooks')
    expect(await led('/settings/webhooks/abc/activity')).toBe('/_sandbox/webhooks/abc/activity')
    expect(await led('/organizations/acme/settings/audit-log')).toBe(
      '/_sandbox/organizations/acme/audit-log',
    )
  })

  test('exchanges the token in its URL for a cookie, and shows nothing without it', async () => {
    sandbox = await startTestSandbox({ controlToken: 'a-token-of-mine' })
    expect(sandbox.dashboardUrl).toBe(`${sandbox.url}/_sandbox/?token=a-token-of-mine`)
    expect((await get('/_sandbox/')).status).toBe(401)
    expect((await get('/_sandbox/?token=wrong-token')).status).toBe(401)
    const traded = await get('/_sandbox/?token=a-token-of-mine')
    expect(traded.status).toBe(303)
    expect(traded.headers.get('location')).toBe('/_sandbox/')
    const cookie = traded.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/HttpOnly; SameSite=Lax/)
    const [pair = ''] = cookie.split(';')
    expect((await get('/_sandbox/', { cookie: pair })).status).toBe(200)
    expect((await get('/_sandbox/api/tokens', { cookie: pair })).status).toBe(200)
    expect((await get('/_sandbox/api/tokens')).status).toBe(401)
    await expect((await get('/_sandbox/health')).json()).resolves.toEqual({ status: 'ok' })
    // The pages of the hub are for its users, who have no such token.
    expect((await get('/_sandbox/pages.css')).status).toBe(200)
  })
})
