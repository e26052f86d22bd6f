import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { createRepo, moveRepo } from '../../server/hub/repos.ts'
import type { Repo } from '../../server/state/entities/hub.ts'
import { buildTestApp, type TestApp } from '../helpers/app.ts'
import { mintUserToken } from '../helpers/user-token.ts'

let world: TestApp
beforeEach(async () => {
  world = await buildTestApp()
})

const make = (more: Partial<Parameters<typeof createRepo>[1]> = {}): Repo =>
  createRepo(world.deps, {
    type: 'model',
    name: 'acme/model',
    actorId: world.users.alice.id,
    ...more,
  })

const signIn = (name: string, token: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${token}`).toString('base64')}`,
})
const refsOf = (path: string, headers: Record<string, string> = {}, service = 'git-upload-pack') =>
  world.server.inject({ url: `${path}/info/refs?service=${service}`, headers })
const ask = (path: string, payload: string | Buffer, headers: Record<string, string> = {}) =>
  world.server.inject({
    method: 'POST',
    url: `${path}/git-upload-pack`,
    payload,
    headers: { 'content-type': 'application/x-git-upload-pack-request', ...headers },
  })

const challenge = 'Basic realm="Authentication required", charset="UTF-8"'

describe('git over HTTP: who may fetch', () => {
  test('asks for a name and a password where nobody is signed in and something may be hidden', async () => {
    make({ visibility: 'private' })
    for (const path of [
      '/acme/model',
      '/acme/model.git',
      '/acme/none',
      '/datasets/acme/none.git',
    ]) {
      const answer = await refsOf(path)
      expect(answer.statusCode).toBe(401)
      expect(answer.headers).toMatchObject({
        'www-authenticate': challenge,
        'content-type': 'text/plain; charset=utf-8',
        'x-error-code': 'RepoNotFound',
      })
      expect(answer.body).toBe('Repository not found\n')
    }
    expect((await ask('/acme/model', '0000')).statusCode).toBe(401)
  })

  test('knows no repo that the caller may not see', async () => {
    make({ visibility: 'private' })
    const answer = await refsOf('/acme/model', signIn('x', mintUserToken(world, world.users.dana)))
    expect([answer.statusCode, answer.body]).toEqual([404, 'Repository not found\n'])
    expect(answer.headers).not.toHaveProperty('www-authenticate')
    expect(world.requests.values().at(-1)).toMatchObject({
      error: 'RepoNotFound',
      detail: expect.stringContaining('dana has no part in it') as string,
    })
  })

  test.each([
    ['Basic', 'no token at all', 'no such token was issued'],
    ['Basic', '', 'the password is empty'],
    ['Bearer', 'hf_unknown', 'no such token was issued'],
  ])('refuses %s with %j', async (scheme, token, detail) => {
    make()
    const headers =
      scheme === 'Basic' ? signIn('alice', token) : { authorization: `Bearer ${token}` }
    const answer = await refsOf('/acme/model', headers)
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['www-authenticate']).toBe(challenge)
    expect(answer.body).toBe('Invalid credentials in Authorization header\n')
    const record = world.requests.values().at(-1)
    expect(record).toMatchObject({ error: 'invalid_token' })
    expect(record?.detail).toContain(detail)
    expect(record?.clientId).toBeUndefined()
  })

  test('asks the gate, since a clone has the files', async () => {
    const repo = make()
    world.state.repos.put({ ...repo, gated: 'manual' })
    const anonymous = await refsOf('/acme/model')
    expect([anonymous.statusCode, anonymous.headers['x-error-code']]).toEqual([401, 'GatedRepo'])
    const dana = signIn('dana', mintUserToken(world, world.users.dana))
    for (const answer of [
      await refsOf('/acme/model', dana),
      await ask('/acme/model', '0000', dana),
    ]) {
      expect([answer.statusCode, answer.headers['x-error-code']]).toEqual([403, 'GatedRepo'])
      expect(answer.body).toContain('you are not in the authorized list')
    }
  })

  test('leads to the present name of a repo, from either spelling', async () => {
    const repo = make({ type: 'dataset', name: 'acme/old' })
    moveRepo(world.deps, { repo, toName: 'acme/new', actorId: world.users.alice.id })
    const query = '/info/refs?service=git-upload-pack'
    for (const [name, location] of [
      ['/datasets/acme/old', '/datasets/acme/new'],
      ['/datasets/acme/old.git', '/datasets/acme/new.git'],
    ]) {
      const answer = await world.server.inject(`${name}${query}`)
      expect([answer.statusCode, answer.headers.location]).toEqual([307, `${location}${query}`])
      const posted = await ask(name ?? '', '0000')
      expect([posted.statusCode, posted.headers.location]).toEqual([
        307,
        `${location}/git-upload-pack`,
      ])
    }
  })
})

describe('git over HTTP: what is no request of git', () => {
  test.each(['', '?service=git-upload-archive'])('speaks no other protocol: %s', async (query) => {
    make()
    const answer = await world.server.inject(`/acme/model/info/refs${query}`)
    expect(answer.statusCode).toBe(403)
    expect(answer.body).toBe('This hub speaks the smart protocol of git alone\n')
  })

  test.each([
    ['zzzz', {}, 400, 'is no length of a line'],
    ['0010command=what', {}, 400, 'The command what is not known here'],
    ['no gzip', { 'content-encoding': 'gzip' }, 400, 'damaged, or ended early'],
    [gzipSync('0000').subarray(0, 12), { 'content-encoding': 'gzip' }, 400, 'ended early'],
    ['0000', { 'content-encoding': 'br' }, 415, 'The encoding br is not known'],
    ['0000', { 'content-type': 'text/plain' }, 415, 'Unsupported Media Type'],
    [gzipSync(Buffer.alloc(17 * 1024 * 1024)), { 'content-encoding': 'gzip' }, 413, 'too large'],
  ])('refuses %#', async (payload, headers, status, text) => {
    make()
    const answer = await ask('/acme/model', payload, headers)
    expect(answer.statusCode).toBe(status)
    expect(answer.body).toContain(text)
  })
})
