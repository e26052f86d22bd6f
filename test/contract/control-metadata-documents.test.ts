import { expect, test } from 'vitest'
import {
  MetadataDocumentCheck,
  MetadataDocumentItem,
  MetadataDocumentList,
} from '../../server/contract/control-apps.ts'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import {
  controlWorld,
  expectConflict,
  expectInvalid,
  expectNotFound,
  expectShape,
} from '../helpers/control.ts'
import { playFlows } from '../helpers/played-flows.ts'

const world = controlWorld()
const { call, make, send } = world
const play = playFlows(world)

const url = 'https://client.example/.well-known/oauth-cimd'
const path = `client-metadata-documents/${encodeURIComponent(url)}`
const documentWith = (redirectUri: string) => ({
  client_id: url,
  client_name: 'My client',
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: 'none',
})
const home = 'https://client.example/callback'
const moved = 'https://client.example/elsewhere'

/** Signs in through the client of the document. */
const authorize = (redirectUri: string) =>
  play.authorize({ client_id: url, redirect_uri: redirectUri, scope: 'openid' })

test('a document is served, changed and removed', async () => {
  const created = await call('POST', 'client-metadata-documents', {
    url,
    document: documentWith(home),
  })
  expect(created.status).toBe(201)
  expectShape(MetadataDocumentItem, created.body)
  expect((await authorize(home)).body.redirectTo).toContain(`${home}?code=`)

  const updated = await call('PATCH', path, { document: documentWith(moved) })
  expect(updated).toMatchObject({ status: 200, body: { document: { redirect_uris: [moved] } } })
  expect((await authorize(moved)).body.redirectTo).toContain(`${moved}?code=`)
  expect((await authorize(home)).status).toBe(400)

  const list = await call('GET', 'client-metadata-documents')
  expectShape(MetadataDocumentList, list.body)
  expect(list.body).toEqual({ items: [{ url, document: documentWith(moved) }] })
  expect((await call('GET', path)).body).toEqual({ url, document: documentWith(moved) })

  expect(await call('DELETE', path)).toMatchObject({ status: 200, body: {} })
  const gone = await authorize(moved)
  expect(gone).toMatchObject({ status: expect.any(Number), body: { error: 'invalid_client' } })
  expect((await call('GET', path)).status).toBe(404)
})

test('a document comes with all that the hub would refuse', async () => {
  const document = {
    client_id: 'https://client.example/other',
    client_name: ' ',
    redirect_uris: [home, 'javascript:alert(1)'],
    token_endpoint_auth_method: 'client_secret_post',
    client_secret: 'sandbox_secret',
    scope: ['openid'],
    logo_uri: 'ftp://client.example/logo',
  }
  const created = await make(MetadataDocumentItem, 'client-metadata-documents', {
    url,
    document,
  })
  expect(created.problems?.map(({ member }) => member)).toEqual([
    'client_id',
    'client_name',
    'redirect_uris[1]',
    'token_endpoint_auth_method',
    'client_secret',
    'scope',
    'logo_uri',
  ])
  const refused = await authorize(home)
  expect(refused.body.message).toContain(created.problems?.[0]?.message)
})

test('the text of a document is checked without serving it', async () => {
  const text = JSON.stringify({ ...documentWith(home), token_endpoint_auth_method: 'x' }, null, 2)
  const body = await send(MetadataDocumentCheck, 'POST', 'client-metadata-documents/check', {
    text,
  })
  expect(body).toMatchObject({
    url,
    problems: [{ line: 7, column: 3, member: 'token_endpoint_auth_method' }],
  })
  expect((await call('GET', 'client-metadata-documents')).body).toEqual({ items: [] })

  const broken = await call('POST', 'client-metadata-documents/check', { text: '{', url })
  expect(broken.body).toMatchObject({ url, problems: [{ line: 1, column: 2 }] })
  expect(broken.body).not.toHaveProperty('document')
  const refused = await call('POST', 'client-metadata-documents/check', { text, url: 'ftp://x/y' })
  expectInvalid(refused, ['url'])
})

test('documents are part of the export', async () => {
  await call('POST', 'client-metadata-documents', { url, document: documentWith(home) })
  const { body } = await call<FixturesFile>('GET', 'export')
  expect(body.clientMetadataDocuments).toEqual({ [url]: documentWith(home) })
})

test.each([
  ['http://client.example/doc', /https URL/],
  ['https://client.example/', /with a path/],
  ['client', /https URL/],
])('the URL %s is refused', async (address, message) => {
  const answer = await call('POST', 'client-metadata-documents', { url: address, document: {} })
  expectInvalid(answer, ['url'])
  expect(answer.body).toMatchObject({ message: expect.stringMatching(message) })
})

test('a second document at the same URL is refused', async () => {
  const request = { url, document: documentWith(home) }
  await call('POST', 'client-metadata-documents', request)
  const again = await call('POST', 'client-metadata-documents', request)
  expectConflict(again)
})

test.each(['GET', 'PATCH', 'DELETE'])('%s of an unknown document is refused', async (method) => {
  const answer = await call(method, path, method === 'PATCH' ? { document: {} } : undefined)
  expectNotFound(answer)
})
