import { readdirSync, readFileSync } from 'node:fs'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { FixturesSchema } from '../../../server/contract/fixtures.ts'
import { checkFixtures } from '../../../server/config/check-fixtures.ts'

const issuesOf = (file: unknown) => {
  const result = checkFixtures(file)
  return 'issues' in result ? result.issues.map(({ path, message }) => `${path}: ${message}`) : []
}

const alice = { username: 'alice' }
const acme = { name: 'acme', members: [{ user: 'alice' }] }

describe('bundled fixtures', () => {
  const folder = new URL('../../../fixtures/', import.meta.url)
  const files = readdirSync(folder).filter((name) => !name.endsWith('.schema.json'))

  test.each(files)('%s is valid, also by the published schema', (name) => {
    const file: unknown = JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
    expect(issuesOf(file)).toEqual([])
    expect(Value.Check(FixturesSchema, file)).toBe(true)
  })
})

describe('a fixtures file with mistakes', () => {
  const cases: [mistake: string, file: unknown, issue: RegExp][] = [
    ['no object', [], /^: must be an object, not a list/],
    ['an unknown key', { usres: [] }, /^usres: is not a known key \(did you mean "users"\?\)$/],
    [
      'a key in another spelling',
      { apps: [{ name: 'a', redirect_uris: [] }] },
      /^apps\[0\]\.redirect_uris: .*"redirectUris"/,
    ],
    ['a missing key', { users: [{}] }, /^users\[0\]\.username: is missing/],
    [
      'a wrong type',
      { users: [{ ...alice, isPro: 'yes' }] },
      /isPro: must be true or false, not "yes"/,
    ],
    [
      'none of the choices',
      { organizations: [{ name: 'acme', plan: 'enterprize' }] },
      /^organizations\[0\]\.plan: must be one of .* \(did you mean "enterprise"\?\)/,
    ],
    [
      'none of the alternatives',
      { users: [alice], repos: [{ name: 'alice/x', gated: 'manul' }] },
      /^repos\[0\]\.gated: must be false or "auto" or "manual".*"manual"\?/,
    ],
    [
      'an id of another form',
      { users: [{ ...alice, id: 'ABC' }] },
      /^users\[0\]\.id: .*24 hex digits/,
    ],
    [
      'a token that could be a real one',
      { users: [{ ...alice, tokens: [{ token: 'hf_abcdefgh' }] }] },
      /^users\[0\]\.tokens\[0\]\.token: .*hf_sandbox_/,
    ],
    [
      'a token of two users',
      {
        users: [
          { ...alice, tokens: [{ token: 'hf_sandbox_x' }] },
          { username: 'bob', tokens: [{ token: 'hf_sandbox_x' }] },
        ],
      },
      /^users\[1\]\.tokens\[0\]\.token: .*taken by users\[0\]\.tokens\[0\]\.token/,
    ],
    [
      'a fine-grained token without rights',
      { users: [{ ...alice, tokens: [{ token: 'hf_sandbox_x', role: 'fineGrained' }] }] },
      /^users\[0\]\.tokens\[0\]: a fineGrained token needs its rights/,
    ],
    [
      'a name of a user and an organization',
      { users: [alice], organizations: [{ name: 'Alice' }] },
      /^organizations\[0\]\.name: the name "Alice" is taken by users\[0\]\.username/,
    ],
    [
      'an address that another one has by default',
      { users: [alice, { username: 'bob', email: 'Alice@example.com' }] },
      /^users\[1\]\.email: .*taken/,
    ],
    [
      'a member who is no user',
      { users: [alice], organizations: [{ name: 'acme', members: [{ user: 'alcie' }] }] },
      /^organizations\[0\]\.members\[0\]\.user: there is no user "alcie" \(did you mean "alice"\?\)/,
    ],
    [
      'a resource group with a stranger',
      {
        users: [alice, { username: 'bob' }],
        organizations: [{ ...acme, resourceGroups: [{ name: 'g', members: [{ user: 'bob' }] }] }],
      },
      /^organizations\[0\]\.resourceGroups\[0\]\.members\[0\]\.user: bob is not a member of acme/,
    ],
    [
      'a redirect URI with a fragment',
      { apps: [{ name: 'a', redirectUris: ['https://a.test/#x'] }] },
      /^apps\[0\]\.redirectUris\[0\]: .*fragment/,
    ],
    [
      'a redirect URI that runs code',
      { apps: [{ name: 'a', redirectUris: ['javascript:alert(1)'] }] },
      /^apps\[0\]\.redirectUris\[0\]: .*javascript:/,
    ],
    [
      'an unknown scope',
      { apps: [{ name: 'a', scopes: ['openid', 'read_repos'] }] },
      /^apps\[0\]\.scopes\[1\]: there is no scope "read_repos" \(did you mean "read-repos"\?\)/,
    ],
    [
      'two apps of one id',
      { apps: [{ name: 'a' }, { name: 'A' }] },
      /^apps\[1\]\.name: .*taken by apps\[0\]\.name/,
    ],
    [
      'token exchange without an organization',
      { apps: [{ name: 'a', clientSecret: 's', privileges: ['token-exchange'] }] },
      /^apps\[0\]\.privileges\[0\]: token-exchange needs .* organization/,
    ],
    [
      'too long a life of tokens',
      { apps: [{ name: 'a', tokenDuration: '31d' }] },
      /^apps\[0\]\.tokenDuration: must be at most 30d, not 31d/,
    ],
    [
      'a repo of nobody',
      { repos: [{ name: 'acme/x' }] },
      /^repos\[0\]\.name: there is no user or organization "acme"/,
    ],
    [
      'two repos of one name',
      { users: [alice], repos: [{ name: 'alice/x' }, { name: 'Alice/X' }] },
      /^repos\[1\]\.name: .*taken by repos\[0\]\.name/,
    ],
    [
      'access to what is not gated',
      { users: [alice], repos: [{ name: 'alice/x', access: [{ user: 'alice' }] }] },
      /^repos\[0\]\.access: the repo is not gated/,
    ],
    [
      'a file outside of the repo',
      { users: [alice], repos: [{ name: 'alice/x', files: { '../x': '' } }] },
      /^repos\[0\]\.files\["\.\.\/x"\]: is no path inside the repo/,
    ],
    [
      'a discussion that is merged',
      {
        users: [alice],
        repos: [
          { name: 'alice/x', discussions: [{ title: 'abc', author: 'alice', status: 'merged' }] },
        ],
      },
      /^repos\[0\]\.discussions\[0\]\.status: only pull requests/,
    ],
    [
      'numbers that go back',
      {
        users: [alice],
        repos: [
          {
            name: 'alice/x',
            discussions: [
              { title: 'abc', author: 'alice', num: 3 },
              { title: 'abc', author: 'alice', num: 3 },
            ],
          },
        ],
      },
      /^repos\[0\]\.discussions\[1\]\.num: must be more than the one before, 3/,
    ],
    [
      'a collection with a repo that is not there',
      {
        users: [alice],
        collections: [
          { owner: 'alice', title: 't', items: [{ type: 'model', target: 'alice/x' }] },
        ],
      },
      /^collections\[0\]\.items\[0\]\.target: there is no model "alice\/x"/,
    ],
    [
      'a webhook with two targets',
      {
        users: [alice],
        webhooks: [
          {
            owner: 'alice',
            url: 'http://localhost',
            job: { dockerImage: 'x' },
            watched: [{ type: 'user', name: 'alice' }],
          },
        ],
      },
      /^webhooks\[0\]: needs exactly one of url and job, and has 2/,
    ],
    [
      'a webhook that watches a repo of another type',
      {
        users: [alice],
        repos: [{ name: 'alice/x' }],
        webhooks: [
          {
            owner: 'alice',
            url: 'http://localhost',
            watched: [{ type: 'dataset', name: 'alice/x' }],
          },
        ],
      },
      /^webhooks\[0\]\.watched\[0\]\.name: there is no dataset "alice\/x"/,
    ],
    [
      'a webhook to another scheme',
      {
        users: [alice],
        webhooks: [{ owner: 'alice', url: 'ftp://x', watched: [{ type: 'user', name: 'alice' }] }],
      },
      /^webhooks\[0\]\.url: must be an http or https address/,
    ],
    ...(
      [
        ['port 0', { url: 'http://localhost:0' }, /\.url: .*port 0.*give the port that/],
        ['all addresses', { url: 'http://0.0.0.0:8000' }, /\.url: 0\.0\.0\.0 .*give localhost/],
        ['all addresses of IPv6', { url: 'http://[::]:8000' }, /\.url: :: .*give localhost/],
        ['no http', { url: 'http://' }, /\.url: must be an http or https address/],
        ['a secret with a space', { secret: 'x ' }, /\.secret: .*begins or ends with a space/],
        ['a secret beyond ASCII', { secret: 'sécret' }, /\.secret: .*printable ASCII/],
      ] as const
    ).map(([what, wrong, issue]): (typeof cases)[number] => [
      `a webhook of ${what}`,
      {
        users: [alice],
        webhooks: [
          { owner: 'alice', url: 'http://x', watched: [{ type: 'user', name: 'alice' }], ...wrong },
        ],
      },
      issue,
    ]),
    [
      'a client metadata document that is not on https',
      { clientMetadataDocuments: { 'http://a.test/doc': {} } },
      /^clientMetadataDocuments\["http:\/\/a\.test\/doc"\]: .*https/,
    ],
    [
      'a public signing key',
      {
        config: { signingKey: { kty: 'RSA', n: '', e: '', p: '', q: '', dp: '', dq: '', qi: '' } },
      },
      /^config\.signingKey\.d: is missing/,
    ],
    [
      'a day that is none',
      { clock: { now: '2026-02-30T00:00:00Z' } },
      /^clock\.now: there is no such date/,
    ],
    [
      'a user who approves and is not there',
      { users: [alice], config: { autoApprove: 'alise' } },
      /^config\.autoApprove: there is no user "alise" \(did you mean "alice"\?\)/,
    ],
  ]

  test.each(cases)('names the path and the reason of %s', (_mistake, file, issue) => {
    expect(issuesOf(file)).toEqual([expect.stringMatching(issue)])
  })

  test('is told all of them at once, whatever their kind', () => {
    const issues = issuesOf({
      user: [],
      users: [{ ...alice, isPro: 1 }],
      repos: [{ name: 'bob/x', gated: 'x' }, { name: 7 }],
      apps: [{ scopes: ['x'] }],
    })
    expect(issues.map((issue) => issue.slice(0, issue.indexOf(':'))).toSorted()).toEqual([
      'apps[0].name',
      'apps[0].scopes[0]',
      'repos[0].gated',
      'repos[0].name',
      'repos[1].name',
      'user',
      'users[0].isPro',
    ])
  })

  test.each([
    'host',
    'baseUrl',
    'fixtures',
    'data',
    'allowHost',
    'allowOrigin',
    'allowNetwork',
    'runJobs',
    'runJobsEnv',
    'controlToken',
  ])('may not set %s, which decides what others may reach', (key) => {
    expect(issuesOf({ config: { [key]: 'x' } })).toEqual([
      expect.stringMatching(new RegExp(`^config\\.${key}: decides what others may reach.*--`)),
    ])
  })

  test('may have a secret that another profile would take', () => {
    const file = {
      users: [alice],
      config: { deliveryProfile: 'standard-webhooks' },
      webhooks: [
        {
          owner: 'alice',
          url: 'http://localhost:8000',
          secret: 'no base64!',
          watched: [{ type: 'user', name: 'alice' }],
        },
      ],
    }
    expect(issuesOf(file)).toEqual([])
  })

  test('may not have the stored state forgotten: its user asks for that', () => {
    expect(issuesOf({ config: { reset: true } })).toEqual([
      expect.stringMatching(/^config\.reset: has what is stored forgotten.*--reset/),
    ])
  })
})

describe('the shape check', () => {
  const samples: unknown[] = [
    {},
    { users: 3 },
    { users: [{ username: 'a-b' }] },
    { users: [{ username: 'a--b' }] },
    { repos: [{ name: 'a/b', files: { x: { base64: 'aGk=' } } }] },
    { repos: [{ name: 'a/b', files: { x: { base64: '!' } } }] },
    { repos: [{ name: 'a/b', files: { x: 1 } }] },
    { repos: [{ name: 'a/b', likes: -1 }] },
    { config: { port: 65_536 } },
    { config: { port: 1.5 } },
    { config: { autoApprove: null } },
    { config: { lifetimes: { code: '1h30m' } } },
    { webhooks: [{ owner: 'a', watched: [] }] },
    { clock: { now: '2026-01-01' } },
    { clock: { now: '1 January' } },
  ]

  test.each(samples)('agrees with typebox about %j', (sample) => {
    const result = checkFixtures(sample)
    // Names that are nowhere are no matter of the shape.
    const shapeIssues =
      'issues' in result
        ? result.issues.filter(({ message }) => !/there is no|exactly one/.test(message))
        : []
    expect(shapeIssues.length === 0).toBe(Value.Check(FixturesSchema, sample))
  })
})
