import { describe, expect, test } from 'vitest'
import { Value } from 'typebox/value'
import { WebhookPayload } from '../../../server/contract/webhook-payload.ts'
import { fixture, payloadNames } from '../../../server/receiver/fixture.ts'
import { settlePayload } from '../../../server/receiver/validate.ts'
import { changed, type Json, pathsOf } from '../../helpers/payload-mutants.ts'

// What the hub's Python helper (`WebhookPayload` of huggingface_hub) declares optional, or not at all.
const mayMiss = new Set([
  'repo.headSha',
  'repo.url.api',
  'movedTo',
  'updatedConfig',
  'updatedConfig.private',
  'updatedRefs',
  'updatedRefs.0',
  'updatedRefs.0.oldSha',
  'updatedRefs.0.newSha',
  'discussion',
  'discussion.url.api',
  'comment',
  'comment.content',
])

describe('payload check', () => {
  test.each(payloadNames)('accepts %s like the contract', (name) => {
    expect(Value.Check(WebhookPayload, fixture(name))).toBe(true)
    expect(settlePayload(fixture(name))).toEqual([])
  })

  test.each(payloadNames)('accepts %s without optional parts, and no other variation', (name) => {
    for (const path of pathsOf(fixture(name)).slice(1)) {
      const issues = settlePayload(changed(fixture(name), path, undefined))
      const at = path.join('.')
      const missing = { path: at.replaceAll(/\.(\d+)/g, '[$1]'), message: 'is missing' }
      expect({ at, issues }).toEqual({ at, issues: mayMiss.has(at) ? [] : [missing] })
    }
  })

  test.each(payloadNames)('accepts null in %s for a missing part', (name) => {
    for (const path of pathsOf(fixture(name)).slice(1)) {
      const at = path.join('.')
      if (!mayMiss.has(at) || /Sha$|\.0$/.test(at)) continue
      const settled = changed(fixture(name), path, null)
      expect({ at, issues: settlePayload(settled) }).toEqual({ at, issues: [] })
      expect({ at, settled }).toEqual({ at, settled: changed(fixture(name), path, undefined) })
    }
  })

  test('accepts null for a new or removed ref', () => {
    const updatedRefs = [{ ref: 'refs/heads/new', oldSha: null, newSha: null }]
    const payload = { ...fixture('repo.content.update'), updatedRefs }
    expect(settlePayload(payload)).toEqual([])
    expect(payload.updatedRefs).toEqual([{ ref: 'refs/heads/new', oldSha: null, newSha: null }])
  })

  test('accepts what the Python helper ignores, and drops invalid parts of it', () => {
    const payload = {
      ...fixture('repo.config.update'),
      updatedConfig: { private: 'later', gated: 'auto' },
    }
    Object.assign(payload.repo, { headSha: 7 })
    expect(settlePayload(payload)).toEqual([])
    expect(payload).not.toHaveProperty('updatedConfig')
    expect(payload.repo).not.toHaveProperty('headSha')
  })

  test('names every mistake with its path', () => {
    const payload = changed(fixture('repo.content.update'), ['repo', 'owner', 'id'], 7)
    payload['updatedRefs'] = [{ ref: 'refs/heads/main', oldSha: null, newSha: 5 }, 'x']
    delete payload['webhook']
    expect(settlePayload(payload)).toEqual([
      { path: 'repo.owner.id', message: 'must be a string' },
      { path: 'webhook', message: 'is missing' },
      { path: 'updatedRefs[0].newSha', message: 'must be a string or null' },
      { path: 'updatedRefs[1]', message: 'must be an object' },
    ])
  })

  test.each([{ body: null }, { body: [] }, { body: 'text' }, { body: 3 }])(
    'refuses $body',
    ({ body }) => {
      expect(settlePayload(body)).toEqual([{ path: '', message: 'must be an object' }])
    },
  )

  test('lists as many mistakes as a body can have', () => {
    const updatedRefs = Array.from({ length: 500_000 }, () => 0)
    const issues = settlePayload({ ...fixture('repo.content.update'), updatedRefs })
    expect(issues).toHaveLength(500_000)
  })

  test('accepts unknown scopes and fields, and checks the known parts', () => {
    const unknown = { ...fixture('discussion.create'), extra: null } as unknown as Json
    unknown['event'] = { scope: 'discussion.reaction', action: 'create' }
    expect(settlePayload(unknown)).toEqual([])
    expect(unknown).toHaveProperty('extra', null)
    expect(settlePayload({ ...unknown, discussion: { num: 1 } })[0]?.path).toBe('discussion.id')
  })

  test('refuses invalid actions and versions', () => {
    const event = { scope: 'repo', action: 'explode' }
    const webhook = { id: 'x', version: 2 }
    expect(settlePayload({ ...fixture('repo.update'), event, webhook })).toEqual([
      { path: 'event.action', message: 'must be one of create, delete, move, update' },
      { path: 'webhook.version', message: 'must be one of 3' },
    ])
  })
})
