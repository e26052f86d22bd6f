import { createHash } from 'node:crypto'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { WebhookPayload } from '../../../../server/contract/webhook-payload.ts'
import {
  buildPayload,
  freezePayload,
} from '../../../../server/hub/webhooks/publish/build-payload.ts'
import { changePayload } from '../../../../server/core/payload-path.ts'
import { makeEvent } from '../../../helpers/webhook-world.ts'

const base = 'http://localhost:7420'
const discussion = {
  id: 'd15c00000000000000000001',
  num: 7,
  title: 'Grüße 👋',
  status: 'open',
  isPullRequest: true,
  authorId: 'a'.repeat(24),
  base: 'refs/heads/main',
} as const

describe('payload, version 3', () => {
  test('the payload of a push has the updated refs', () => {
    const payload = buildPayload(base, 'w', makeEvent())
    expect(payload).toEqual({
      event: { action: 'update', scope: 'repo.content' },
      repo: {
        type: 'dataset',
        name: 'acme/corpus',
        id: expect.any(String),
        private: false,
        url: {
          web: `${base}/datasets/acme/corpus`,
          api: `${base}/api/datasets/acme/corpus`,
        },
        owner: { id: expect.any(String) },
        headSha: 'f'.repeat(40),
      },
      updatedRefs: [{ ref: 'refs/heads/main', oldSha: 'e'.repeat(40), newSha: 'f'.repeat(40) }],
      webhook: { id: 'w', version: 3 },
    })
    expect(Value.Check(WebhookPayload, payload)).toBe(true)
  })

  test('the payload of a comment has no headSha, and of a hidden one no content', () => {
    const { updatedRefs: _updatedRefs, ...event } = makeEvent({
      scope: 'discussion.comment',
      discussion: { ...discussion, mergeCommitId: 'c'.repeat(40) },
      comment: { id: 'c'.repeat(24), authorId: 'b'.repeat(24), content: 'secret', hidden: true },
    })
    const payload = buildPayload(base, 'w', event)
    const web = `${base}/datasets/acme/corpus/discussions/7`
    expect(payload).toMatchObject({
      discussion: {
        num: 7,
        title: 'Grüße 👋',
        author: { id: 'a'.repeat(24) },
        url: { web, api: `${base}/api/datasets/acme/corpus/discussions/7` },
        changes: { base: 'refs/heads/main', mergeCommitId: 'c'.repeat(40) },
      },
      comment: { hidden: true, url: { web: `${web}#${'c'.repeat(24)}` } },
    })
    expect(JSON.stringify(payload)).not.toMatch(/secret|headSha|updatedRefs/)
    expect(Value.Check(WebhookPayload, payload)).toBe(true)
  })

  test('the URL of a model has no type, and a Space has its subdomain', () => {
    const { repo } = makeEvent()
    const of = (changes: Partial<typeof repo>) =>
      buildPayload(base, 'w', makeEvent({ repo: { ...repo, ...changes } })).repo
    expect(of({ type: 'model' }).url.web).toBe(`${base}/acme/corpus`)
    expect(of({ type: 'space', subdomain: 'acme-corpus' }).subdomain).toBe('acme-corpus')
  })

  test('the payload of a move has the new name', () => {
    const movedTo = { name: 'alice/corpus', ownerId: 'a'.repeat(24) }
    expect(
      buildPayload(base, 'w', makeEvent({ scope: 'repo', action: 'move', movedTo })),
    ).toMatchObject({
      repo: { name: 'acme/corpus' },
      movedTo: { name: 'alice/corpus', owner: { id: 'a'.repeat(24) } },
    })
  })

  test('the payload is frozen as bytes with their digest', () => {
    const { body, sha256, bytes } = freezePayload({ a: 'é' })
    expect([body, bytes]).toEqual(['{"a":"é"}', 10])
    expect(sha256).toBe(createHash('sha256').update(body).digest('hex'))
  })
})

describe('overrides', () => {
  const payload = { a: { b: [1, { c: 2 }] }, d: null }

  test('overrides set and remove by path without changing the given payload', () => {
    const before = structuredClone(payload)
    expect(
      changePayload(payload, {
        overrides: { 'a.b[1].c': 3, 'new.deep': true, d: { e: 1 } },
        remove: ['a.b[0]'],
      }),
    ).toEqual({ payload: { a: { b: [{ c: 3 }] }, d: { e: 1 }, new: { deep: true } }, issues: [] })
    expect(payload).toEqual(before)
  })

  test('no overrides make no copy', () => {
    expect(changePayload(payload, {}).payload).toBe(payload)
    expect(changePayload(payload, { overrides: {} })).toEqual({ payload, issues: [] })
  })

  test.each([
    [{ overrides: { '': 1 } }, 'overrides.'],
    [{ overrides: { 'd.e': 1 } }, 'overrides.d.e'],
    [{ overrides: { '__proto__.x': 1 } }, 'overrides.__proto__.x'],
    [{ overrides: { 'constructor.prototype.x': 1 } }, 'overrides.constructor.prototype.x'],
    [{ overrides: { 'a..b': 1 } }, 'overrides.a..b'],
    [{ remove: ['a.x'] }, 'remove[0]'],
    [{ remove: ['a', 'a.b'] }, 'remove[1]'],
    [{ remove: ['toString'] }, 'remove[0]'],
  ])('%j is refused at %s', (changes, path) => {
    expect(changePayload(payload, changes).issues.map((issue) => issue.path)).toEqual([path])
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })
})
