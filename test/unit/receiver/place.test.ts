import { describe, expect, test } from 'vitest'
import { normalizeBasePath, placeOf } from '../../../server/receiver/place.ts'
import { fixture, receive } from '../../../server/receiver/testing.ts'
import { quietWebhooks } from './kit.ts'

const hasEndpoint = (name: string) => ['retrain', 'webhooks/deep'].includes(name)

describe('the path of a request', () => {
  test.each([
    ['/webhooks/retrain', '', '/webhooks/retrain'],
    ['/webhooks', '', '/webhooks'],
    ['/api/webhooks/retrain', '/api', '/webhooks/retrain'],
    ['/webhooks/webhooks/retrain', '/webhooks', '/webhooks/retrain'],
    ['/webhooks/webhooks/deep', '', '/webhooks/webhooks/deep'],
    ['/webhooks/webhooks', '/webhooks', '/webhooks'],
    ['/webhooks/webhooks/unknown', '/webhooks', '/webhooks/unknown'],
    ['/api/webhooks/unknown', '/api', '/webhooks/unknown'],
    ['/webhooksy/retrain', '', '/webhooksy/retrain'],
    ['/', '', '/'],
  ])('%s is below "%s", which is found automatically', (pathname, base, path) => {
    expect(placeOf(pathname, { hasEndpoint })).toEqual({ base, path })
  })

  test.each([
    ['/api/webhooks/retrain', '/webhooks/retrain'],
    ['/webhooks/retrain', '/webhooks/retrain'],
    ['/api', '/'],
    ['/api/', '/'],
    ['/', '/'],
    ['/apis/webhooks/retrain', '/apis/webhooks/retrain'],
    ['/api/other/webhooks/retrain', '/other/webhooks/retrain'],
  ])('%s means %s with the base path, removed or not', (pathname, path) => {
    expect(placeOf(pathname, { basePath: '/api', hasEndpoint })).toEqual({ base: '/api', path })
  })

  test('removes the mount path of the framework, and shows the user’s path', () => {
    const mount = { basePath: '/outer/api', mountPath: '/api', hasEndpoint }
    const place = { base: '/outer/api', path: '/webhooks/retrain' }
    expect(placeOf('/api/webhooks/retrain', mount)).toEqual(place)
    expect(placeOf('/outer/api/webhooks/retrain', mount)).toEqual(place)
  })
})

describe('basePath', () => {
  test.each([
    ['api', '/api'],
    ['/api/', '/api'],
    ['/a/b', '/a/b'],
    ['/', ''],
    ['', ''],
  ])('normalizes "%s" to "%s"', (given, path) => {
    expect(normalizeBasePath(given)).toBe(path)
  })

  test.each(['http://host/api', '/a b', '/a?b', '/a/../b', 'a\\b'])('refuses %s', (given) => {
    expect(() => quietWebhooks({ basePath: given })).toThrow(/basePath must be a path/)
  })

  test('prints the URLs that a router does not know', async () => {
    const { webhooks, log } = quietWebhooks({ basePath: '/api' })
    webhooks.endpoint('events', () => ({ ok: true }))
    const overview = await webhooks.fetch(new Request('http://localhost:3000/webhooks'))
    expect(await overview.json()).toMatchObject({
      endpoints: [{ url: 'http://localhost:3000/api/webhooks/events' }],
    })
    const page = await webhooks.fetch(new Request('http://localhost:3000/api'))
    expect(await page.text()).toContain('POST http://localhost:3000/api/webhooks/events')
    expect((await receive(webhooks, fixture('repo.update'), { secret: 'abc' })).status).toBe(200)
    const { url, close } = await webhooks.listen({ port: 0 })
    await close()
    expect(log.info).toHaveBeenCalledWith(`  - POST ${url}/api/webhooks/events`)
  })
})
