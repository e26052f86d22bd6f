import { createHash } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { fixture, receive } from '../../../server/receiver/testing.ts'
import { landingPage } from '../../../server/receiver/landing-page.ts'
import { quietWebhooks } from './kit.ts'

const at = (path: string, init: RequestInit = {}) =>
  new Request(`http://localhost:7860${path}`, init)
const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

async function pageOf(options = {}) {
  const { webhooks } = quietWebhooks(options)
  webhooks.endpoint('retrain', () => undefined)
  const answer = await webhooks.fetch(at('/'))
  return { webhooks, answer, text: await answer.text() }
}

describe('landing page', () => {
  test('shows each route, how to call it, and where to create its webhook', async () => {
    const { text } = await pageOf({ hubUrl: 'http://localhost:7420/' })
    expect(text).toContain('POST http://localhost:7860/webhooks/retrain')
    expect(text).toContain('X-Webhook-Secret: $WEBHOOK_SECRET')
    expect(text).toContain(
      'href="http://localhost:7420/settings/webhooks?url=http%3A%2F%2Flocalhost%3A7860%2Fwebhooks%2Fretrain"',
    )
    expect(text).toContain('only deliveries that carry it are accepted')
    expect(text).not.toContain('abc')
  })

  test('warns if everybody may post', async () => {
    const { text } = await pageOf({ secret: undefined })
    expect(text).toContain('No secret is defined')
    expect(text).not.toContain('X-Webhook-Secret')
  })

  test('names the hub and the Space of the environment', async () => {
    vi.stubEnv('HF_ENDPOINT', 'http://hub.test')
    vi.stubEnv('SPACE_HOST', 'acme-demo.hf.space')
    const { text } = await pageOf()
    expect(text).toContain('POST https://acme-demo.hf.space/webhooks/retrain')
    expect(text).toContain('href="http://hub.test/settings/webhooks?url=https%3A%2F%2Facme-demo')
  })

  test('loads nothing, runs no script, and allows its style sheet by hash', async () => {
    const { answer, text } = await pageOf()
    const style = /<style>(.*)<\/style>/s.exec(text)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(answer.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    expect(text).not.toMatch(/<script|<link|<img|@import|url\(|\sstyle=|\son\w+=/)
    expect(style).toContain('prefers-color-scheme: dark')
  })

  test('escapes its values', () => {
    const evil = `"><script>alert('1')</script>&`
    const text = landingPage({
      secret: 'none',
      hubUrl: 'http://x"><b>',
      endpoints: [{ name: evil, url: `http://h/${evil}` }],
      receptions: [
        {
          at: evil,
          endpoint: evil,
          status: 422,
          durationMs: 1,
          scope: evil,
          action: 'x',
          error: evil,
        },
      ],
    })
    expect(text).not.toContain('<script')
    expect(text).not.toContain('<b>')
    expect(text).toContain(String.raw`&#39;\&#39;&#39;1`)
  })

  test('shows the last 20 receptions, newest first, without names of repos', async () => {
    const { webhooks } = await pageOf()
    const options = { secret: 'abc', endpoint: 'retrain' }
    await receive(webhooks, fixture('repo.create'), { ...options, secret: 'wrong' })
    for (let count = 0; count < 20; count += 1) {
      await receive(webhooks, fixture('repo.create'), options)
    }
    await receive(webhooks, fixture('discussion.create'), options)
    await receive(webhooks, fixture('discussion.create'), { ...options, endpoint: 'unknown' })
    const summary = (await (await webhooks.fetch(at('/webhooks'))).json()) as {
      receptions: Record<string, unknown>[]
    }
    expect(summary.receptions).toHaveLength(20)
    expect(summary.receptions[0]).toMatchObject({ scope: 'discussion', status: 204 })
    const text = await (await webhooks.fetch(at('/'))).text()
    expect(text).toContain('discussion.create')
    expect(text + JSON.stringify(summary)).not.toContain('acme/corpus')
    expect(webhooks.receptions).toHaveLength(22)
    expect(webhooks.receptions[0]).toMatchObject({ status: 403, error: 'Invalid webhook secret.' })
  })
})

describe('GET /webhooks', () => {
  test('returns JSON to programs and the page to browsers', async () => {
    const { webhooks } = await pageOf()
    expect(await (await webhooks.fetch(at('/webhooks'))).json()).toEqual({
      secret: 'required',
      hubUrl: 'http://localhost:7420',
      endpoints: [{ name: 'retrain', url: 'http://localhost:7860/webhooks/retrain' }],
      receptions: [],
    })
    const page = await webhooks.fetch(at('/webhooks', asBrowser))
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('vary')).toBe('accept')
  })

  test('responds to HEAD without a body and refuses other methods', async () => {
    const { webhooks } = await pageOf()
    const head = await webhooks.fetch(at('/', { method: 'HEAD' }))
    expect([head.status, await head.text()]).toEqual([200, ''])
    const post = await webhooks.fetch(at('/webhooks', { method: 'POST' }))
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('custom page', () => {
  test('replaces the landing page by HTML', async () => {
    const { answer, text, webhooks } = await pageOf({ page: '<h1>Mine</h1>' })
    expect([text, answer.headers.get('content-security-policy')]).toEqual(['<h1>Mine</h1>', null])
    expect((await webhooks.fetch(at('/other'))).status).toBe(404)
  })

  test('may be a function, called for every path except those of webhooks', async () => {
    const page = vi.fn<(request: Request) => Response>(
      ({ url }: Request) => new Response(new URL(url).pathname),
    )
    const { text, webhooks } = await pageOf({ page })
    expect(text).toBe('/')
    expect(await (await webhooks.fetch(at('/app.css'))).text()).toBe('/app.css')
    expect((await webhooks.fetch(at('/webhooks/retrain'))).status).toBe(405)
    const browser = await webhooks.fetch(at('/webhooks', asBrowser))
    expect(browser.headers.get('content-type')).toBe('application/json')
    expect(page).toHaveBeenCalledTimes(2)
  })
})
