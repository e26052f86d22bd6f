import {
  createRemoteJWKSet,
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose'
import { describe, expect, test } from 'vitest'
import type { AppliedFix, FixList } from '../../server/contract/control-fixes.ts'
import type { FlowDetail, FlowStepDetail } from '../../server/contract/control-flows.ts'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import {
  type CiJob,
  PublisherItem,
  type PublisherList,
} from '../../server/contract/control-publishers.ts'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { expectShape } from '../helpers/control.ts'
import { startTestSandbox, sharedSandbox } from '../helpers/sandbox.ts'
import { serve } from '../helpers/json-receiver.ts'
import { callerAt } from '../helpers/cast.ts'

const grantType = 'urn:ietf:params:oauth:grant-type:token-exchange'
const idTokenType = 'urn:ietf:params:oauth:token-type:id_token'

const claims = { repository: 'acme/train', ref: 'refs/heads/main' }
const publishers = [{ name: 'train', provider: 'github', claims }] as const

const circle = { 'oidc.circleci.com/project-id': 'p1' }

const fixtures: FixturesFile = {
  users: [
    {
      username: 'alice',
      trustedPublishers: [{ claims: { repository: 'alice/read' } }],
    },
    { username: 'bob' },
  ],
  organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }],
  repos: [
    { name: 'acme/model', private: true, trustedPublishers: publishers },
    { name: 'acme/other' },
    { name: 'acme/gated', gated: 'manual' },
    { name: 'bob/secret', private: true },
    { name: 'alice/private', private: true },
    { name: 'alice/corpus', type: 'dataset', trustedPublishers: publishers },
    {
      name: 'alice/circle',
      trustedPublishers: [
        { provider: 'circleci', issuer: 'https://oidc.circleci.com/org/x', claims: circle },
      ],
    },
  ],
}

const start = (file: FixturesFile = fixtures) => startTestSandbox({ fixtures: file })

interface Exchanged {
  status: number
  body: Record<string, string>
}

/** Exchanges an ID token as the documentation shows: JSON without client authentication. */
async function exchange(
  sandbox: Sandbox,
  subject: string,
  { resource = 'acme/model', ...more }: Record<string, string> = {},
): Promise<Exchanged> {
  const { status, body } = await callerAt(sandbox).post<object>('/oauth/token', {
    grant_type: grantType,
    subject_token_type: idTokenType,
    subject_token: subject,
    resource,
    ...more,
  })
  // RFC 6749 §5.2 allows no double quotes in a description.
  const text = JSON.stringify(body).replaceAll("'", String.raw`\"`)
  return { status, body: JSON.parse(text) as Record<string, string> }
}

const tokenOf = (exchanged: Exchanged) => exchanged.body['access_token'] ?? ''

/** The status of a commit of one file. */
async function commit(sandbox: Sandbox, token: string, repo = 'models/acme/model', query = '') {
  const lines = [
    { key: 'header', value: { summary: 'Publish' } },
    { key: 'file', value: { path: 'weights.txt', content: 'one' } },
  ]
  const body = lines.map((line) => JSON.stringify(line)).join('\n')
  const type = { 'content-type': 'application/x-ndjson' }
  const path = `/api/${repo}/commit/main${query}`
  return (await callerAt(sandbox, token).post(path, body, type)).status
}

const statusOf = async (sandbox: Sandbox, token: string, path: string) =>
  (await callerAt(sandbox, token).get(path)).status

const unsigned = (header: object, payload: object) =>
  `${[header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.c2ln`

describe('token of a repo', () => {
  test('a job whose claims match gets a token that writes to this repo alone', async () => {
    const sandbox = await start()
    const exchanged = await exchange(sandbox, await sandbox.ciToken({ provider: 'github', claims }))
    expect(exchanged).toEqual({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^hf_jwt_sandbox_[\w-]+\.[\w-]+\.[\w-]+$/),
        token_type: 'bearer',
        expires_in: 3600,
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      },
    })
    const token = tokenOf(exchanged)
    expect(await commit(sandbox, token)).toBe(200)
    expect(await commit(sandbox, token, 'models/acme/other')).toBe(403)
    expect(await commit(sandbox, token, 'models/bob/secret')).toBe(404)
    expect(await statusOf(sandbox, token, '/api/models/acme/model')).toBe(200)
    expect(await statusOf(sandbox, token, '/api/models/alice/private')).toBe(404)
    expect(await statusOf(sandbox, token, '/acme/gated/resolve/main/README.md')).toBe(403)
    expect(await commit(sandbox, token, 'models/acme/model', '?create_pr=1')).toBe(200)
    const discussion = { title: 'Hello', description: 'From CI', pullRequest: false }
    const discussions = '/api/models/acme/model/discussions'
    const opened = await callerAt(sandbox, token).post(discussions, discussion)
    expect(opened.status).toBe(403)
    expect(opened.headers['x-error-message']).toMatch(/not open to tokens of trusted publishers/)
  })

  test('its commits are those of a system user named after the publisher', async () => {
    const sandbox = await start()
    const idToken = await sandbox.ciToken({ provider: 'github', claims })
    await commit(sandbox, tokenOf(await exchange(sandbox, idToken)))
    const { access_token: reader } = await sandbox.tokens.mint({ user: 'alice', role: 'read' })
    const { body } = await callerAt(sandbox, reader).get<{ authors: { user: string }[] }[]>(
      '/api/models/acme/model/commits/main',
    )
    const [newest] = body
    expect(newest?.authors).toMatchObject([{ user: '[OIDC] train' }])
    // No account was created.
    expect((await sandbox.export()).users?.map(({ username }) => username)).toEqual([
      'alice',
      'bob',
    ])
  })

  test('one audit row says what was granted, and one what was refused', async () => {
    const sandbox = await start()
    await exchange(sandbox, await sandbox.ciToken({ provider: 'github', claims }))
    await exchange(sandbox, 'nonsense')
    const { items } = await sandbox.control<{ items: { message: string }[] }>(
      'GET',
      'audit-log?organization=acme',
    )
    expect(items).toMatchObject([
      {
        message: expect.stringMatching(
          /^Refused a token for acme\/model: The subject_token is not/,
        ),
      },
      { message: 'Issued a token for acme/model to the trusted publisher train' },
    ])
  })

  test('the token ends with its publisher, and after an hour', async () => {
    const sandbox = await start()
    const mint = () => sandbox.ciToken({ provider: 'github', claims })
    const token = tokenOf(await exchange(sandbox, await mint()))
    const { items } = await sandbox.control<{ items: { id: string; lastUsedAt?: string }[] }>(
      'GET',
      'trusted-publishers?resource=acme/model',
    )
    expect(items).toMatchObject([{ lastUsedAt: expect.any(String) }])
    const path = `trusted-publishers/${items[0]?.id}`
    await sandbox.control('PATCH', path, { disabled: true })
    expect(await statusOf(sandbox, token, '/api/models/acme/model')).toBe(401)
    await sandbox.control('PATCH', path, { disabled: false })
    expect(await statusOf(sandbox, token, '/api/models/acme/model')).toBe(200)
    await sandbox.clock.advance('61m')
    expect(await statusOf(sandbox, token, '/api/models/acme/model')).toBe(401)
    const next = tokenOf(await exchange(sandbox, await mint()))
    await sandbox.control('DELETE', path)
    expect(await statusOf(sandbox, next, '/api/models/acme/model')).toBe(401)
  })

  test.each(['its publisher', 'its repo', 'the user of its publisher'])(
    'the token is shown as revoked once %s was deleted',
    async (gone) => {
      const sandbox = await start()
      const isOfUser = gone === 'the user of its publisher'
      const given = isOfUser ? { repository: 'alice/read' } : claims
      const resource = isOfUser ? 'alice' : 'acme/model'
      const subject = await sandbox.ciToken({ provider: 'github', claims: given })
      const text = tokenOf(await exchange(sandbox, subject, { resource }))
      const [publisher] = (
        await sandbox.control<PublisherList>('GET', `trusted-publishers?resource=${resource}`)
      ).items
      const paths = {
        'its publisher': `trusted-publishers/${publisher?.id}`,
        'its repo': 'repos/acme/model',
        'the user of its publisher': 'users/alice',
      }
      await sandbox.control('DELETE', paths[gone as keyof typeof paths])
      const { items } = await sandbox.control<{ items: { token: string; state: string }[] }>(
        'GET',
        'tokens',
      )
      expect(items.filter(({ token }) => token === text).map(({ state }) => state)).toEqual([
        'revoked',
      ])
    },
  )

  test('a dataset is named with its prefix, and a form works like JSON', async () => {
    const sandbox = await start()
    const answer = await fetch(`${sandbox.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: grantType,
        subject_token_type: idTokenType,
        subject_token: await sandbox.ciToken({ provider: 'github', claims }),
        resource: 'datasets/alice/corpus',
      }),
    })
    const body = (await answer.json()) as Record<string, string>
    expect(await commit(sandbox, body['access_token'] ?? '', 'datasets/alice/corpus')).toBe(200)
  })
})

test('a token of a user reads gated and public repos, nothing private, and writes nothing', async () => {
  const sandbox = await start()
  const idToken = await sandbox.ciToken({
    provider: 'github',
    claims: { repository: 'alice/read' },
  })
  const exchanged = await exchange(sandbox, idToken, { resource: 'alice' })
  const token = tokenOf(exchanged)
  expect(token).toMatch(/^hf_oauth_sandbox_/)
  expect(await statusOf(sandbox, token, '/acme/gated/resolve/main/.gitattributes')).toBeLessThan(
    400,
  )
  expect(await statusOf(sandbox, token, '/api/models/acme/other')).toBe(200)
  expect(await statusOf(sandbox, token, '/api/models/alice/private')).toBe(404)
  expect(await commit(sandbox, token, 'datasets/alice/corpus')).toBe(403)
  expect(await commit(sandbox, token, 'models/acme/gated')).toBe(403)
})

describe('refused ID tokens', () => {
  const sandbox = sharedSandbox({ fixtures }, { keepsState: true })
  const mint = (more: object = {}) => sandbox.ciToken({ provider: 'github', claims, ...more })
  const now = () => Math.floor(Date.now() / 1000)
  const issuer = () => `${sandbox.url}/_sandbox/ci/github`

  type Row = [title: string, make: () => Promise<string> | string, error: string, message: RegExp]
  test.each<Row>([
    ['a text that is no JWT', () => 'abc', 'invalid_request', /1 parts separated by dots/],
    [
      'a payload that is no JSON',
      () => `${unsigned({ alg: 'RS256' }, {}).split('.')[0]}.abc.c2ln`,
      'invalid_request',
      /its payload is not JSON/,
    ],
    [
      'alg none',
      () => unsigned({ alg: 'none' }, { iss: issuer() }),
      'invalid_grant',
      /its alg is "none"/,
    ],
    [
      'alg HS256',
      () => unsigned({ alg: 'HS256' }, { iss: issuer() }),
      'invalid_grant',
      /its alg is "HS256"/,
    ],
    [
      'an issuer that is no text',
      () => unsigned({ alg: 'RS256' }, { iss: 1 }),
      'invalid_grant',
      /its iss is 1/,
    ],
    [
      'an unknown issuer',
      () => unsigned({ alg: 'RS256' }, { iss: 'https://evil.example' }),
      'invalid_grant',
      /its issuer differs: its iss is "https:\/\/evil\.example".*https:\/\/token\.actions\.githubusercontent\.com/,
    ],
    [
      'an unknown key',
      () => mint({ drill: 'unknown-key' }),
      'invalid_grant',
      /publishes no key for RS256 with the kid "drill"/,
    ],
    [
      'a wrong signature',
      async () => `${(await mint()).slice(0, -4)}AAAA`,
      'invalid_grant',
      /its signature does not match/,
    ],
    [
      'a wrong audience',
      () => mint({ audience: 'https://pypi.org' }),
      'invalid_grant',
      /its aud is "https:\/\/pypi\.org", but must be "http:\/\/localhost:\d+"/,
    ],
    [
      'an audience of a wrong type',
      () => mint({ claims: { ...claims, aud: 1 } }),
      'invalid_grant',
      /its aud is 1/,
    ],
    [
      'an expired ID token',
      () => mint({ claims: { ...claims, exp: now() - 10 } }),
      'invalid_grant',
      /it expired at/,
    ],
    [
      'an exp of a wrong type',
      () => mint({ claims: { ...claims, exp: 'soon' } }),
      'invalid_grant',
      /its exp is "soon", not a number/,
    ],
    ...[1e308, -1e308, 1e15, -1].map((exp): Row => [
      `an exp of ${exp}`,
      () => mint({ claims: { ...claims, exp } }),
      'invalid_grant',
      /its exp is .+, not in the years 1970 to 9999/,
    ]),
    [
      'an nbf of -1e308',
      () => mint({ claims: { ...claims, nbf: -1e308 } }),
      'invalid_grant',
      /its nbf is -1e\+308, not in the years/,
    ],
    ...[['b64'], ['exp'], [], 'b64', null].map((crit): Row => [
      `a crit of ${JSON.stringify(crit)} (RFC 7515 §4.1.11)`,
      () => unsigned({ alg: 'RS256', crit, b64: true }, { iss: issuer() }),
      'invalid_grant',
      /its crit is .+, which requires unsupported extensions/,
    ]),
    [
      'an ID token from the future',
      () => mint({ claims: { ...claims, iat: now() + 600 } }),
      'invalid_grant',
      /from the future: its iat/,
    ],
    [
      'a wrong ref',
      () => mint({ claims: { ...claims, ref: 'refs/heads/dev' } }),
      'invalid_grant',
      /the claim ref differs: it has "refs\/heads\/dev", the trusted publisher train requires "refs\/heads\/main"/,
    ],
    [
      'a ref that only begins the same',
      () => mint({ claims: { ...claims, ref: 'refs/heads/main-backup' } }),
      'invalid_grant',
      /the claim ref differs/,
    ],
    [
      'a claim of a wrong type',
      () => mint({ claims: { ...claims, ref: ['refs/heads/main'] } }),
      'invalid_grant',
      /the claim ref differs: it has \["refs\/heads\/main"\]/,
    ],
    ['another provider', () => mint({ provider: 'gitlab' }), 'invalid_grant', /its issuer differs/],
  ])('%s', async (_name, make, error, message) => {
    const before = (await sandbox.tokens.list()).length
    const answer = await exchange(sandbox, await make())
    expect(answer).toMatchObject({
      status: 400,
      body: { error, error_description: expect.stringMatching(message) },
    })
    expect((await sandbox.tokens.list()).length).toBe(before)
    const { detail } = (await sandbox.requests({ route: '/oauth/token' })).at(-1) ?? {}
    expect(detail).toMatch(message)
    const flow = (await sandbox.flows()).at(-1)
    expect(flow).toMatchObject({
      kind: 'token-exchange',
      outcome: 'refused',
      explanation: expect.stringMatching(message),
    })
    const drawn = await sandbox.control<FlowDetail>('GET', `flows/${flow?.id}`)
    const step = drawn.steps.find(({ name }) => name === 'CI identity exchange')
    const { exchange: chain } = await sandbox.control<FlowStepDetail>(
      'GET',
      `flows/${flow?.id}/steps/${step?.id}`,
    )
    expect(chain?.filter((link) => link.outcome === 'refused')).toMatchObject([
      { value: expect.stringMatching(message) },
    ])
    expect(chain?.at(-1)).toMatchObject({ label: 'token', value: 'none was issued' })
  })

  test('a text that is too long', async () => {
    const answer = await exchange(sandbox, 'a'.repeat(20_000))
    expect(answer.body).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringMatching(/it has 20000 characters/),
    })
  })

  test.each([
    ['wrong-audience', /its audience differs/],
    ['expired', /it expired at/],
    ['wrong-ref', /the claim ref differs: it has "drill"/],
    ['unknown-key', /publishes no key/],
    ['replay', /it was exchanged before/],
  ] as const)('the drill %s', async (drill, message) => {
    const answer = await exchange(sandbox, await mint({ drill }))
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', error_description: expect.stringMatching(message) },
    })
  })

  test('a jti of a wrong type', async () => {
    const answer = await exchange(sandbox, await mint({ claims: { ...claims, jti: 1 } }))
    expect(answer.body['error_description']).toMatch(/its jti is 1, not a string/)
  })

  test.each([
    ['acme/nothing', 'invalid_grant', /there is no model acme\/nothing/],
    ['acme', 'invalid_grant', /is an organization/],
    ['nobody', 'invalid_grant', /no such user/],
    ['acme/other', 'invalid_grant', /has no trusted publisher/],
    ['kernels/acme/fast', 'invalid_grant', /does not emulate kernels/],
    ['models/acme/model', 'invalid_request', /Invalid resource/],
    ['acme/mo del', 'invalid_request', /Invalid resource/],
    ['constructor/acme/x', 'invalid_request', /Invalid resource/],
  ])('the resource %s', async (resource, error, message) => {
    const answer = await exchange(sandbox, await mint(), { resource })
    expect(answer).toMatchObject({
      status: 400,
      body: { error, error_description: expect.stringMatching(message) },
    })
  })

  test('a foreign audience parameter, an actor and a second resource', async () => {
    const idToken = await mint()
    expect((await exchange(sandbox, idToken, { audience: 'x' })).body['error']).toBe(
      'invalid_target',
    )
    expect((await exchange(sandbox, idToken, { actor_token: 'x' })).body['error']).toBe(
      'invalid_request',
    )
    const form = new URLSearchParams({
      grant_type: grantType,
      subject_token_type: idTokenType,
      subject_token: idToken,
      resource: 'acme/model',
    })
    form.append('resource', 'acme/other')
    const answer = await fetch(`${sandbox.url}/oauth/token`, { method: 'POST', body: form })
    expect(await answer.json()).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringMatching(/2 were sent/),
    })
  })
})

test('a job exchanges its only ID token for each of its commands', async () => {
  const sandbox = await start()
  const idToken = await sandbox.ciToken({ provider: 'github', claims })
  const exchanged = [await exchange(sandbox, idToken), await exchange(sandbox, idToken)]
  expect(exchanged.map(({ status }) => status)).toEqual([200, 200])
  expect(tokenOf(exchanged[1]!)).not.toBe(tokenOf(exchanged[0]!))
  const drilled = await sandbox.ciToken({ provider: 'circleci', claims: circle, drill: 'replay' })
  const answer = await exchange(sandbox, drilled, { resource: 'alice/circle' })
  expect(answer.body['error_description']).toMatch(/it was exchanged before by another job/)
})

describe('a suggested fix', () => {
  const refuse = async (sandbox: Sandbox, given: object) => {
    const idToken = await sandbox.ciToken({ provider: 'github', claims: { ...claims, ...given } })
    expect((await exchange(sandbox, idToken)).status).toBe(400)
    const flow = (await sandbox.flows()).at(-1)
    const { items } = await sandbox.control<FixList>('GET', `flows/${flow?.id}/fixes`)
    return { idToken, fixes: items, path: `flows/${flow?.id}/fixes/${items[0]?.id}` }
  }

  test('has the publisher accept the claims of the refused job', async () => {
    const sandbox = await start()
    const { idToken, fixes, path } = await refuse(sandbox, { ref: 'refs/heads/dev' })
    expect(fixes).toMatchObject([
      {
        kind: 'publisher',
        title: 'Let train accept this job',
        change: expect.stringContaining('ref "refs/heads/dev" instead of "refs/heads/main"'),
        fixtures: { lines: expect.stringContaining('"ref": "refs/heads/dev"') },
      },
    ])
    const made = await sandbox.control<AppliedFix>('POST', path)
    expect(made.next).toBe('Run the job again.')
    expect((await exchange(sandbox, idToken)).status).toBe(200)
    const { items } = await sandbox.control<PublisherList>(
      'GET',
      'trusted-publishers?resource=acme/model',
    )
    expect(items).toMatchObject([{ claims: { ...claims, ref: 'refs/heads/dev' } }])
    // The same fix is not offered twice.
    await expect(sandbox.control('POST', path)).rejects.toThrow(/no longer applies/)
  })

  test.each([
    ['for a claim without a value', { ref: null }],
    ['for a list', { ref: ['refs/heads/main'] }],
    ['for another mistake', { aud: 'https://pypi.org' }],
  ])('is not offered %s', async (_title, given) => {
    const { fixes } = await refuse(await start(), given)
    expect(fixes).toEqual([])
  })

  test('is not offered where the refused ID token has a wrong signature', async () => {
    const sandbox = await start()
    const [header, , signature] = (await sandbox.ciToken({ provider: 'github', claims })).split('.')
    const issuer = `${sandbox.url}/_sandbox/ci/github`
    const forged = { ...claims, iss: issuer, ref: 'refs/heads/evil', aud: sandbox.url, exp: 2e10 }
    const payload = Buffer.from(JSON.stringify(forged)).toString('base64url')
    const answer = await exchange(sandbox, `${header}.${payload}.${signature}`)
    expect(answer.body['error_description']).toMatch(/its signature does not match/)
    const flow = (await sandbox.flows()).at(-1)
    expect(await sandbox.control('GET', `flows/${flow?.id}/fixes`)).toEqual({ items: [] })
  })
})

describe('the sandbox as CI provider', () => {
  test('its metadata and keys are open, and a GitHub job requests ID tokens with its own bearer token', async () => {
    const sandbox = await startTestSandbox({ fixtures, controlToken: true })
    const { variables, resources } = await sandbox.control<CiJob>('POST', 'ci/jobs', {
      provider: 'github',
      claims,
    })
    expect(resources).toEqual(['acme/model', 'datasets/alice/corpus'])
    const issuer = `${sandbox.url}/_sandbox/ci/github`
    const configuration = await fetch(`${issuer}/.well-known/openid-configuration`)
    expect(await configuration.json()).toMatchObject({
      issuer,
      jwks_uri: `${issuer}/.well-known/jwks`,
    })
    const url = `${variables['ACTIONS_ID_TOKEN_REQUEST_URL']}&audience=https://huggingface.co`
    const authorization = `bearer ${variables['ACTIONS_ID_TOKEN_REQUEST_TOKEN']}`
    const answer = await fetch(url, { headers: { authorization } })
    const { value } = (await answer.json()) as { value: string }
    const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks`))
    const { payload } = await jwtVerify(value, keys, { issuer, audience: 'https://huggingface.co' })
    expect(payload).toMatchObject({ ...claims, sub: 'repo:acme/train:ref:refs/heads/main' })
    expect((await exchange(sandbox, value)).status).toBe(200)

    expect((await fetch(url)).status).toBe(401)
    expect((await fetch(url, { headers: { authorization: `bearer ${value}` } })).status).toBe(401)
    expect((await fetch(`${sandbox.url}/_sandbox/ci/jenkins/.well-known/jwks`)).status).toBe(404)
    expect((await fetch(`${sandbox.url}/_sandbox/api/trusted-publishers`)).status).toBe(401)
  })

  test.each([
    ['gitlab', { project_path: 'acme/train' }, 'HF_ID_TOKEN'],
    ['circleci', { 'oidc.circleci.com/project-id': 'p1' }, 'CIRCLE_OIDC_TOKEN_V2'],
    ['bitbucket', { repositoryUuid: '{r1}' }, 'BITBUCKET_STEP_OIDC_TOKEN'],
  ] as const)('a job of %s has its ID token in a variable', async (provider, required, name) => {
    const sandbox = await start({
      users: [{ username: 'alice' }],
      repos: [
        {
          name: 'alice/model',
          trustedPublishers: [{ provider, ...issuerOf(provider), claims: required }],
        },
      ],
    })
    const { variables, resources } = await sandbox.control<CiJob>('POST', 'ci/jobs', {
      provider,
      claims: required,
    })
    expect(resources).toEqual(['alice/model'])
    const exchanged = await exchange(sandbox, variables[name] ?? '', { resource: 'alice/model' })
    expect(exchanged.status).toBe(200)
  })
  const issuerOf = (provider: string) =>
    provider === 'gitlab' ? {} : { issuer: `https://${provider}.example` }
})

describe('publishers', () => {
  test('are created, edited, exported, part of snapshots, and end with their repo', async () => {
    const sandbox = await start()
    const created = await sandbox.control<PublisherItem>('POST', 'trusted-publishers', {
      resource: 'acme/other',
      provider: 'gitlab',
      claims: { project_path: 'acme/train' },
    })
    expectShape(PublisherItem, created)
    expect(created).toMatchObject({ name: 'acme/train', disabled: false })
    const { name } = await sandbox.snapshot()
    const path = `trusted-publishers/${created.id}`
    await sandbox.control('PATCH', path, { name: 'nightly', disabled: true })
    const exported = await sandbox.export()
    const other = exported.repos?.find((repo) => repo.name === 'acme/other')
    expect(other?.trustedPublishers).toMatchObject([
      { id: created.id, name: 'nightly', disabled: true, claims: { project_path: 'acme/train' } },
    ])
    const copy = await start(exported)
    expect(await copy.control('GET', path)).toMatchObject({ name: 'nightly', disabled: true })
    await sandbox.restore(name)
    expect(await sandbox.control('GET', path)).toMatchObject({
      name: 'acme/train',
      disabled: false,
    })
    await sandbox.reset()
    await expect(sandbox.control('GET', path)).rejects.toThrow(/No trusted publisher/)
    const [mine] = (
      await sandbox.control<PublisherList>('GET', 'trusted-publishers?resource=acme/model')
    ).items
    await sandbox.control('DELETE', 'repos/acme/model')
    await expect(sandbox.control('GET', `trusted-publishers/${mine?.id}`)).rejects.toThrow(
      /No trusted/,
    )
  })

  test.each([
    [{ claims: {} }, 'claims', /at least one claim, for example repository/],
    [{ provider: 'custom' }, 'issuer', /required for the provider custom/],
    [{ issuer: 'http://ci.example' }, 'issuer', /must begin with https/],
    [{ resource: 'acme/nothing' }, 'resource', /there is no model/],
  ])('%j is refused', async (change, path, message) => {
    const sandbox = await start()
    const body = { resource: 'acme/other', provider: 'github', claims, ...change }
    const refused = await sandbox
      .control('POST', 'trusted-publishers', body)
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ issues: [{ path, message: expect.stringMatching(message) }] })
  })

  test('a fixtures file with a publisher that every job would match is refused', async () => {
    const file = { users: [{ username: 'alice', trustedPublishers: [{ claims: {} }] }] }
    await expect(startSandbox({ fixtures: file })).rejects.toThrow(
      /users\[0\]\.trustedPublishers\[0\]\.claims.*at least one claim/,
    )
  })
})

describe('an issuer elsewhere', () => {
  /** An OpenID Connect issuer on loopback. */
  async function serveIssuer(onRequest: () => Promise<unknown> = async () => undefined) {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const paths: string[] = []
    const url = await serve((request, response) => {
      paths.push(request.url ?? '')
      const isKeys = request.url === '/keys'
      void onRequest().then(async () => {
        const jwk = await exportJWK(publicKey)
        const document = isKeys
          ? { keys: [{ ...jwk, kid: 'one', alg: 'ES256' }] }
          : { issuer: url, jwks_uri: `${url}/keys` }
        response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
      })
    })
    const sign = (payload: JWTPayload) =>
      new SignJWT(payload)
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .setIssuer(url)
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(privateKey)
    return { url, paths, sign }
  }

  test('its keys are fetched once by discovery', async () => {
    const issuer = await serveIssuer()
    const sandbox = await start({
      users: [{ username: 'alice' }],
      repos: [
        {
          name: 'alice/model',
          trustedPublishers: [{ provider: 'custom', issuer: issuer.url, claims: { sub: 'job' } }],
        },
      ],
    })
    const idToken = () => issuer.sign({ sub: 'job', aud: [sandbox.url, 'x'] })
    const first = await exchange(sandbox, await idToken(), { resource: 'alice/model' })
    expect(first.status).toBe(200)
    expect((await exchange(sandbox, await idToken(), { resource: 'alice/model' })).status).toBe(200)
    expect(issuer.paths).toEqual(['/.well-known/openid-configuration', '/keys'])
  })

  test('a publisher that is deleted while its keys are fetched gives no token', async () => {
    let remove = async () => undefined as unknown
    const issuer = await serveIssuer(() => remove())
    const sandbox = await start({
      users: [{ username: 'alice' }],
      repos: [
        {
          name: 'alice/model',
          trustedPublishers: [{ provider: 'custom', issuer: issuer.url, claims: { sub: 'job' } }],
        },
      ],
    })
    const idToken = await issuer.sign({ sub: 'job', aud: sandbox.url })
    const list = 'trusted-publishers?resource=alice/model'
    const [publisher] = (await sandbox.control<PublisherList>('GET', list)).items
    remove = async () => {
      remove = async () => undefined
      await sandbox.control('DELETE', `trusted-publishers/${publisher?.id}`)
    }
    const answer = await exchange(sandbox, idToken, { resource: 'alice/model' })
    expect(answer.body['error_description']).toMatch(/has no trusted publisher/)
  })

  test('the keys of an issuer that no publisher trusts are never fetched', async () => {
    const issuer = await serveIssuer()
    const sandbox = await start()
    const answer = await exchange(sandbox, await issuer.sign({ sub: 'job', aud: sandbox.url }))
    expect(answer.body['error_description']).toMatch(/its issuer differs/)
    expect(issuer.paths).toEqual([])
  })
})
