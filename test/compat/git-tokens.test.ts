import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { cloneRepo, gitIn, hasGit, refusalOf } from '../helpers/git-client.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
beforeEach(() => sandbox.reset())
afterAll(() => sandbox.close())

const control = async <T>(method: string, path: string, body: object): Promise<T> => {
  const headers = { 'content-type': 'application/json' }
  const init = { method, headers, body: JSON.stringify(body) }
  return (await (await fetch(`${sandbox.url}/_sandbox/api/${path}`, init)).json()) as T
}

async function mint(of: object): Promise<string> {
  return (await control<{ access_token: string }>('POST', 'tokens', of)).access_token
}

/** A token for a member of acme, bound to acme. */
async function exchange(user: string, scope: string): Promise<string> {
  const app = sandbox.fixtures.apps.find(({ privileges }) => privileges.includes('token-exchange'))
  const credentials = Buffer.from(`${app?.clientId}:${app?.clientSecret}`).toString('base64')
  const answer = await fetch(`${sandbox.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: `${user}@example.com`,
      subject_token_type: 'urn:service:token-type:user-email',
      scope,
    }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

const fineGrained = (permissions: string[]) =>
  mint({
    user: 'alice',
    role: 'fineGrained',
    fineGrained: {
      scoped: [{ entity: { type: 'model', name: 'acme/ranker-internal' }, permissions }],
    },
  })

const hidden = '/acme/ranker-internal'
const mine = '/alice/tiny-sentiment'
const gated = '/acme/speech-large'
const read = 'repo.content.read'
const missing = /^fatal: repository '.*' not found$/m
const needsScope =
  /^remote: Committing, branching and tagging needs the scope write-repos \(or manage-repos\)$/m
const needsRight = /^remote: Committing, branching and tagging needs the write right$/m

describe.skipIf(!hasGit)('a token as the password of git', () => {
  type Case = [what: string, token: () => Promise<string>, path: string, fetch: Said, push: Said]
  /** Error of git; empty on success. */
  type Said = RegExp | undefined

  test.each<Case>([
    ['of a user', () => mint({ user: 'bob', role: 'write' }), hidden, undefined, undefined],
    [
      'of a user, to read',
      () => mint({ user: 'alice', role: 'read' }),
      mine,
      undefined,
      /^remote: Committing, branching and tagging needs a write token$/m,
    ],
    [
      'of an app, to read repos',
      () => mint({ user: 'alice', scope: 'openid read-repos' }),
      mine,
      undefined,
      needsScope,
    ],
    [
      'of an app that was granted no organization',
      () => mint({ user: 'alice', scope: 'openid write-repos' }),
      hidden,
      missing,
      missing,
    ],
    [
      'of an app that was granted the organization',
      () => mint({ user: 'alice', scope: 'openid write-repos', organizations: ['acme'] }),
      hidden,
      undefined,
      undefined,
    ],
    [
      'of a token exchange',
      () => exchange('bob', 'read-repos write-repos'),
      hidden,
      undefined,
      undefined,
    ],
    [
      'of a token exchange, to read repos',
      () => exchange('bob', 'read-repos'),
      hidden,
      undefined,
      needsScope,
    ],
    [
      'of a token exchange, of a member who may read',
      () => exchange('carol', 'read-repos write-repos'),
      hidden,
      undefined,
      needsRight,
    ],
    [
      'of a token exchange, for what is elsewhere',
      () => exchange('bob', 'read-repos write-repos'),
      '/bob/gpt-tiny',
      undefined,
      /^remote: The token has no access to this namespace$/m,
    ],
    ['for one repo', () => fineGrained([read, 'repo.write']), hidden, undefined, undefined],
    [
      'for one repo, to read',
      () => fineGrained([read]),
      hidden,
      undefined,
      /^remote: Committing, .* needs another permission of the token$/m,
    ],
    [
      'for another repo',
      () => fineGrained([read, 'repo.write']),
      '/alice/draft-summarizer',
      missing,
      missing,
    ],
    ['of somebody else', () => mint({ user: 'dave', role: 'write' }), hidden, missing, missing],
    [
      'of a member who may write, where a gate is',
      () => mint({ user: 'carol', role: 'write' }),
      gated,
      undefined,
      undefined,
    ],
    [
      'of somebody whom the gate does not know',
      () => mint({ user: 'dave', role: 'write' }),
      gated,
      /^remote: Access to model acme\/speech-large is restricted and .* Visit http:\S+\/acme\/speech-large to ask for access\.$/m,
      needsRight,
    ],
  ])('%s', async (_, token, path, fetched, pushed) => {
    const { git } = await cloneRepo(`${sandbox.url}/datasets/acme/corpus`)
    const remote = `${sandbox.url.replace('//', `//anyone:${await token()}@`)}${path}`
    const told = async (said: Said, work: Promise<unknown>) =>
      expect((await refusalOf(work)) ?? '').toMatch(said ?? /^$/)
    await told(fetched, git('fetch', '-q', remote, 'main'))
    await told(pushed, git('push', '-q', remote, 'HEAD:refs/heads/pushed'))
    await told(pushed, git('push', '-q', remote, ':refs/heads/pushed'))
  })

  test('is taken by the gate once its user is let in', async () => {
    const remote = `${sandbox.url.replace('//', '//x:hf_sandbox_dave@')}${gated}`
    const { git } = await cloneRepo(`${sandbox.url}/datasets/acme/corpus`)
    expect(await refusalOf(git('ls-remote', remote))).toContain('not in the authorized list')
    const access = [{ user: 'dave', status: 'accepted' }]
    await control('PATCH', `repos/models${gated}`, { access })
    expect(await git('ls-remote', remote)).toContain('refs/heads/main')
  })

  test('is asked for once where it is wrong or has expired, and then forgotten', async () => {
    const { git, folder } = await cloneRepo(`${sandbox.url}/datasets/acme/corpus`)
    const expiring = await mint({ user: 'alice', scope: 'openid read-repos', expiresIn: 60 })
    await sandbox.clock.advance('61s')
    const [asked, kept, script] = ['asked', 'kept', 'ask.sh'].map((name) => join(folder, name))
    if (asked === undefined || kept === undefined || script === undefined)
      throw new Error('no file')
    const store = (password: string) =>
      writeFileSync(kept, `${sandbox.url.replace('//', `//alice:${password}@`)}\n`)
    const tell = (password: string) =>
      writeFileSync(script, `#!/bin/sh\necho "$1" >> '${asked}'\necho ${password}\n`)
    tell('')
    chmodSync(script, 0o755)
    const asking = gitIn(folder, { GIT_ASKPASS: script, HOME: temporaryDirectory() })
    const look = () =>
      asking('-c', `credential.helper=store --file='${kept}'`, 'ls-remote', sandbox.url + hidden)
    const known = 'Invalid credentials in Authorization header'
    const wrong = 'Password authentication in git is no longer supported[^]*?'
    for (const [password, told] of [
      ['wrong', wrong],
      [expiring, known],
    ] as const) {
      store(password)
      expect(await refusalOf(look())).toMatch(
        new RegExp(`^remote: ${told}\\nfatal: Authentication failed for`, 'm'),
      )
      // It was kept, so nobody was asked; and it is not kept any more.
      expect(readFileSync(kept, 'utf8')).toBe('')
    }
    tell('hf_sandbox_alice')
    expect(await look()).toContain('refs/heads/main')
    expect(readFileSync(asked, 'utf8').split('\n')).toEqual([
      expect.stringMatching(/^Username for/) as string,
      expect.stringMatching(/^Password for/) as string,
      '',
    ])
    expect(readFileSync(kept, 'utf8')).toContain('hf_sandbox_alice')
    expect(await git('status', '--short', '--untracked-files=no')).toBe('')
  })
})
