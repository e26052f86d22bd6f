import type { FetchedDocument } from '../../../../server/web/outgoing/fetched-document.ts'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Clients, FindClient } from '../../../../server/hub/oauth/client-authentication.ts'
import {
  createClients,
  isMetadataDocumentUrl,
} from '../../../../server/hub/oauth/metadata-document.ts'
import { publishedScopes } from '../../../../server/contract/scopes.ts'
import { createTestDeps, documentUrl, type TestWorld } from '../../../helpers/deps.ts'

const siteUrl = 'https://site.example/.well-known/oauth-cimd'

const goodDocument = {
  client_id: siteUrl,
  client_name: 'Site',
  redirect_uris: ['http://localhost/callback'],
  token_endpoint_auth_method: 'none',
}

let world: TestWorld
let answer: Partial<FetchedDocument>
const fetchDocument = vi.fn<(url: URL) => Promise<FetchedDocument>>()
let clients: Clients
let find: FindClient
beforeEach(async () => {
  world = await createTestDeps()
  answer = {}
  fetchDocument.mockReset()
  fetchDocument.mockImplementation(async () => ({
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify(goodDocument),
    ...answer,
  }))
  clients = createClients({ ...world.deps, fetchDocument })
  find = clients.findOrFetch
})

const refused = (message: RegExp) => ({
  code: 'invalid_client',
  message: expect.stringMatching(message),
})

describe('client metadata documents (draft-ietf-oauth-client-id-metadata-document)', () => {
  test('https URLs are distinguished from other client ids', () => {
    expect(isMetadataDocumentUrl(siteUrl)).toBe(true)
    expect(isMetadataDocumentUrl('26be6b09-91c5-47da-9861-d2d2bb7a7e36')).toBe(false)
    expect(isMetadataDocumentUrl('myapp://x')).toBe(false)
  })

  test('documents of the fixtures are read without a request', async () => {
    expect(await find(documentUrl)).toMatchObject({
      id: documentUrl,
      origin: 'metadata-document',
      name: 'Document app',
      scopes: publishedScopes,
      defaultScopes: ['openid', 'profile'],
    })
    expect(fetchDocument).not.toHaveBeenCalled()
  })

  test('other documents are fetched and cached', async () => {
    const app = await find(siteUrl)
    expect(app).toMatchObject({ id: siteUrl, name: 'Site', privileges: [] })
    expect(app).not.toHaveProperty('clientSecret')
    await find(siteUrl)
    expect(fetchDocument).toHaveBeenCalledTimes(1)
    world.clock.advance(5 * 60_000)
    answer.body = JSON.stringify({ ...goodDocument, client_name: 'Renamed' })
    expect(await find(siteUrl)).toMatchObject({ name: 'Renamed', createdAt: app!.createdAt })
    expect(world.events.filter(({ type }) => type === 'app.created')).toHaveLength(1)
  })

  test.each([
    [0, 0],
    [60, 60],
    [86_400, 3600],
    [1e300, 3600],
  ])('a document with max-age=%d is cached for %d s', async (maxAgeSeconds, keptSeconds) => {
    answer.maxAgeSeconds = maxAgeSeconds
    await find(siteUrl)
    world.clock.advance(Math.max(keptSeconds * 1000 - 1, 0))
    await find(siteUrl)
    expect(fetchDocument).toHaveBeenCalledTimes(keptSeconds === 0 ? 2 : 1)
    world.clock.advance(1)
    await find(siteUrl)
    expect(fetchDocument).toHaveBeenCalledTimes(keptSeconds === 0 ? 3 : 2)
  })

  test('a document is fetched again after the clock was set back', async () => {
    world.clock.advance(4 * 365 * 86_400_000)
    await find(siteUrl)
    world.clock.reset()
    answer.body = JSON.stringify({ ...goodDocument, client_name: 'Renamed' })
    expect(await find(siteUrl)).toMatchObject({ name: 'Renamed' })
    await find(siteUrl)
    expect(fetchDocument).toHaveBeenCalledTimes(2)
  })

  test('an unknown redirect URI causes a new fetch, at most once in 10 s', async () => {
    const added = 'http://localhost/added'
    await find(siteUrl, 'http://localhost/callback')
    answer.body = JSON.stringify({
      ...goodDocument,
      redirect_uris: [...goodDocument.redirect_uris, added],
    })
    await find(siteUrl, 'http://localhost:5173/callback')
    await find(siteUrl, 'javascript:alert(1)')
    expect(fetchDocument).toHaveBeenCalledTimes(1)
    expect((await find(siteUrl, added))?.redirectUris).toContain(added)
    expect(fetchDocument).toHaveBeenCalledTimes(2)

    await find(siteUrl, 'http://localhost/other')
    world.clock.advance(9999)
    await find(siteUrl, 'http://localhost/another')
    expect(fetchDocument).toHaveBeenCalledTimes(2)
    world.clock.advance(1)
    await find(siteUrl, 'http://localhost/other')
    expect(fetchDocument).toHaveBeenCalledTimes(3)
  })

  test('a lookup without the network returns the client as it was fetched', async () => {
    await expect((async () => clients.findKnown(siteUrl))()).rejects.toMatchObject(
      refused(/does not know it yet/),
    )
    const app = await find(siteUrl)
    world.clock.advance(86_400_000)
    expect(await clients.findKnown(siteUrl)).toBe(app)
    expect(fetchDocument).toHaveBeenCalledTimes(1)
    expect(await clients.findKnown(documentUrl)).toMatchObject({ name: 'Document app' })
  })

  test('concurrent requests share one fetch', async () => {
    const apps = await Promise.all([find(siteUrl), find(siteUrl), find(siteUrl)])
    expect(new Set(apps).size).toBe(1)
    expect(fetchDocument).toHaveBeenCalledTimes(1)
  })

  test('a failed fetch is repeated by the next request', async () => {
    fetchDocument.mockRejectedValueOnce(new Error('no route'))
    await expect(find(siteUrl)).rejects.toMatchObject(refused(/could not be fetched: no route/))
    expect(await find(siteUrl)).toMatchObject({ name: 'Site' })
  })

  test.each([
    ['http://site.example/x', /must begin with https/],
    ['https://site.example/', /has no path/],
    ['https://site.example', /has no path/],
    ['https://user@site.example/x', /user name/],
    ['https://site.example/x#y', /fragment/],
    ['https://site.example/a/../x', /dot segments/],
    ['https://site.example/./x', /dot segments/],
    ['https://SITE.example/x', /normalized form/],
    ['https://site.example:443/x', /normalized form/],
    ['https://', /not a URL/],
  ])('the URL %s is refused', async (url, message) => {
    await expect((async () => find(url))()).rejects.toMatchObject(refused(message))
    expect(fetchDocument).not.toHaveBeenCalled()
  })

  test.each(['http://localhost:4000/client', 'http://app.localhost/client', 'http://[::1]:4000/x'])(
    'http is accepted on loopback: %s',
    async (url) => {
      answer.body = JSON.stringify({ ...goodDocument, client_id: url })
      expect(await find(url)).toMatchObject({ id: url })
    },
  )

  test.each([
    [{ status: 301 }, /301; redirects are not followed/],
    [{ status: 404 }, /responded with 404/],
    [{ contentType: 'text/html' }, /content type is text\/html/],
    [{ contentType: '' }, /content type is missing/],
    [{ body: '{' }, /not valid JSON/],
    [{ body: '[]' }, /not a JSON object/],
    [{ body: 'null' }, /not a JSON object/],
  ])('the response %j is refused', async (change, message) => {
    answer = change
    await expect(find(siteUrl)).rejects.toMatchObject(refused(message))
    expect(world.state.apps.has(siteUrl)).toBe(false)
  })

  test.each([
    [{ client_id: 'https://other.example/x' }, /must be this very URL/],
    [{ client_id: undefined }, /must be this very URL/],
    [{ client_name: undefined }, /client_name is missing/],
    [{ client_name: '  ' }, /client_name is missing/],
    [{ client_name: 'a\ud800b' }, /client_name contains an unpaired surrogate/],
    [{ redirect_uris: undefined }, /list of at least one/],
    [{ redirect_uris: [] }, /list of at least one/],
    [{ redirect_uris: [1] }, /list of at least one/],
    [{ redirect_uris: ['javascript:x'] }, /javascript: is not allowed/],
    [{ token_endpoint_auth_method: undefined }, /must be "none"/],
    [{ token_endpoint_auth_method: 'client_secret_basic' }, /must be "none"/],
    [{ token_endpoint_auth_method: 'private_key_jwt' }, /is "private_key_jwt", but must be "none"/],
    [
      {
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_post'],
      },
      /must be "none", or token_endpoint_auth_methods_supported must list it/,
    ],
    [{ token_endpoint_auth_methods_supported: 'none' }, /must be a list of strings/],
    [{ client_secret: 'x' }, /client_secret must not/],
    [{ client_secret_expires_at: 0 }, /must not be in a public document/],
    [{ scope: 7 }, /scope must be a string/],
    [{ logo_uri: 'not a URL' }, /logo_uri must be a URL/],
    [{ client_uri: 7 }, /client_uri must be a URL/],
    [{ client_uri: 'javascript:alert(1)' }, /client_uri must be a URL that begins with https:/],
    [{ policy_uri: 'data:text/html,x' }, /policy_uri must be a URL/],
    [{ tos_uri: 'terms.html' }, /tos_uri must be a URL/],
    [{ logo_uri: 'data:text/html,x' }, /logo_uri must be a URL/],
    [{ redirect_uris: null }, /redirect_uris must be a list/],
    [{ client_name: null }, /client_name is missing/],
  ])('a document with %j is refused', async (change, message) => {
    answer.body = JSON.stringify({ ...goodDocument, ...change })
    await expect(find(siteUrl)).rejects.toMatchObject(refused(message))
  })

  test('a null member counts as absent', async () => {
    const absent = { client_secret: null, scope: null, logo_uri: null, client_uri: null }
    answer.body = JSON.stringify({ ...goodDocument, ...absent, tos_uri: null, policy_uri: null })
    const app = await find(siteUrl)
    for (const member of ['logoUri', 'clientUri', 'tosUri', 'policyUri']) {
      expect(app).not.toHaveProperty(member)
    }
    expect(app?.defaultScopes).toEqual(['openid', 'profile'])
  })

  test.each(['private_key_jwt', 'client_secret_basic', undefined])(
    'a document is accepted that prefers %j and also offers "none"',
    async (method) => {
      answer.body = JSON.stringify({
        ...goodDocument,
        token_endpoint_auth_method: method,
        token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
        jwks_uri: 'https://site.example/jwks.json',
      })
      const app = await find(siteUrl)
      expect(app).toMatchObject({ id: siteUrl, origin: 'metadata-document' })
      expect(app).not.toHaveProperty('clientSecret')
    },
  )

  test('media types ending in +json are accepted, with parameters', async () => {
    answer.contentType = 'application/cimd+json; charset=utf-8'
    expect(await find(siteUrl)).toMatchObject({ id: siteUrl })
  })

  test.each([
    ['openid email', { scopes: ['openid', 'email'] }],
    ['openid read-mcp offline_access', { scopes: ['openid', 'read-mcp'] }],
    ['', { scopes: publishedScopes, defaultScopes: ['openid', 'profile'] }],
  ])('the known scopes of a document with scope %j are kept', async (scope, expected) => {
    answer.body = JSON.stringify({ ...goodDocument, scope })
    expect(await find(siteUrl)).toMatchObject(expected)
  })

  test.each(['offline_access', ' '])('a document whose scope is %j is refused', async (scope) => {
    answer.body = JSON.stringify({ ...goodDocument, scope })
    await expect(find(siteUrl)).rejects.toMatchObject({ code: 'invalid_scope' })
  })
})
