import { describe, expect, it } from 'vitest'
import { Value } from 'typebox/value'
import { WebhookPayload } from '../../../server/contract/webhook-payload.ts'
import { fixture, FIXTURE_NAMES } from '../../../server/receiver/fixture.ts'
import { payloadIssues } from '../../../server/receiver/validate.ts'

type Json = Record<string, unknown>

// Every value within a payload, by its keys from the root.
function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...path, key]))]
}

function changed(payload: unknown, path: string[], change: (parent: Json, key: string) => void) {
  const copy = structuredClone(payload) as Json
  let parent = copy
  for (const key of path.slice(0, -1)) parent = parent[key] as Json
  change(parent, path.at(-1)!)
  // As it would arrive: without holes in lists.
  return JSON.parse(JSON.stringify(copy)) as Json
}

const REPLACEMENTS = [undefined, null, 0, -1, 1.5, 2, '', 'other', true, [], {}, [{}]]

describe('payload check', () => {
  it.each(FIXTURE_NAMES)('takes %s as the contract does', (name) => {
    expect(Value.Check(WebhookPayload, fixture(name))).toBe(true)
    expect(payloadIssues(fixture(name))).toEqual([])
  })

  it.each(FIXTURE_NAMES)('agrees with the contract on every wrong value within %s', (name) => {
    let refused = 0
    for (const path of pathsOf(fixture(name)).slice(1)) {
      // Another scope or action makes another event, which receivers have to take.
      if (path.at(-1) === 'scope' || path.at(-1) === 'action' || path.join() === 'event') continue
      for (const value of REPLACEMENTS) {
        const mutant = changed(fixture(name), path, (parent, key) => {
          if (value === undefined) delete parent[key]
          else parent[key] = value
        })
        const conforms = Value.Check(WebhookPayload, mutant)
        const issues = payloadIssues(mutant)
        expect(issues.length === 0, `${path.join('.')} = ${JSON.stringify(value)}`).toBe(conforms)
        if (!conforms) refused += 1
      }
    }
    expect(refused).toBeGreaterThan(50)
  })

  it('names every mistake with its path', () => {
    const payload = changed(fixture('repo.content.update'), ['repo', 'owner', 'id'], (owner) => {
      owner['id'] = 7
    })
    payload['updatedRefs'] = [{ ref: 'refs/heads/main', oldSha: null, newSha: 5 }, 'x']
    delete payload['webhook']
    expect(payloadIssues(payload)).toEqual([
      { path: 'repo.owner.id', message: 'must be a string that is not empty' },
      { path: 'webhook', message: 'is missing' },
      { path: 'updatedRefs[0].newSha', message: 'must be a string or null' },
      { path: 'updatedRefs[1]', message: 'must be an object' },
    ])
  })

  it.each([{ body: null }, { body: [] }, { body: 'text' }, { body: 3 }])(
    'refuses $body',
    ({ body }) => {
      expect(payloadIssues(body)).toEqual([{ path: '', message: 'must be an object' }])
    },
  )

  it('takes unknown scopes and unknown fields, and checks the parts it knows', () => {
    const unknown = { ...fixture('discussion.create'), extra: 1 } as unknown as Json
    unknown['event'] = { scope: 'discussion.reaction', action: 'create' }
    expect(payloadIssues(unknown)).toEqual([])
    expect(payloadIssues({ ...unknown, discussion: { num: 1 } })[0]?.path).toBe('discussion.id')
  })

  it('asks for the fields of the scope where an action is new to it', () => {
    const { updatedRefs: _gone, ...rest } = fixture('repo.content.update')
    const event = { scope: 'repo.content', action: 'delete' }
    expect(payloadIssues({ ...fixture('repo.content.update'), event })).toEqual([])
    expect(payloadIssues({ ...rest, event })).toEqual([
      { path: 'updatedRefs', message: 'is missing' },
    ])
  })

  it('refuses actions and versions that are none', () => {
    const event = { scope: 'repo', action: 'explode' }
    const webhook = { id: 'x', version: 2 }
    expect(payloadIssues({ ...fixture('repo.update'), event, webhook })).toEqual([
      { path: 'event.action', message: 'must be one of create, delete, move, update' },
      { path: 'webhook.version', message: 'must be one of 3' },
    ])
  })
})
