import { beforeEach, describe, expect, test } from 'vitest'
import type { AccessRequestResponse } from '../../server/contract/hub-gates.ts'
import type { Gated } from '../../server/contract/words/hub-words.ts'
import type { Repo } from '../../server/store/entities/hub-entities.ts'
import { testApp } from '../helpers/app.ts'
import { type Caller, nextPage } from '../helpers/cast.ts'

const world = testApp()
const { as } = world
let repo: Repo
/** Administrator of the organization that owns the repo. */
const alice = as('alice')
/** Has no part in it. */
const carol = as('carol')
beforeEach(() => {
  repo = gated('acme/gated', 'manual')
})

const gated = (name: string, gating: Gated) =>
  world.makeRepo(name, { gated: gating, files: { 'secret.txt': 'text' } })

const ask = (user = carol, fields: object = {}, name = repo.name) =>
  user.post(`/${name}/ask-access`, fields)

const requests = (action: string, body?: object, user = alice) =>
  user.post(`/api/models/${repo.name}/user-access-request/${action}`, body)

const page = (path: string) => alice.get<AccessRequestResponse[]>(path)

const list = async (status: string) =>
  (await page(`/api/models/${repo.name}/user-access-request/${status}`)).body

const download = async (user = carol, name = repo.name) =>
  (await user.get(`/${name}/raw/main/secret.txt`)).status

const handle = (status: string, more: object = {}) =>
  requests('handle', { user: 'carol', status, ...more })

describe('a request', () => {
  test('waits for a decision, which opens the files', async () => {
    const asked = await ask(carol, { affiliation: 'None', agree: true })
    expect([asked.status, asked.headers.location]).toEqual([303, '/acme/gated'])
    expect(await list('pending')).toEqual([
      {
        requestId: expect.stringMatching(/^[0-9a-f]{24}$/),
        user: {
          _id: world.users.carol.id,
          user: 'carol',
          fullname: world.users.carol.fullname,
          avatarUrl: '/avatars/carol.svg',
          type: 'user',
          isPro: false,
          email: world.users.carol.email,
          verifiedOrgNames: [],
        },
        status: 'pending',
        timestamp: expect.stringMatching(/Z$/),
        fields: { affiliation: 'None', agree: 'true' },
      },
    ])
    expect(await download()).toBe(403)
    expect((await handle('accepted')).status).toBe(200)
    expect([await list('pending'), (await list('accepted')).length]).toEqual([[], 1])
    expect(await download()).toBe(200)
    expect((await handle('pending')).status).toBe(200)
    expect(await download()).toBe(403)
  })

  test('is put back with a reason, which an acceptance drops', async () => {
    await ask()
    const stored = () => world.latest(repo).accessRequests[0]?.rejectionReason
    const decide = (status: string) => handle(status, { rejectionReason: 'Say where you work' })
    for (const status of ['rejected', 'pending']) {
      await decide(status)
      expect(stored()).toBe('Say where you work')
    }
    await decide('accepted')
    expect(stored()).toBeUndefined()
  })

  test('keeps the answers of a form, within limits', async () => {
    const form = (body: string) =>
      carol.post(`/${repo.name}/ask-access`, body, {
        'content-type': 'application/x-www-form-urlencoded',
      })
    expect((await form(`use=${'x'.repeat(1001)}`)).status).toBe(400)
    expect((await form(Array.from({ length: 51 }, (_, n) => `q${n}=1`).join('&'))).status).toBe(400)
    expect((await form('use=research&__proto__=x')).status).toBe(303)
    const [pending] = await list('pending')
    expect(JSON.stringify(pending?.fields)).toBe('{"use":"research","__proto__":"x"}')
  })

  test('is accepted at once with automatic gating', async () => {
    gated('acme/auto', 'auto')
    expect(await download(carol, 'acme/auto')).toBe(403)
    await ask(carol, {}, 'acme/auto')
    expect(await download(carol, 'acme/auto')).toBe(200)
  })

  test('that was rejected cannot be made again, until it is accepted', async () => {
    await ask()
    await handle('rejected', { rejectionReason: 'Not now' })
    const stored = () => world.latest(repo).accessRequests
    expect(stored()).toMatchObject([{ rejectionReason: 'Not now' }])
    expect(await list('rejected')).toEqual([
      expect.not.objectContaining({ rejectionReason: 'Not now' }),
    ])
    expect((await ask()).status).toBe(403)
    await handle('accepted')
    expect(stored()).toEqual([expect.not.objectContaining({ rejectionReason: 'Not now' })])
  })

  test('is withdrawn by its user while it is pending', async () => {
    await ask()
    const cancel = () => requests('cancel', undefined, carol)
    expect((await cancel()).status).toBe(200)
    expect(await list('pending')).toEqual([])
    expect((await cancel()).status).toBe(404)
    await ask()
    await handle('accepted')
    expect((await cancel()).status).toBe(404)
    expect(await download()).toBe(200)
  })

  test('needs a user, who sees the repo, and no app', async () => {
    expect((await ask(as())).status).toBe(401)
    const app = as('carol', {
      kind: 'oauth',
      clientId: 'any',
      scopes: ['manage-repos', 'gated-repos'],
    })
    expect((await ask(app)).status).toBe(403)
    expect((await ask(carol, {}, 'acme/none')).status).toBe(404)
    gated('acme/open', false)
    expect((await ask(carol, {}, 'acme/open')).status).toBe(400)
  })
})

test('members of the organization need access where the settings say so, its admins do not', async () => {
  const bob = as('bob')
  expect(await download(bob)).toBe(200)
  await alice.put(`/api/models/${repo.name}/settings`, { orgMembersGated: true })
  expect([await download(bob), await download(alice)]).toEqual([403, 200])
  await ask(bob)
  await handle('accepted', { user: 'bob' })
  expect(await download(bob)).toBe(200)
})

test('the creator of a repo needs no access to it while a member of the organization', async () => {
  const bob = as('bob')
  repo = world.makeRepo('acme/bobs', {
    gated: 'manual',
    actorId: world.users.bob.id,
    files: { 'secret.txt': 'text' },
  })
  await alice.put(`/api/models/${repo.name}/settings`, { orgMembersGated: true })
  expect(await download(bob, repo.name)).toBe(200)
  const { acme } = world.organizations
  const members = acme.members.filter(({ userId }) => userId !== world.users.bob.id)
  world.state.organizations.put({ ...acme, members })
  expect(await download(bob, repo.name)).toBe(403)
})

describe('decisions', () => {
  test.each([
    [{ user: 'carol', status: 'accepted' }, 404],
    [{ user: 'nobody', status: 'accepted' }, 404],
    [{ status: 'accepted' }, 400],
    [{ user: 'carol', status: 'lost' }, 400],
    [{ user: 'carol', status: 'rejected', rejectionReason: 'x'.repeat(201) }, 400],
  ])('%j is refused', async (body, status) => {
    expect((await requests('handle', body)).status).toBe(status)
  })

  test('name the request by its id as well as by its user', async () => {
    await ask()
    const [pending] = await list('pending')
    const decide = (requestId: string | undefined) =>
      requests('handle', { requestId, status: 'accepted' })
    expect((await decide('0'.repeat(24))).status).toBe(404)
    expect((await decide(pending?.requestId)).status).toBe(200)
    expect(await list('accepted')).toHaveLength(1)
  })

  test('the list that a request is in already is refused', async () => {
    await ask()
    const again = await handle('pending')
    expect([again.status, again.body]).toEqual([
      404,
      { error: 'The request of carol is pending already' },
    ])
  })

  test('access is granted once to a user who did not ask, without the e-mail', async () => {
    expect((await requests('grant', { userId: world.users.carol.id })).status).toBe(200)
    expect(await download()).toBe(200)
    const [granted] = await list('accepted')
    expect(granted).toMatchObject({ grantedBy: { user: 'alice', type: 'user' } })
    expect(granted?.user).not.toHaveProperty('email')
    expect((await requests('grant', { user: 'carol' })).status).toBe(400)
    expect((await requests('grant', { user: 'nobody' })).status).toBe(404)
  })

  test('a batch tells the result of each', async () => {
    await ask()
    const { carol: asked } = world.users
    const people = [
      { user: 'carol' },
      { user: 'dana' },
      { user: 'nobody' },
      { userId: '0'.repeat(24) },
      { userId: asked.id },
    ]
    const decide = (status: string, named: object[]) =>
      requests('batch', { status, requests: named })
    expect((await decide('accepted', people)).body).toEqual([
      { user: 'carol', ok: true },
      { user: 'dana', ok: false, error: 'request_not_found' },
      { user: 'nobody', ok: false, error: 'user_not_found' },
      { userId: '0'.repeat(24), ok: false, error: 'user_not_found' },
      { userId: asked.id, ok: false, error: 'request_not_found' },
    ])
    const requestId = '0'.repeat(24)
    const again = await decide('pending', [{ user: 'carol' }, { requestId }])
    expect(again.body).toEqual([
      { user: 'carol', ok: true },
      { ok: false, error: 'request_not_found' },
    ])
    expect((await decide('accepted', [{ user: 'carol' }, {}])).status).toBe(400)
    expect(await list('pending')).toHaveLength(1)
  })

  test('the report has all requests', async () => {
    await ask()
    await requests('grant', { user: 'dana' })
    const report = await alice.get(`/${repo.name}/user-access-report`)
    expect(report.headers['content-disposition']).toBe(
      'attachment; filename="acme-gated-access-report.json"',
    )
    expect(report.body).toMatchObject([
      { user: 'carol', status: 'pending', email: world.users.carol.email },
      { user: 'dana', status: 'accepted' },
    ])
    expect(JSON.stringify(report.body)).not.toContain(world.users.dana.email)
  })

  test('are for writers of the repo, with manage-repos for apps', async () => {
    await ask()
    const pending = (user: Caller) =>
      user.get(`/api/models/${repo.name}/user-access-request/pending`)
    expect((await pending(carol)).status).toBe(403)
    expect((await pending(as())).status).toBe(401)
    const app = (scopes: string[]) =>
      as('alice', {
        kind: 'oauth',
        clientId: 'any',
        scopes,
        organizationIds: [world.organizations.acme.id],
      })
    expect((await pending(app(['write-repos']))).status).toBe(403)
    expect((await pending(app(['manage-repos']))).status).toBe(200)
    expect((await carol.get(`/${repo.name}/user-access-report`)).status).toBe(403)
  })

  test('need a gated repo', async () => {
    gated('acme/open', false)
    const answer = await alice.get('/api/models/acme/open/user-access-request/pending')
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: 'The model acme/open is not gated' },
    ])
  })

  test('lists have pages', async () => {
    const names = Array.from({ length: 11 }, (_, index) => `user-${index}`)
    const accessRequests = names.map((username, index) => {
      const id = `${index}`.padStart(24, '0')
      world.state.users.put({
        ...world.users.carol,
        id,
        username,
        email: `${username}@example.com`,
      })
      return { userId: id, status: 'accepted' as const, at: Date.UTC(2026, 0, index + 1) }
    })
    world.state.repos.put({ ...repo, accessRequests })
    const path = `/api/models/${repo.name}/user-access-request/accepted`
    const first = await page(`${path}?limit=10`)
    const second = await page(nextPage(first) ?? '')
    const listed = [first, second].flatMap(({ body }) => body.map(({ user }) => user.user))
    expect([listed, second.headers.link]).toEqual([names, undefined])
    const between = await page(`${path}?after=2026-01-02T00:00:00Z&before=2026-01-05T00:00:00Z`)
    expect(between.body.map(({ user }) => user.user)).toEqual(['user-2', 'user-3'])
    for (const query of ['limit=9', 'limit=1001', 'after=today']) {
      expect((await page(`${path}?${query}`)).status).toBe(400)
    }
  })
})

describe('the form of a README', () => {
  const readme = `---
extra_gated_heading: Terms of use
extra_gated_prompt: "You agree <b>to all</b> of it."
extra_gated_button_content: Agree
extra_gated_fields:
  Company: text
  Country: country
  Born: date_picker
  Purpose:
    type: select
    options:
      - Research
      - label: Something else
        value: other
  I agree: checkbox
  Odd: 7
---
# Gated
`
  const answers = {
    Company: 'Acme',
    Country: 'FR',
    Born: '2000-01-01',
    Purpose: 'other',
    'I agree': 'true',
    Odd: 'yes',
  }
  beforeEach(() => {
    repo = world.makeRepo('acme/form', { gated: 'manual', files: { 'README.md': readme } })
  })

  test('is on the page of the repo, as text', async () => {
    const signedIn = await as().post('/login', new URLSearchParams({ user: 'carol' }))
    const [cookie = ''] = String(signedIn.headers['set-cookie']).split(';')
    const { body } = await as().get('/acme/form', undefined, { accept: 'text/html', cookie })
    for (const part of [
      'Terms of use',
      'You agree &lt;b&gt;to all&lt;/b&gt; of it.',
      'name="Company"',
      'type="date" name="Born"',
      '<option>other</option>',
      'type="checkbox" name="I agree"',
      '>Agree</button>',
    ]) {
      expect(body).toContain(part)
    }
  })

  test('needs an answer to each question, which the owner sees', async () => {
    expect((await ask(carol, answers)).status).toBe(303)
    expect(await list('pending')).toMatchObject([{ fields: answers }])
  })

  test.each(Object.keys(answers))('is refused without an answer to %s', async (question) => {
    const { [question]: _left, ...others } = answers as Record<string, string>
    const answer = await ask(carol, others)
    expect([answer.status, answer.headers['x-error-message']]).toEqual([
      400,
      `Missing answer: ${question}`,
    ])
    expect(await list('pending')).toEqual([])
  })

  test.each([
    [{ Purpose: 'Something else' }, 400],
    [{ 'I agree': 'false' }, 400],
    [{ Company: '  ' }, 400],
    [{ Company: 'x'.repeat(1001) }, 400],
    [{ More: 'kept' }, 303],
  ])('has a status for %j', async (more, status) => {
    expect((await ask(carol, { ...answers, ...more })).status).toBe(status)
  })
})

test.each([
  ['extra_gated_fields: [1, 2]'],
  ['extra_gated_fields: text'],
  ['extra_gated_fields: null\nextra_gated_prompt: [a]'],
  ['extra_gated_fields: {a: {type: select, options: text}}'],
])('a README with %j does not break the request', async (yaml) => {
  repo = world.makeRepo('acme/odd', {
    gated: 'manual',
    files: { 'README.md': `---\n${yaml}\n---\n` },
  })
  expect((await ask(carol, { a: 'b' })).status).toBe(303)
})
